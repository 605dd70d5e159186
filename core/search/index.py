"""The search index: one row a session with its summary and its whole conversation.

It holds nothing that the tables don't, so it can be rebuilt at any time. A session's `revision` is
raised whenever its row here is out of date; `indexed_revision` says what the row holds.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
import time
from typing import TYPE_CHECKING

from core import times
from core.database import FTS_TABLE, transaction
from core.search.dates import MONTHS, WEEKDAYS
from core.search.words import index_form

if TYPE_CHECKING:
    from collections.abc import Iterator

# Seconds. Others wait for the lock meanwhile, the hook among them; many short transactions make
# the index slower to build.
_LONGEST_TRANSACTION = 0.25

_PENDING = "indexed_revision <> revision"


def bring_up_to_date(db: sqlite3.Connection, *, seconds: float | None = None) -> int:
    """Index what has changed, the latest sessions first, for about `seconds`; None: until done.

    Returns how many sessions the index does not hold in their present state. With a time limit a
    database that is locked or can't be written is no error: then the index stays as it is.
    """
    if seconds is None:
        _index_pending(db, math.inf)
    elif pending(db):
        with contextlib.suppress(sqlite3.OperationalError), _waiting_at_most(db, seconds):
            _index_pending(db, time.monotonic() + seconds)
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
    except sqlite3.DatabaseError:  # FTS5 does not even know it for one of its tables
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


def _index_pending(db: sqlite3.Connection, end: float) -> None:
    """Index what is pending now, in short transactions, until the clock shows `end`."""
    rows = db.execute(f"SELECT id FROM sessions WHERE {_PENDING} ORDER BY last_activity_at DESC")
    ids = iter([row_id for (row_id,) in rows])
    while time.monotonic() < end:
        with transaction(db):
            rest = time.monotonic() + _LONGEST_TRANSACTION
            for row_id in ids:
                _index(db, row_id)
                if time.monotonic() > min(end, rest):
                    break
            else:
                return


def _index(db: sqlite3.Connection, row_id: int) -> None:
    """Index one session, unless another process has done so since."""
    row = db.execute(
        "SELECT session_id, title, summary, topics, decisions, search_terms, project_name, "
        f"coalesce(started_at, ''), revision FROM sessions WHERE id = ? AND {_PENDING}",
        (row_id,),
    ).fetchone()
    if row is None:
        return
    session_id, title, summary, topics, decisions, terms, project, started, revision = row
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
