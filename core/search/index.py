"""The search index: one row a session with its summary and its whole conversation.

It holds nothing that the tables don't, so it can be rebuilt at any time. A session's `revision` is
raised whenever its row here is out of date; `indexed_revision` says what the row holds.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from typing import TYPE_CHECKING

from core import times
from core.database import FTS_TABLE, transaction
from core.search.dates import MONTHS, WEEKDAYS
from core.search.words import index_form

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# The hook waits for no lock longer than it must, so each transaction is short.
_SESSIONS_AT_ONCE = 20

_PENDING = "indexed_revision <> revision"


def bring_up_to_date(db: sqlite3.Connection, *, seconds: float | None = None) -> int:
    """Index what has changed, the latest sessions first, for about `seconds`; None: until done.

    Returns how many sessions the index does not hold in their present state. With a time limit a
    database that is locked or can't be written is no error: then the index stays as it is.
    """
    if seconds is None:
        while pending(db):
            _index_some(db, None)
    elif pending(db):
        end = time.monotonic() + seconds
        with contextlib.suppress(sqlite3.OperationalError), _waiting_at_most(db, seconds):
            while pending(db) and time.monotonic() < end:
                _index_some(db, end)
    return pending(db)


def pending(db: sqlite3.Connection) -> int:
    """How many sessions have changed since they were indexed."""
    return int(db.execute(f"SELECT count(*) FROM sessions WHERE {_PENDING}").fetchone()[0])


def rebuild(db: sqlite3.Connection) -> int:
    """Make the index anew from the tables; returns how many sessions it holds."""
    with transaction(db):
        _drop(db)
        db.execute(FTS_TABLE)
        db.execute("UPDATE sessions SET indexed_revision = -1")
    bring_up_to_date(db)
    optimize(db)
    return size(db)


def optimize(db: sqlite3.Connection) -> None:
    """Merge the index into one piece: searching is faster, and deleted words are gone for good."""
    with transaction(db):
        db.execute("INSERT INTO sessions_fts (sessions_fts) VALUES ('optimize')")


def size(db: sqlite3.Connection) -> int:
    """How many sessions the index holds."""
    # FTS5's own table with one small row a session; counting sessions_fts itself would read all.
    return int(db.execute("SELECT count(*) FROM sessions_fts_docsize").fetchone()[0])


def usual_length(db: sqlite3.Connection) -> int:
    """The characters of a middling conversation: half of all that are indexed are shorter."""
    row = db.execute(
        "SELECT indexed_characters FROM sessions ORDER BY indexed_characters LIMIT 1 OFFSET ?",
        (size(db) // 2,),
    ).fetchone()
    return int(row[0]) if row else 0


def _drop(db: sqlite3.Connection) -> None:
    try:
        db.execute("DROP TABLE IF EXISTS sessions_fts")
    except (
        sqlite3.DatabaseError
    ):  # so damaged that FTS5 does not even know it for a table of its own
        for part in ("data", "idx", "content", "docsize", "config"):
            db.execute(f"DROP TABLE IF EXISTS sessions_fts_{part}")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DELETE FROM sqlite_master WHERE name = 'sessions_fts'")
        db.execute("PRAGMA writable_schema = RESET")


@contextlib.contextmanager
def _waiting_at_most(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Wait for other processes' locks no longer than this."""
    usual = db.execute("PRAGMA busy_timeout").fetchone()[0]
    db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        db.execute(f"PRAGMA busy_timeout = {usual}")


def _index_some(db: sqlite3.Connection, end: float | None) -> None:
    with transaction(db):
        rows = db.execute(
            "SELECT id, session_id, title, summary, topics, decisions, search_terms, project_name, "
            f"coalesce(started_at, ''), revision FROM sessions WHERE {_PENDING} "
            "ORDER BY last_activity_at DESC LIMIT ?",
            (_SESSIONS_AT_ONCE,),
        ).fetchall()
        for row in rows:
            _index(db, row)
            if end is not None and time.monotonic() > end:
                break


def _index(db: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    row_id, session_id, title, summary, topics, decisions, terms, project, started, revision = row
    said = db.execute("SELECT text FROM exchanges WHERE session_id = ? ORDER BY seq", (session_id,))
    columns = (
        session_id,
        title,
        summary,
        "\n".join(json.loads(topics)),
        "\n".join(json.loads(decisions)),
        "\n".join(json.loads(terms)),
        project,
        _day(started),
        "\n".join(text for (text,) in said),
    )
    db.execute("DELETE FROM sessions_fts WHERE rowid = ?", (row_id,))
    db.execute(
        "INSERT INTO sessions_fts (rowid, session_id, title, summary, topics, decisions, "
        "search_terms, project_name, day, conversation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row_id, *map(index_form, columns)),
    )
    db.execute(
        "UPDATE sessions SET indexed_revision = ?, indexed_characters = ? WHERE id = ?",
        (revision, len(columns[-1]), row_id),
    )


def _day(at: str) -> str:
    """A local date in the words that somebody remembers it by, e.g. `30 November 2026 Monday`."""
    moment = times.parse(at)
    if moment is None:
        return ""
    month, weekday = MONTHS[moment.month - 1], WEEKDAYS[moment.weekday()]
    return f"{moment.day} {month} {moment.year} {weekday}"
