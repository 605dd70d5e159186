"""The ledger: every call that may cost money, before it is made and after.

A call is entered with its estimate first and settled with its true price afterwards. A process that
is killed in the middle leaves the estimate standing, so that the daily cap holds whatever happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from core import times

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True)
class Usage:
    """What one call used. Dollars as the price table has them, or as the client reported."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


NO_USAGE = Usage()

OK = "ok"
STARTED = "started"
IN_BATCH = "in a batch"
"""Outcomes; the others are reasons of failures (`core.summaries.failures.Reason`)."""


@dataclass(frozen=True)
class Line:
    """What one summarizer took in one month, local time."""

    month: str
    written_by: str
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


def begin(
    db: sqlite3.Connection,
    session_id: str,
    written_by: str,
    expected: Usage,
    *,
    outcome: str = STARTED,
) -> int:
    """Enter a call that is about to be made, at its expected price; returns its number."""
    backend, _, model = written_by.partition(":")
    row = db.execute(
        "INSERT INTO calls (at, session_id, backend, model, input_tokens, output_tokens, cost_usd, "
        "outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            times.now(),
            session_id,
            backend,
            model,
            expected.input_tokens,
            expected.output_tokens,
            expected.cost_usd,
            outcome,
        ),
    )
    assert row.lastrowid is not None
    return row.lastrowid


def settle(db: sqlite3.Connection, call: int, outcome: str, usage: Usage | None) -> None:
    """Write down how a call ended.

    `usage` None means that nobody knows what was billed (the connection broke): the estimate stays.
    """
    db.execute("UPDATE calls SET outcome = ? WHERE id = ?", (outcome, call))
    if usage:
        db.execute(
            "UPDATE calls SET input_tokens = ?, output_tokens = ?, cost_usd = ? WHERE id = ?",
            (usage.input_tokens, usage.output_tokens, usage.cost_usd, call),
        )


def outcome(db: sqlite3.Connection, call: int) -> str:
    """How a call ended, as it was begun or settled; empty for an unknown one."""
    row = db.execute("SELECT outcome FROM calls WHERE id = ?", (call,)).fetchone()
    return row[0] if row else ""


def spent_today(db: sqlite3.Connection, *, now: datetime | None = None) -> float:
    """Dollars spent since midnight, local time."""
    return _spent_since(db, midnight(now))


def spent_this_month(db: sqlite3.Connection, *, now: datetime | None = None) -> float:
    """Dollars spent since the first of the month, local time."""
    return _spent_since(db, midnight(now).replace(day=1))


def by_month(db: sqlite3.Connection) -> list[Line]:
    """The whole ledger, the latest month first."""
    rows = db.execute(
        "SELECT strftime('%Y-%m', at, 'localtime') AS month, backend || ':' || model AS writer,"
        " count(*), sum(outcome NOT IN (?, ?)), sum(input_tokens), sum(output_tokens),"
        " total(cost_usd) FROM calls GROUP BY month, writer ORDER BY month DESC, writer",
        (OK, IN_BATCH),
    )
    return [Line(*row) for row in rows]


def _spent_since(db: sqlite3.Connection, moment: datetime) -> float:
    # `astimezone` again: the offset may have changed since, by daylight saving time.
    since = times.stored(moment.replace(tzinfo=None).astimezone())
    row = db.execute("SELECT total(cost_usd) FROM calls WHERE at >= ?", (since,)).fetchone()
    return float(row[0])


def midnight(now: datetime | None = None) -> datetime:
    """When the person's own day began."""
    local = (now or datetime.now()).astimezone()
    return local.replace(hour=0, minute=0, second=0, microsecond=0)
