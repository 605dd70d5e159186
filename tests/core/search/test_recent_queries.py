from __future__ import annotations

from typing import TYPE_CHECKING

from core.search import recent_queries

if TYPE_CHECKING:
    import sqlite3


def test_queries_are_remembered_the_newest_first(db: sqlite3.Connection) -> None:
    recent_queries.add(db, "login loop")
    recent_queries.add(db, "日本語 検索")
    assert recent_queries.read(db) == ["日本語 検索", "login loop"]


def test_a_query_that_is_asked_again_moves_to_the_front(db: sqlite3.Connection) -> None:
    for query in ("one", "two", "  ONE "):
        recent_queries.add(db, query)
    assert recent_queries.read(db) == ["ONE", "two"]


def test_only_the_last_ones_are_kept(db: sqlite3.Connection) -> None:
    for number in range(30):
        recent_queries.add(db, f"query {number}")
    kept = recent_queries.read(db)
    assert len(kept) == recent_queries.KEPT
    assert kept[0] == "query 29"


def test_an_empty_query_is_not_remembered(db: sqlite3.Connection) -> None:
    recent_queries.add(db, "  ")
    assert recent_queries.read(db) == []


def test_clearing_forgets_them_all(db: sqlite3.Connection) -> None:
    recent_queries.add(db, "secret plan")
    recent_queries.clear(db)
    assert recent_queries.read(db) == []
    assert not db.execute("SELECT 1 FROM state WHERE value LIKE '%secret%'").fetchone()
