"""Whether the database is whole."""

from __future__ import annotations

import sqlite3

TABLES = (
    "sessions", "exchanges", "lines", "transcripts", "calls", "failures", "leases", "forgotten",
    "state",
)  # fmt: skip
"""All tables but the search index, which can be made anew."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises: even SQLite's own words can hold bytes from it."""

_ENVIRONMENT = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    }
)
"""Errors that say nothing about the file: another process, the disk, rights."""


def damage(db: sqlite3.Connection) -> str:
    """What is wrong with the tables, in SQLite's words; empty where all can be read.

    All of it is read, half a second for 100 MB: a page that was overwritten shows only then.
    Raises `sqlite3.DatabaseError` where that could not be found out.
    """
    try:
        verdicts = [str(row[0]) for row in db.execute("PRAGMA quick_check")]
        wrong = [verdict for verdict in verdicts if verdict != "ok" and not _of_index(verdict)]
        if wrong:
            return wrong[0]
        for table in TABLES:
            for _row in db.execute(f"SELECT * FROM {table}"):
                pass
    except UNREADABLE as error:
        if not may_be_damage(error):
            raise
        return str(error)
    return ""


def index_damage(db: sqlite3.Connection) -> str:
    """What is wrong with the search index; empty where it is whole. Raises as `damage` does."""
    try:
        db.execute("INSERT INTO sessions_fts (sessions_fts) VALUES ('integrity-check')")
    except UNREADABLE as error:
        if not may_be_damage(error):
            raise
        return str(error)
    return ""


def _of_index(verdict: str) -> bool:
    """Whether a verdict is about the search index, which SQLite looks at as well from 3.44 on.

    3.44 says "malformed inverted index for FTS5 table …", 3.53 "fts5: checksum mismatch for …".
    """
    return "fts5" in verdict.lower()


def may_be_damage(error: Exception) -> bool:
    """Whether an error can come from a damaged file; a mistake in a query looks the same."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF not in _ENVIRONMENT
