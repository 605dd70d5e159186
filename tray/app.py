"""The tray app: puts icon, menu, search box and timer together, and ends them."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from core import database, paths, presence, settings
from core.errors import ChatRecallError
from tray import notice, notifications, present, recent_queries, worker
from tray.child import Child
from tray.draw_icon import draw_icon
from tray.icon import Icon
from tray.log import log
from tray.menu import build as build_menu
from tray.outcome import Outcome
from tray.present import Present
from tray.single_instance import Request
from tray.timer import Timer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from datetime import datetime

    from PIL import Image

    from core.results import Result
    from tray.menu import Item
    from tray.notice import Notice
    from tray.single_instance import Claim

T = TypeVar("T")

_FIRST_ROUND_SECONDS = 20.0  # leaves the logon to others
_LAST_SECONDS = 0.9


class App:
    """The app as icon, menu and search box see it. Every method may be called from any thread."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._jobs = worker.Jobs("jobs", self._explain)
        self._sweeps = worker.Jobs("sweeps", _nothing)
        self._round_child = Child()
        self._sweep_child = Child()
        self._working = False
        self._asked_by_person = False
        self._trouble: ChatRecallError | None = None
        self._quitting = threading.Event()
        self._timer = Timer(
            self._round,
            self._look_again,
            _interval_seconds,
            first_seconds=_FIRST_ROUND_SECONDS,
        )
        self._present = Present()
        self._box = _make_box(self)
        self._icon = Icon(self, str(_setting("hotkey")), self._box.popup_menu)

    def run(self, *, show: bool) -> None:
        """Run until somebody quits. To be called from the main thread."""
        self._present = self._look()
        self._icon.start()
        worker.start("requests", lambda: self._claim.listen(self._answer))
        worker.start("timer", self._timer.run)
        self._jobs.add(lambda: _with_database(self._write_state))
        if show:
            self._box.show()
        self._box.run()
        log.info("Ended")

    # What the icon asks for

    @property
    def actions(self) -> App:
        """What clicks do."""
        return self

    def draw(self, size: int) -> Image.Image:
        """Draw the picture for the present state."""
        from tray import desktop  # noqa: PLC0415

        return draw_icon(size, self._present.state, on_dark=desktop.taskbar_is_dark())

    def title(self) -> str:
        """Put the present state into words."""
        return self._present.title

    def menu(self) -> Any:
        """Build the present menu in pystray's form."""
        from tray.pystray_menu import pystray_menu  # noqa: PLC0415  only with an icon

        return pystray_menu(self.menu_items())

    # What the search box asks for

    def menu_items(self) -> tuple[Item, ...]:
        """Build the present menu."""
        self._present = self._look()
        return build_menu(self._present, self)

    def icon_has_menu(self) -> bool:
        """Whether the icon shows the menu."""
        return self._icon.has_menu

    def box_opened(self) -> None:
        """Take in what was said since, so that it can be found."""
        self._sweeps.add(self._sweep)

    def open_results(self, result: Result) -> None:
        """Open the page of a result."""
        self._jobs.add(lambda: self._open_result(result))

    def search_and_open(self, query: str) -> None:
        """Open the page of what a query finds."""

        def job() -> None:
            from core.search import search  # noqa: PLC0415

            self._open_result(_with_database(lambda db: search(db, query)))

        self._jobs.add(job)

    def clear_recent_queries(self) -> None:
        """Forget the last queries."""

        def job() -> None:
            _with_database(recent_queries.clear)
            self._box.search_again()

        self._jobs.add(job)

    # What the menu's items do

    def search(self) -> None:
        """Bring up the search box."""
        self._box.show()

    def open_session(self, session_id: str) -> None:
        """Open the page of one session."""
        self._jobs.add(lambda: notice.open_sessions(notice.Notice("", "", (session_id,))))

    def summarize_now(self) -> None:
        """Run a round now, and say so where it does nothing."""
        self._asked_by_person = True
        self._timer.work_now()

    def pause(self, until: datetime | None) -> None:
        """Hold capture and timer until then, or until resumed."""
        self._change(lambda db: _privacy().pause(db, until))

    def resume(self) -> None:
        """Go on with capture and timer."""
        self._change(lambda db: _privacy().resume(db))
        self._timer.work_now()

    def launch_at_logon(self, wanted: bool) -> None:
        """Start at logon from now on, or no longer."""

        def job() -> None:
            from installer import logon  # noqa: PLC0415

            (logon.enable if wanted else logon.disable)()
            self._refresh()

        self._jobs.add(job)

    def explain_trouble(self) -> None:
        """Say once more what is wrong and what to do."""
        if self._present.trouble:
            self._explain(self._present.trouble)

    def open_data_folder(self) -> None:
        """Show the folder with the database and the settings."""
        from tray import desktop  # noqa: PLC0415

        self._jobs.add(lambda: desktop.open_folder(paths.data_dir()))

    def quit(self) -> None:
        """End the app within a second, whatever it is doing."""
        if self._quitting.is_set():
            return
        self._quitting.set()
        log.info("Quitting")
        threading.Thread(target=self._end, name="end", daemon=True).start()

    # Rounds

    def _round(self) -> None:
        """Run a round; the timer calls this in its thread."""
        self._working = True
        self._refresh()
        try:
            outcome = Outcome.from_json(self._round_child.run("round", "--json"))
            self._trouble = outcome.problem
        except (ChatRecallError, OSError, ValueError, TypeError) as error:
            if self._quitting.is_set():
                return
            outcome = self._failed(error)
        finally:
            self._working = False
        self._refresh()
        asked, self._asked_by_person = self._asked_by_person, False
        words = notice.of(outcome) or (notice.of_nothing(outcome) if asked else None)
        if words:
            self._tell(words)

    def _failed(self, error: Exception) -> Outcome:
        """Note a round that came to nothing: it is told once, until one goes well again."""
        log.warning("The round failed: %s", error)
        trouble = (
            error
            if isinstance(error, ChatRecallError)
            else ChatRecallError("A round failed", f"{error}")
        )
        is_new = self._trouble is None or self._trouble.title != trouble.title
        self._trouble = trouble
        return Outcome(
            problem_title=trouble.title, problem_advice=trouble.advice, problem_is_new=is_new
        )

    def _sweep(self) -> None:
        self._sweep_child.run("sweep")
        self._box.search_again()

    def _explain(self, trouble: ChatRecallError) -> None:
        self._tell(notice.of_problem(trouble))

    def _tell(self, words: Notice) -> None:
        log.info("Notification: %s", words.title)
        if self._icon.has_balloons:
            self._icon.show_balloon(
                words.title,
                words.body,
                lambda: self._jobs.add(lambda: notice.open_sessions(words)),
            )
        else:
            threading.Thread(target=_tell_and_open, args=(words,), daemon=True).start()

    # Helpers

    def _answer(self, request: Request) -> None:
        """Do what a second start, or the system, asks for."""
        log.info("Asked to %s", request.value)
        answers = {
            Request.SHOW: self.search,
            Request.WORK: self._timer.work_now,
            Request.QUIT: self.quit,
        }
        answers[request]()

    def _open_result(self, result: Result) -> None:
        from core import page  # noqa: PLC0415  the page's parts are large

        def write(db: sqlite3.Connection) -> str:
            recent_queries.add(db, result.query)
            return page.write_results(db, result)

        page.open_page(_with_database(write))

    def _change(self, change: Callable[[sqlite3.Connection], object]) -> None:
        def job() -> None:
            _with_database(change)
            self._refresh()

        self._jobs.add(job)

    def _look(self) -> Present:
        return present.read(working=self._working, trouble=self._trouble)

    def _look_again(self) -> None:
        """Show what has changed meanwhile, e.g. a pause from the command line."""
        before = self._present
        self._present = self._look()
        if (before.state, before.title) != (self._present.state, self._present.title):
            self._icon.refresh()

    def _refresh(self) -> None:
        self._present = self._look()
        self._icon.refresh()

    def _write_state(self, db: sqlite3.Connection) -> None:
        """Let `chatrecall status` say since when it runs, and why there is no icon."""
        presence.started(db, no_icon=self._icon.why_missing)

    def _end(self) -> None:
        """End everything; whatever still hangs then: nobody who logs off waits for us."""
        deadline = time.monotonic() + _LAST_SECONDS
        self._round_child.stop()
        self._sweep_child.stop()
        self._timer.end()
        self._icon.stop()
        with contextlib.suppress(Exception):
            _with_database(presence.ended)
        self._box.quit()
        time.sleep(max(0.0, deadline - time.monotonic()))
        log.warning("Something did not end in time")
        os._exit(0)


def _make_box(app: App) -> Any:
    from tray.no_search_box import NoSearchBox  # noqa: PLC0415

    try:
        from tray.search_box import SearchBox  # noqa: PLC0415

        return SearchBox(app)
    except Exception as error:  # no Tk in this Python, or no display for it
        log.warning("No search box: %s", error)
        return NoSearchBox()


def _tell_and_open(words: Notice) -> None:
    if notifications.show_and_wait(words):
        notice.open_sessions(words)


def _with_database(work: Callable[[sqlite3.Connection], T]) -> T:
    db = database.connect()
    try:
        return work(db)
    finally:
        db.close()


def _interval_seconds() -> float:
    minutes = _setting("interval_minutes")
    return 60 * float(minutes) if isinstance(minutes, (int, float)) else 3600.0


def _setting(key: str) -> object:
    """One setting; the default where the file is damaged, which the round tells of."""
    try:
        return settings.read()[key]
    except ChatRecallError as error:
        log.warning("%s", error)
        return settings.DEFAULTS[key]


def _privacy() -> Any:
    from core import privacy  # noqa: PLC0415

    return privacy


def _nothing(_error: ChatRecallError) -> None:
    """The next round meets the same trouble and tells."""
