"""The rounds of the timer: each in a process of its own, with what it found told here."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from core import settings
from core.errors import ChatRecallError
from tray.log import log
from tray.notifications import notice
from tray.rounds.child import Child
from tray.rounds.outcome import Outcome
from tray.rounds.timer import Timer
from tray.trouble import in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tray.notifications.notice import Notice

_FIRST_ROUND_SECONDS = 20.0  # leaves the logon to others


class Rounds:
    """Runs rounds when they are due or asked for. Every method may be called from any thread.

    `changed` is called when the state is another, `look` each minute, `tell` with what a person
    should know.
    """

    def __init__(
        self,
        changed: Callable[[], None],
        look: Callable[[], None],
        tell: Callable[[Notice], None],
    ) -> None:
        self._changed = changed
        self._tell = tell
        self._child = Child()
        self._timer = Timer(self._round, look, _interval, first_seconds=_FIRST_ROUND_SECONDS)
        self._asked = threading.Event()
        self.working = False
        self.trouble: ChatRecallError | None = None
        """What stands in the way of summaries and needs the person."""

    def run(self) -> None:
        """Run rounds until `stop`."""
        self._timer.run()

    def now(self) -> None:
        """Run a round at once, silently if there is nothing to tell."""
        self._timer.work_now()

    def now_and_tell(self) -> None:
        """Run a round at once, and say so even if nothing was to be done."""
        self._asked.set()
        self._timer.work_now()

    def stop(self) -> None:
        """End now, in the middle of a round too."""
        self._timer.end()
        self._child.stop()

    def _round(self) -> None:
        self.working = True
        self._changed()
        try:
            outcome = Outcome.from_json(self._child.run("round", "--json"))
            self.trouble = outcome.problem
        except (ChatRecallError, OSError, ValueError, TypeError) as error:
            outcome = self._failed(error)
        finally:
            self.working = False
        if self._child.stopped:
            return
        self._changed()
        words = notice.of(outcome) or (notice.of_nothing(outcome) if self._asked.is_set() else None)
        self._asked.clear()
        if words:
            self._tell(words)

    def _failed(self, error: Exception) -> Outcome:
        """Note a round that came to nothing: it is told once, until one goes well again."""
        log.warning("The round failed: %s", error)
        trouble = in_words(error)
        is_new = self.trouble is None or self.trouble.title != trouble.title
        self.trouble = trouble
        return Outcome(
            problem_title=trouble.title, problem_advice=trouble.advice, problem_is_new=is_new
        )


def _interval() -> float:
    """Seconds between two rounds; an hour where the settings are damaged, which rounds tell of."""
    try:
        minutes = settings.read()["interval_minutes"]
    except ChatRecallError:
        minutes = settings.DEFAULTS["interval_minutes"]
    return 60 * float(str(minutes))
