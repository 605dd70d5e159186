"""Keeping the search index in step with the tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import count
from types import SimpleNamespace

import pytest

from core import database, paths
from core.search import index
from tests.support.conversations import say


def indexed(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT session_id FROM sessions_fts ORDER BY rowid")
    return [session_id for (session_id,) in rows]


def holds(db: sqlite3.Connection, word: str) -> bool:
    return bool(
        db.execute("SELECT 1 FROM sessions_fts WHERE sessions_fts MATCH ?", (word,)).fetchone()
    )


def test_new_sessions_are_indexed(db: sqlite3.Connection) -> None:
    say(db, "one")
    say(db, "two")

    assert index.pending(db) == 2
    assert index.bring_up_to_date(db) == 0
    assert sorted(indexed(db)) == ["one", "two"]
    assert index.size(db) == 2


def test_a_grown_session_keeps_its_one_row(db: sqlite3.Connection) -> None:
    say(db, "one", [("user", "first about walnuts")])
    index.bring_up_to_date(db)

    say(db, "one", [("assistant", "then about hazels")])
    index.bring_up_to_date(db)

    assert indexed(db) == ["one"]
    assert holds(db, "walnuts")
    assert holds(db, "hazels")


def test_what_a_session_holds_no_longer_is_not_found(db: sqlite3.Connection) -> None:
    say(db, "one", [("user", "about walnuts")])
    index.bring_up_to_date(db)

    db.execute("UPDATE exchanges SET text = 'about hazels'")
    db.execute("UPDATE sessions SET revision = revision + 1")
    index.bring_up_to_date(db)

    assert not holds(db, "walnuts")


@pytest.mark.parametrize(
    ("column", "value", "word"),
    [
        ("title", "Walnut cake", "walnut"),
        ("summary", "A walnut was cracked.", "walnut"),
        ("topics", '["walnut cake"]', "walnut"),
        ("decisions", '["Use a walnut"]', "walnut"),
        ("search_terms", '["walnut"]', "walnut"),
        ("project_name", "walnut-shop", "walnut"),
        ("summary", "全部核桃", "核桃"),
        ("started_at", "2026-11-05T12:00:00.000Z", "thursday"),
    ],
)
def test_all_that_is_known_of_a_session_is_indexed(
    db: sqlite3.Connection, column: str, value: str, word: str
) -> None:
    say(db, "one", [("user", "nothing")])
    db.execute(f"UPDATE sessions SET {column} = ?", (value,))
    index.bring_up_to_date(db)

    assert holds(db, word)


def test_without_time_nothing_is_indexed_and_the_rest_is_counted(db: sqlite3.Connection) -> None:
    say(db, "one")

    assert index.bring_up_to_date(db, seconds=-1) == 1


def test_the_latest_sessions_come_first(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        say(db, f"{number:02}")
        db.execute(
            "UPDATE sessions SET last_activity_at = ? WHERE session_id = ?",
            (f"2026-11-{number + 1:02}", f"{number:02}"),
        )
    clock = count()
    monkeypatch.setattr(index, "time", SimpleNamespace(monotonic=lambda: next(clock)))

    assert index.bring_up_to_date(db, seconds=5) == 30 - index.size(db)
    assert 0 < index.size(db) < 30
    assert min(indexed(db)) == f"{30 - index.size(db):02}"


def test_a_search_does_not_wait_for_a_locked_database(db: sqlite3.Connection) -> None:
    say(db, "one")
    with closing(sqlite3.connect(paths.database_file(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        assert index.bring_up_to_date(db, seconds=0.01) == 1
        assert db.execute("PRAGMA busy_timeout").fetchone()[0] >= 1000
        other.execute("ROLLBACK")
    assert index.bring_up_to_date(db, seconds=10) == 0


def test_without_a_limit_a_locked_database_is_told(db: sqlite3.Connection) -> None:
    say(db, "one")
    db.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(paths.database_file(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(sqlite3.OperationalError, match="locked"):
            index.bring_up_to_date(db)


def test_two_connections_index_a_session_once(db: sqlite3.Connection) -> None:
    say(db, "one")
    with closing(database.connect()) as other:
        index.bring_up_to_date(other)
        index.bring_up_to_date(db)

    assert indexed(db) == ["one"]


def test_a_damaged_index_is_rebuilt(db: sqlite3.Connection) -> None:
    say(db, "one", [("user", "about walnuts")])
    index.bring_up_to_date(db)
    db.execute("DELETE FROM sessions_fts_data")
    with pytest.raises(sqlite3.DatabaseError):
        holds(db, "walnuts")

    assert index.rebuild(db) == 1
    assert holds(db, "walnuts")


def test_the_usual_length_is_that_of_a_middling_session(db: sqlite3.Connection) -> None:
    assert index.usual_length(db) == 0
    for number, length in enumerate((10, 20, 5000)):
        say(db, str(number), [("user", "x" * length)])
    index.bring_up_to_date(db)

    assert index.usual_length(db) == 20
