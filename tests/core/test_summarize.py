from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core import lease, times
from core.sessions import find_session
from core.summarize import summarize_due, summarize_session
from tests.support.conversations import LOGIN_BUG, say

if TYPE_CHECKING:
    import sqlite3


def test_a_session_without_a_key_gets_a_local_summary(db: sqlite3.Connection) -> None:
    say(db, "s1")

    done = summarize_due(db)

    session = find_session(db, "s1")
    assert done.summarized == ("s1",)
    assert session.summarized_by == "local"
    assert "auth_test.py" in session.summary
    assert "pytest-xdist" in session.topics
    assert any("instead of locking" in decision for decision in session.decisions)


def test_a_summarized_session_is_not_due_again(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)

    assert summarize_due(db).summarized == ()


def test_a_session_that_went_on_is_due_again(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)
    say(db, "s1", [("user", "Now fix the typo in README.md"), ("assistant", "Fixed the typo.")])

    assert summarize_due(db).summarized == ("s1",)
    assert "Fixed the typo." in find_session(db, "s1").summary


def test_a_session_that_is_being_written_is_left_alone(db: sqlite3.Connection) -> None:
    say(db, "s1", at=datetime.now(UTC) - timedelta(minutes=9))

    assert summarize_due(db).summarized == ()


def test_a_person_may_have_a_session_summarized_while_it_is_written(
    db: sqlite3.Connection,
) -> None:
    say(db, "s1", at=datetime.now(UTC))

    assert summarize_session(db, "s1").written_by == "local"


def test_a_round_leaves_quietly_when_another_is_at_work(db: sqlite3.Connection) -> None:
    say(db, "s1")
    with lease.hold(db, "round"):
        done = summarize_due(db)

    assert done.busy
    assert done.summarized == ()


def test_a_turn_whose_line_has_not_come_does_not_make_a_session_due(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)
    db.execute(
        "INSERT INTO exchanges (session_id, seq, role, kind, text, at) "
        "VALUES ('s1', 99, 'assistant', 'provisional', 'More', ?)",
        (times.now(),),
    )

    assert summarize_due(db).summarized == ()


def test_the_index_learns_of_a_summary(db: sqlite3.Connection) -> None:
    say(db, "s1", LOGIN_BUG)
    before = db.execute("SELECT revision FROM sessions").fetchone()[0]

    summarize_due(db)

    assert db.execute("SELECT revision FROM sessions").fetchone()[0] == before + 1
