"""What a round of summaries has done so far, and whether it may go on asking the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.summaries import failures
from core.summaries.reasons import Reason, SummaryError
from core.summaries.write_summary import BusyError, Done, write_summary

if TYPE_CHECKING:
    import sqlite3

    from core.errors import ChatRecallError
    from core.summaries.summarizer import Summarizer

_MOST_FAILURES = 3
"""Sessions in a row. So many failing means that something is wrong with all of them."""


@dataclass(frozen=True)
class Round:
    """What a round did."""

    summarized: tuple[str, ...] = ()
    """Ids of the sessions with a new summary, the latest active first."""
    waiting: int = 0
    """Sessions that a model would summarize but for the problem."""
    cost_usd: float = 0.0
    problem: ChatRecallError | None = None
    is_news: bool = False
    """Whether this problem has not been told before."""
    batched: int = 0
    """Sessions that were handed in as a batch; their summaries come with a later round."""
    busy: bool = False
    """Another process is at it; nothing was done."""


class Work:
    """A round while it goes: what is done, what waits, and the problem that ended the paid part."""

    def __init__(
        self, db: sqlite3.Connection, writer: Summarizer, *, cap_usd: float | None = None
    ) -> None:
        self.writer = writer
        self.done: list[Done] = []
        self.waiting = 0
        self.problem: SummaryError | None = None
        self.problem_key = failures.key_of_backend(writer.account)
        self._db = db
        self._cap_usd = cap_usd
        self._failed_in_a_row = 0

    def write(self, session_id: str, writer: Summarizer) -> bool:
        """Summarize a session; False where it failed, which is noted then."""
        try:
            done = write_summary(self._db, session_id, writer, cap_usd=self._cap_usd)
        except BusyError:
            return True  # whoever is at it does it
        except SummaryError as failed:
            self._note(failed)
            return False
        if done.written_by == self.writer.written_by:
            self._failed_in_a_row = 0
        self.done.append(done)
        return True

    def result(self) -> Round:
        """What was done; the problem counts as told from now on."""
        return Round(
            summarized=tuple(done.session_id for done in self.done if done.is_new),
            waiting=self.waiting,
            cost_usd=sum(done.cost_usd for done in self.done),
            problem=self.problem,
            is_news=self.problem is not None and failures.tell_once(self._db, self.problem_key),
        )

    def _note(self, failed: SummaryError) -> None:
        """A failure that concerns all ends the paid part of the round; so do several others."""
        self._failed_in_a_row += not failed.concerns_all
        if self._failed_in_a_row >= _MOST_FAILURES:
            failed = SummaryError(Reason.SEVERAL, failed.title)
            failures.record(self._db, self.problem_key, failed)
        if failed.concerns_all:
            self.problem = failed
