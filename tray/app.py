"""The tray app: puts icon, menu, search box and rounds together, and ends them."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any

from core import database, paths, presence, settings
from core.errors import ChatRecallError
from core.privacy import privacy
from core.search import recent_queries
from core.single_instance import Request
from tray import pages, present, restart, worker
from tray.icon.draw_icon import draw_icon
from tray.icon.icon import Icon
from tray.log import log
from tray.menu import build as build_menu
from tray.notifications import notice, notifications
from tray.present import Present
from tray.rounds.child import Child
from tray.rounds.rounds import Rounds

if TYPE_CHECKING:
    from datetime import datetime

    from PIL import Image

    from core.search.results import Result
    from core.single_instance import Claim
    from tray.menu import Item
    from tray.notifications.notice import Notice

_LAST_SECONDS = 0.9


class App:
    """The app as icon, menu and search box see it. Every method may be called from any thread."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._jobs = worker.Jobs("jobs", self._explain)
        self._sweeps = worker.Jobs("sweeps", _say_nothing)
        self._sweep_child = Child()
        self._rounds = Rounds(self._refresh, self._look_again, self._tell)
        self._quitting = threading.Event()
        self._present = Present()
        self._shown = self._present.state, self._present.title
        self._told_missing = ""
        self._box = _make_box(self)
        self._icon = Icon(self, _hotkey(), self._box.popup_menu)

    def run(self, *, show: bool) -> None:
        """Run until somebody quits. To be called from the main thread."""
        self._present = self._look()
        self._shown = self._present.state, self._present.title
        self._icon.start()
        worker.start("requests", lambda: self._claim.listen(self._answer))
        worker.start("rounds", self._rounds.run)
        self._jobs.add(self._write_presence)
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
        from tray.desktop import desktop  # noqa: PLC0415  it needs a desktop to be there

        return draw_icon(size, self._present.state, on_dark=desktop.taskbar_is_dark())

    def title(self) -> str:
        """Put the present state into words."""
        return self._present.title

    def menu(self) -> Any:
        """Build the present menu in pystray's form."""
        from tray.icon.pystray_menu import pystray_menu  # noqa: PLC0415  it needs a tray to be there

        return pystray_menu(self.menu_items())

    # What the search box asks for

    def menu_items(self) -> tuple[Item, ...]:
        """Build the present menu."""
        self._present = self._look()
        if self._shown != (self._present.state, self._present.title):
            self._jobs.add(self._show_state)
        return build_menu(self._present, self)

    def icon_has_menu(self) -> bool:
        """Whether the icon shows the menu."""
        return self._icon.has_menu

    def box_opened(self) -> None:
        """Take in what was said since, so that it can be found."""
        self._sweeps.add(self._sweep)

    def open_results(self, result: Result) -> None:
        """Open the page of a result."""
        self._jobs.add(lambda: pages.open_result(result))

    def search_and_open(self, query: str) -> None:
        """Open the page of what a query finds."""
        self._jobs.add(lambda: pages.search_and_open(query))

    def clear_recent_queries(self) -> None:
        """Forget the last queries."""

        def job() -> None:
            with contextlib.closing(database.connect()) as db:
                recent_queries.clear(db)
            self._box.search_again()

        self._jobs.add(job)

    # What the menu's items do

    def search(self) -> None:
        """Bring up the search box."""
        self._box.show()

    def open_session(self, session_id: str) -> None:
        """Open the page of one session."""
        self._jobs.add(lambda: pages.open_sessions([session_id]))

    def summarize_now(self) -> None:
        """Run a round now."""
        self._rounds.now_and_tell()

    def pause(self, until: datetime | None) -> None:
        """Hold capture and timer until then, or until resumed."""

        def job() -> None:
            with contextlib.closing(database.connect()) as db:
                privacy.pause(db, until)
            self._refresh()

        self._jobs.add(job)

    def resume(self) -> None:
        """Go on with capture and timer."""

        def job() -> None:
            with contextlib.closing(database.connect()) as db:
                privacy.resume(db)
            self._refresh()
            self._rounds.now()

        self._jobs.add(job)

    def launch_at_logon(self, wanted: bool) -> None:
        """Start at logon from now on, or no longer."""

        def job() -> None:
            from installer import logon  # noqa: PLC0415  only for this

            (logon.enable if wanted else logon.disable)()
            self._refresh()

        self._jobs.add(job)

    def explain_trouble(self) -> None:
        """Say once more what is wrong and what to do."""
        if self._present.trouble:
            self._explain(self._present.trouble)

    def open_data_folder(self) -> None:
        """Show the folder with the database and the settings."""
        from tray.desktop import desktop  # noqa: PLC0415  it needs a desktop to be there

        self._jobs.add(lambda: desktop.open_folder(paths.data_dir()))

    def quit(self) -> None:
        """End the app within a second, whatever it is doing."""
        if self._quitting.is_set():
            return
        self._quitting.set()
        log.info("Quitting")
        threading.Thread(target=_exit_soon, name="last resort", daemon=True).start()
        threading.Thread(target=self._end, name="end", daemon=True).start()

    # The state

    def _look(self) -> Present:
        return present.read(working=self._rounds.working, trouble=self._rounds.trouble)

    def _look_again(self) -> None:
        """Show what has changed meanwhile, e.g. a pause from the command line.

        At logon, the desktop's tray may start later than we do.
        """
        if self._icon.came_too_early and restart.is_first_start():
            self._sweep_child.stop()
            restart.restart()
        if self._icon.why_missing != self._told_missing:
            self._write_presence()
        self._present = self._look()
        if self._shown != (self._present.state, self._present.title):
            self._show_state()

    def _refresh(self) -> None:
        self._present = self._look()
        self._show_state()

    def _show_state(self) -> None:
        self._shown = self._present.state, self._present.title
        self._icon.refresh()

    # Telling

    def _explain(self, trouble: ChatRecallError) -> None:
        self._tell(notice.of_problem(trouble))

    def _tell(self, words: Notice) -> None:
        log.info("Notification: %s", words.title)
        if self._icon.has_balloons:
            self._icon.show_balloon(words.title, words.body, lambda: self._clicked(words))
        else:
            threading.Thread(target=self._tell_and_wait, args=(words,), daemon=True).start()

    def _tell_and_wait(self, words: Notice) -> None:
        if notifications.show_and_wait(words):
            self._clicked(words)

    def _clicked(self, words: Notice) -> None:
        if words.session_ids:
            self._jobs.add(lambda: pages.open_sessions(words.session_ids))

    # Helpers

    def _answer(self, request: Request) -> None:
        """Do what a second start, or the system, asks for."""
        log.info("Asked to %s", request.value)
        answers = {
            Request.SHOW: self.search,
            Request.WORK: self._rounds.now,
            Request.QUIT: self.quit,
        }
        answers[request]()

    def _sweep(self) -> None:
        self._sweep_child.run("sweep")
        self._box.search_again()

    def _write_presence(self) -> None:
        """Let `chatrecall status` say since when it runs, and why there is no icon."""
        self._told_missing = self._icon.why_missing
        with contextlib.closing(database.connect()) as db:
            presence.started(db, no_icon=self._told_missing)

    def _end(self) -> None:
        self._rounds.stop()
        self._sweep_child.stop()
        self._icon.stop()
        with (
            contextlib.suppress(Exception),
            contextlib.closing(database.connect(wait_seconds=0.1)) as db,
        ):
            presence.ended(db)
        self._box.quit()


def _make_box(app: App) -> Any:
    try:
        from tray.search_box.search_box import SearchBox  # noqa: PLC0415  there may be no Tk

        return SearchBox(app)
    except Exception as error:  # no Tk in this Python, or no display for it
        from tray.search_box.no_search_box import NoSearchBox  # noqa: PLC0415

        log.warning("No search box: %s", error)
        return NoSearchBox()


def _hotkey() -> str:
    try:
        return str(settings.read()["hotkey"])
    except ChatRecallError as error:  # the next round tells of it
        log.warning("%s", error)
        return str(settings.DEFAULTS["hotkey"])


def _exit_soon() -> None:
    """Whatever still hangs then: nobody who logs off waits for us."""
    time.sleep(_LAST_SECONDS)
    log.warning("Something did not end in time")
    os._exit(0)


def _say_nothing(_error: ChatRecallError) -> None:
    """The next round meets the same trouble and tells of it."""
