"""Summarizing: one session because a person asks, all that are due, or the whole history.

Whatever stands in the way of a model's summary, a session that has none gets a local one meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core import lease, settings
from core.errors import ChatRecallError
from core.sessions import find_session
from core.summaries import batches, failures, history, summarizers
from core.summaries.due import due_sessions
from core.summaries.reasons import SummaryError
from core.summaries.rounds import Round, Work
from core.summaries.summarizer import LOCAL
from core.summaries.summarizers.api import ApiSummarizer
from core.summaries.write_summary import Done, has_paid_summary, write_summary

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from core.lease import Lease
    from core.summaries.due import Due

__all__ = ["Done", "Round", "summarize_all", "summarize_due", "summarize_session"]


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
        return _DueRound(db, now or datetime.now(UTC)).run(held, report)


def summarize_all(
    db: sqlite3.Connection, *, report: Callable[[int, int], None] | None = None
) -> Round:
    """Have a model summarize all that none has, because a person said yes to the price: no cap.

    Many go as a batch. Raises `ChatRecallError` where no model is set up, and `SummaryError` where
    a batch is not taken; another failure that concerns all ends it and is part of the result.
    """
    writer = summarizers.choose()
    if writer.written_by == LOCAL:
        raise ChatRecallError(
            "No model is set up", "Store an API key with `chatrecall key set`, or set `summarizer`."
        )
    with lease.hold(db, "round") as held:
        if held is None:
            return Round(busy=True)
        history.ends_at(db)  # whatever comes later is the timer's
        wanted = [session_id for session_id, _ in history.without_model(db)]
        if isinstance(writer, ApiSummarizer) and history.is_for_batch(writer, len(wanted)):
            return Round(batched=batches.hand_in(db, wanted, writer))
        work = Work(db, writer)
        for number, session_id in enumerate(wanted):
            if report:
                report(number, len(wanted))
            if work.problem or not held.renew() or not work.write(session_id, writer):
                work.waiting += 1
        return work.result()


class _DueRound:
    """A round of the timer: which session is for the model, which for the local summarizer."""

    def __init__(self, db: sqlite3.Connection, now: datetime) -> None:
        self._db = db
        self._now = now
        self._history_ends_at = history.ends_at(db)
        self._work = self._begin()
        self._wants_model = bool(self._work.problem) or self._work.writer.written_by != LOCAL
        self._in_batches: frozenset[str] = frozenset()

    def run(self, held: Lease, report: Callable[[int, int], None] | None) -> Round:
        work = self._work
        if isinstance(work.writer, ApiSummarizer):
            work.done += batches.collect(self._db, work.writer)
        self._in_batches = batches.sessions_in(self._db)
        due = due_sessions(
            self._db,
            self._now,
            settings.number("quiet_minutes"),
            local_since=self._history_ends_at if self._wants_model else None,
        )
        for number, session in enumerate(due):
            if report:
                report(number, len(due))
            if not held.renew():
                break  # this machine slept meanwhile, and another process has taken over
            self._summarize(session)
        return work.result()

    def _begin(self) -> Work:
        """The round's work with the summarizer that is set up, and with what stands in its way."""
        cap = settings.number("daily_cap_usd")
        try:
            writer = summarizers.choose()
        except SummaryError as failed:
            work = Work(self._db, summarizers.local_summarizer(), cap_usd=cap)
            work.problem = failed
            failures.record(self._db, work.problem_key, failed, now=self._now)
            return work
        work = Work(self._db, writer, cap_usd=cap)
        failures.forget_other_backends(self._db, work.problem_key)
        standing = failures.get(self._db, work.problem_key)
        if standing and not failures.may_try(standing, self._now):
            work.problem = standing.as_error()
        return work

    def _summarize(self, session: Due) -> None:
        work = self._work
        if self._is_for_model(session):
            if work.problem is None and work.write(session.session_id, work.writer):
                return
            work.waiting += 1
            if session.has_paid_summary:
                return  # it is better than a local one, though it lacks the last turns for now
        if session.has_new_turns:
            work.write(session.session_id, summarizers.local_summarizer())

    def _is_for_model(self, session: Due) -> bool:
        """Whether money may be spent on it without asking, now or later."""
        if not self._wants_model or not session.has_person:
            return False
        if session.session_id in self._in_batches:
            return False
        if session.last_activity_at < self._history_ends_at:
            return False
        return failures.may_try(failures.get(self._db, session.session_id), self._now)
