"""Summarizing: one session because a person asks, or all that are due.

Whatever stands in the way of a model's summary, a session that has none gets a local one meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core import batches, failures, history, lease, settings, summarizers
from core.due import due_sessions
from core.errors import ChatRecallError
from core.failures import Reason, SummaryError
from core.sessions import find_session
from core.summarizers import LOCAL
from core.summarizers.api import ApiSummarizer
from core.write_summary import BusyError, Done, has_paid_summary, write_summary

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from core.due import Due
    from core.lease import Lease
    from core.summarizers import Summarizer

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


def summarize_session(db: sqlite3.Connection, session_id: str) -> Done:
    """Summarize one session now, because a person asks: no cap, no waiting after failures.

    `session_id` may be the beginning of one. Where the model fails, the session keeps its former
    summary or gets a local one, and the result tells the problem. Raises `ChatRecallError` where
    there is no such session or another process is just at it.
    """
    session = find_session(db, session_id)
    try:
        return write_summary(db, session.session_id, summarizers.choose())
    except SummaryError as failed:
        if has_paid_summary(db, session.session_id):
            return Done(session.session_id, session.summarized_by, is_new=False, problem=failed)
        done = write_summary(db, session.session_id, summarizers.local_summarizer())
        return replace(done, problem=failed)


def summarize_due(
    db: sqlite3.Connection,
    *,
    now: datetime | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Round:
    """Summarize all sessions that are due, within the daily cap.

    One round at a time on this database, whichever process began it. `report(done, total)` is
    called as it goes. Raises `ChatRecallError` for settings that can't be read; a summary that
    fails is part of the result.
    """
    with lease.hold(db, "round") as held:
        if held is None:
            return Round(busy=True)
        return _Round(db, now or datetime.now(UTC)).run(held, report)


def summarize_all(
    db: sqlite3.Connection, *, report: Callable[[int, int], None] | None = None
) -> Round:
    """Have a model summarize all that none has, because a person said yes to the price: no cap.

    Many go as a batch. Raises `ChatRecallError` where no model is set up, and `SummaryError` where
    a batch is not taken; otherwise the first failure that concerns all ends it and is part of the
    result.
    """
    writer = summarizers.choose()
    if writer.written_by == LOCAL:
        raise ChatRecallError(
            "No model is set up", "Store an API key with `chatrecall key set`, or set `summarizer`."
        )
    with lease.hold(db, "round") as held:
        if held is None:
            return Round(busy=True)
        history.ends_at(db)
        wanted = [session_id for session_id, _ in history.without_model(db)]
        if isinstance(writer, ApiSummarizer) and history.is_for_batch(writer, len(wanted)):
            return Round(batched=batches.hand_in(db, wanted, writer))
        return _one_by_one(db, wanted, writer, held, report)


def _one_by_one(
    db: sqlite3.Connection,
    wanted: Sequence[str],
    writer: Summarizer,
    held: Lease,
    report: Callable[[int, int], None] | None,
) -> Round:
    done: list[Done] = []
    problem: SummaryError | None = None
    for number, session_id in enumerate(wanted):
        if report:
            report(number, len(wanted))
        if not held.renew():
            break
        try:
            done.append(write_summary(db, session_id, writer))
        except BusyError:
            continue
        except SummaryError as failed:
            problem = failed
            if failed.concerns_all:
                break
    return Round(
        summarized=tuple(each.session_id for each in done if each.is_new),
        waiting=len(wanted) - len(done),
        cost_usd=sum(each.cost_usd for each in done),
        problem=problem,
        is_news=problem is not None,
    )


class _Round:
    """A round while it goes."""

    def __init__(self, db: sqlite3.Connection, now: datetime) -> None:
        self.db = db
        self.now = now
        self.cap_usd = settings.number("daily_cap_usd")
        self.history_ends_at = history.ends_at(db)
        self.done: list[Done] = []
        self.in_batches: frozenset[str] = frozenset()
        self.waiting = 0
        self.failed_in_a_row = 0
        self.problem: ChatRecallError | None = None
        self.problem_key = failures.key_of_backend("")
        self.writer = self._choose()
        self.wants_model = self.problem is not None or self.writer.written_by != LOCAL

    def run(self, held: Lease, report: Callable[[int, int], None] | None) -> Round:
        if isinstance(self.writer, ApiSummarizer):
            self.done += batches.collect(self.db, self.writer)
        self.in_batches = batches.sessions_in(self.db)
        due = due_sessions(self.db, self.now, settings.number("quiet_minutes"))
        for number, session in enumerate(due):
            if report:
                report(number, len(due))
            if not held.renew():
                break  # this machine slept meanwhile, and another process has taken over
            self._summarize(session)
        return Round(
            summarized=tuple(done.session_id for done in self.done if done.is_new),
            waiting=self.waiting,
            cost_usd=sum(done.cost_usd for done in self.done),
            problem=self.problem,
            is_news=self.problem is not None and failures.tell_once(self.db, self.problem_key),
        )

    def _choose(self) -> Summarizer:
        try:
            writer = summarizers.choose()
        except SummaryError as failed:
            failures.record(self.db, self.problem_key, failed, now=self.now)
            self.problem = failed
            return summarizers.local_summarizer()
        self.problem_key = failures.key_of_backend(writer.account)
        failures.forget_other_backends(self.db, self.problem_key)
        standing = failures.get(self.db, self.problem_key)
        if standing and not failures.may_try(standing, self.now):
            self.problem = standing.as_error()
        return writer

    def _summarize(self, session: Due) -> None:
        if self._is_for_model(session):
            if self.problem is None and self._write(session, self.writer):
                return
            self.waiting += 1
            if session.has_paid_summary:
                return  # it is better than a local one, though it lacks the last turns for now
        if session.has_new_turns:
            self._write(session, summarizers.local_summarizer())

    def _is_for_model(self, session: Due) -> bool:
        """Whether money may be spent on it without asking, now or later."""
        if not self.wants_model or not session.has_person or session.session_id in self.in_batches:
            return False
        if session.last_activity_at < self.history_ends_at:
            return False
        return failures.may_try(failures.get(self.db, session.session_id), self.now)

    def _write(self, session: Due, writer: Summarizer) -> bool:
        """Whether the session is done with."""
        try:
            done = write_summary(self.db, session.session_id, writer, cap_usd=self.cap_usd)
        except BusyError:
            return True
        except SummaryError as failed:
            self._note(failed)
            return False
        if done.written_by == self.writer.written_by:
            self.failed_in_a_row = 0
        self.done.append(done)
        return True

    def _note(self, failed: SummaryError) -> None:
        """A failure that concerns all ends the paid part of the round; so do several others."""
        self.failed_in_a_row += not failed.concerns_all
        if self.failed_in_a_row >= _MOST_FAILURES:
            failed = SummaryError(Reason.SEVERAL, failed.title)
            failures.record(self.db, self.problem_key, failed)
        if failed.concerns_all:
            self.problem = failed
