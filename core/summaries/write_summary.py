"""Writing one session's summary: condense, ask, check, and store it with what it cost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import database, lease, times
from core.errors import ChatRecallError
from core.sessions import exchanges_of
from core.summaries import failures, ledger, prices, prompt, summarizers
from core.summaries.condense import Former, condense
from core.summaries.due import PROVISIONAL, has_content
from core.summaries.money import dollars
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizer import LOCAL

if TYPE_CHECKING:
    import sqlite3

    from core.summaries.condense import Condensed
    from core.summaries.ledger import Usage
    from core.summaries.summarizer import Summarizer, Summary


@dataclass(frozen=True)
class Done:
    """One session whose summary is up to date now."""

    session_id: str
    written_by: str
    cost_usd: float = 0.0
    is_new: bool = True
    """False where there was nothing new to summarize."""
    problem: SummaryError | None = None
    """Why it is not the summarizer that was asked for."""


class BusyError(ChatRecallError):
    """Another process is at this session right now."""

    def __init__(self) -> None:
        super().__init__("This session is just being summarized", "Try again in a minute.")


def write_summary(
    db: sqlite3.Connection, session_id: str, writer: Summarizer, *, cap_usd: float | None = None
) -> Done:
    """Summarize a session with `writer`, unless that would bring today's cost above `cap_usd`.

    Greetings cost no call. Raises `SummaryError`, after the failure was recorded, and
    `BusyError`.
    """
    with lease.hold(db, f"session:{session_id}") as held:
        if held is None:
            raise BusyError
        task = plan(db, session_id, writer)
        if task is None:
            return Done(session_id, _written_by(db, session_id), is_new=False)
        if task.writer.written_by == LOCAL:
            return finish(db, task, task.writer.summarize(task.conversation))
        return _pay(db, task, cap_usd)


@dataclass(frozen=True)
class Task:
    """What is to be summarized, by whom, and how far it reaches."""

    session_id: str
    writer: Summarizer
    conversation: Condensed
    to_seq: int

    def expected(self) -> Usage:
        """What it will cost, rather too much than too little."""
        return self.writer.expected(prices.tokens_in(prompt.render(self.conversation)))


def plan(db: sqlite3.Connection, session_id: str, writer: Summarizer) -> Task | None:
    """The work that a session is for `writer`, or for nobody but the local summarizer.

    None where the summary says all already, and where the session was forgotten meanwhile.
    """
    row = db.execute(
        "SELECT project_name, summarized_by, summarized_to_seq, summary, topics, decisions"
        " FROM sessions WHERE session_id = ?",
        (session_id,),
    ).fetchone()
    if row is None:
        return None
    name, written_by, covered, summary, topics, decisions = row
    said = exchanges_of(db, session_id)
    to_seq = max((turn.seq for turn in said if turn.kind != PROVISIONAL), default=0)
    is_paid = written_by not in ("", LOCAL)
    if not has_content(said):
        writer = summarizers.local_summarizer()
    if to_seq <= covered and (is_paid or writer.written_by == LOCAL):
        return None
    former = None
    if is_paid:
        said = [turn for turn in said if turn.seq > covered]
        former = Former(summary, tuple(json.loads(topics)), tuple(json.loads(decisions)))
        if not has_content(said):
            _cover(db, session_id, to_seq)
            return None
    conversation = condense(
        said, writer.input_budget, session_id=session_id, project_name=name, former=former
    )
    return Task(session_id, writer, conversation, to_seq)


def _pay(db: sqlite3.Connection, task: Task, cap_usd: float | None) -> Done:
    """Ask a model, with the call in the ledger before and after."""
    expected = task.expected()
    call = None
    with database.transaction(db):  # or two processes could spend the same rest of the cap
        if cap_usd is None or ledger.spent_today(db) + expected.cost_usd <= cap_usd:
            call = ledger.begin(db, task.session_id, task.writer.written_by, expected)
    if call is None:
        failed = SummaryError(Reason.DAILY_CAP, f"{dollars(cap_usd or 0)} a day")
        failures.record(db, failures.key_of(failed, task.session_id, task.writer.account), failed)
        raise failed
    try:
        summary = task.writer.summarize(task.conversation)
    except SummaryError as failed:
        fail(db, task, failed, call)
        raise
    return finish(db, task, summary, call)


def finish(db: sqlite3.Connection, task: Task, summary: Summary, call: int | None = None) -> Done:
    """Store a summary, settle its call and forget earlier failures, all or nothing."""
    with database.transaction(db):
        _store(db, task, summary)
        if call is not None:
            ledger.settle(db, call, ledger.OK, summary.usage)
            failures.clear(db, task.session_id)
            failures.clear(db, failures.key_of_backend(task.writer.account))
    return Done(task.session_id, task.writer.written_by, summary.usage.cost_usd)


def fail(db: sqlite3.Connection, task: Task, failed: SummaryError, call: int) -> None:
    """Settle a call that brought no summary and record why, all or nothing."""
    with database.transaction(db):
        ledger.settle(db, call, failed.reason, failed.usage)
        failures.record(db, failures.key_of(failed, task.session_id, task.writer.account), failed)


def _store(db: sqlite3.Connection, task: Task, summary: Summary) -> None:
    db.execute(
        "UPDATE sessions SET summary = ?, topics = ?, decisions = ?, search_terms = ?,"
        " project_name = coalesce(nullif(project_name, ''), ?), summarized_by = ?,"
        " summarized_at = ?, summarized_to_seq = ?, summary_cost_usd = summary_cost_usd + ?,"
        " revision = revision + 1 WHERE session_id = ?",
        (
            summary.summary,
            *(_json(texts) for texts in (summary.topics, summary.decisions, summary.search_terms)),
            summary.project_name,
            task.writer.written_by,
            times.now(),
            task.to_seq,
            summary.usage.cost_usd,
            task.session_id,
        ),
    )


def _cover(db: sqlite3.Connection, session_id: str, to_seq: int) -> None:
    """Let the summary cover turns that add nothing to it, such as a thank-you."""
    db.execute(
        "UPDATE sessions SET summarized_to_seq = ? WHERE session_id = ?", (to_seq, session_id)
    )


def has_paid_summary(db: sqlite3.Connection, session_id: str) -> bool:
    """Whether a model wrote the session's summary."""
    return _written_by(db, session_id) not in ("", LOCAL)


def _written_by(db: sqlite3.Connection, session_id: str) -> str:
    query = "SELECT summarized_by FROM sessions WHERE session_id = ?"
    row = db.execute(query, (session_id,)).fetchone()
    return str(row[0]) if row else ""


def _json(texts: tuple[str, ...]) -> str:
    return json.dumps(texts, ensure_ascii=False)
