from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from core import times
from core.summaries import ledger
from core.summaries.ledger import Usage

if TYPE_CHECKING:
    import sqlite3

CENT = Usage(1_000, 100, 0.01)


def spend(db: sqlite3.Connection, local_time: str) -> None:
    call = ledger.begin(db, "s1", "api:claude-haiku-5-5", CENT)
    at = times.stored(datetime.fromisoformat(local_time).astimezone())
    db.execute("UPDATE calls SET at = ? WHERE id = ?", (at, call))
    ledger.settle(db, call, ledger.OK, CENT)


def test_a_call_counts_at_its_estimate_until_it_is_settled(db: sqlite3.Connection) -> None:
    call = ledger.begin(db, "s1", "api:m", CENT)
    assert ledger.spent_today(db) == pytest.approx(0.01)

    ledger.settle(db, call, ledger.OK, Usage(10, 1, 0.001))

    assert ledger.spent_today(db) == pytest.approx(0.001)


def test_where_nobody_knows_what_was_billed_the_estimate_stays(db: sqlite3.Connection) -> None:
    call = ledger.begin(db, "s1", "api:m", CENT)

    ledger.settle(db, call, "offline", None)

    assert ledger.spent_today(db) == pytest.approx(0.01)
    assert ledger.outcome(db, call) == "offline"


def test_a_day_is_the_person_s_own_day(db: sqlite3.Connection) -> None:
    noon = datetime.fromisoformat("2026-11-30T12:00").astimezone()
    spend(db, "2026-11-29T23:59")
    spend(db, "2026-11-30T00:01")
    spend(db, "2026-11-30T23:59")

    assert ledger.spent_today(db, now=noon) == pytest.approx(0.02)


def test_a_month_is_the_person_s_own_month(db: sqlite3.Connection) -> None:
    spend(db, "2026-10-31T23:59")
    spend(db, "2026-11-01T00:01")

    now = datetime.fromisoformat("2026-11-30T12:00").astimezone()
    assert ledger.spent_this_month(db, now=now) == pytest.approx(0.01)


def test_a_month_that_begins_in_summer_time_is_whole(db: sqlite3.Connection) -> None:
    """Newfoundland's clocks go back on 1 November 2026."""
    spend(db, "2026-11-01T00:30")

    now = datetime.fromisoformat("2026-11-30T12:00").astimezone()
    assert ledger.spent_this_month(db, now=now) == pytest.approx(0.01)


def test_months_are_told_by_summarizer(db: sqlite3.Connection) -> None:
    spend(db, "2026-10-31T23:59")
    spend(db, "2026-11-01T00:01")
    spend(db, "2026-11-02T00:01")
    call = ledger.begin(db, "s1", "claude:claude-haiku-5-5", CENT)
    db.execute("UPDATE calls SET at = '2026-11-15T12:00:00.000Z' WHERE id = ?", (call,))
    ledger.settle(db, call, "refused by the model", CENT)

    told = [(line.month, line.written_by, line.calls, line.failed) for line in ledger.by_month(db)]
    assert told == [
        ("2026-11", "api:claude-haiku-5-5", 2, 0),
        ("2026-11", "claude:claude-haiku-5-5", 1, 1),
        ("2026-10", "api:claude-haiku-5-5", 1, 0),
    ]
