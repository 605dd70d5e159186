"""What SQLite says of a damaged file, in the words of its versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

import pytest

from core import database
from core.rescue import integrity


class Verdict(sqlite3.Connection):
    """A database whose quick check comes to a verdict of ours."""

    verdict = "ok"

    def execute(self, sql: str, parameters: Iterable[object] = (), /) -> sqlite3.Cursor:  # type: ignore[override]
        if sql == "PRAGMA quick_check":
            return super().execute("SELECT ?", (self.verdict,))
        return super().execute(sql, tuple(parameters))


@pytest.fixture
def db(claude_dir: object) -> Iterator[Verdict]:
    with closing(database.connect()) as made:
        file = made.execute("PRAGMA database_list").fetchone()[2]
    with closing(sqlite3.connect(file, factory=Verdict)) as connection:
        yield connection


@pytest.mark.parametrize(
    "verdict",
    [
        "malformed inverted index for FTS5 table main.sessions_fts",  # 3.44
        'fts5: checksum mismatch for table "sessions_fts"',  # 3.53
    ],
)
def test_a_damaged_search_index_is_not_taken_for_damaged_tables(db: Verdict, verdict: str) -> None:
    db.verdict = verdict
    assert integrity.damage(db) == ""


def test_damaged_tables_are_told_in_sqlites_words(db: Verdict) -> None:
    db.verdict = "Tree 5 page 9: btreeInitPage() returns error code 11"
    assert integrity.damage(db) == db.verdict
