"""Bringing rows from another database file into this one: from a backup, or from a damaged file.

What is there already stays, but for a summary that is older. The search index is made anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import database, paths
from core.errors import ChatRecallError
from core.rescue import integrity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    Row = tuple[Any, ...]

_FOR_THE_INDEX = {"id", "indexed_revision", "indexed_characters"}
"""Columns of `sessions` that belong to the index of their own file."""

_SUMMARY = (
    "title", "title_is_custom", "subagents", "summary", "topics", "decisions", "search_terms",
    "summarized_by", "summarized_at", "summarized_to_seq", "summary_cost_usd",
)  # fmt: skip

UNUSABLE = (*integrity.UNREADABLE, ChatRecallError)
"""What `merge_backup` raises where a backup is damaged, or a newer ChatRecall's."""

_LISTS = ("topics", "decisions", "search_terms")

_WINDOW = 200
"""So many row ids are read at once from a damaged table."""
_HOPELESS = 25
"""So many windows in a row that can't be read are taken for the rest of the table."""


def merge_backup(
    db: sqlite3.Connection, file: str, session_ids: Collection[str] | None = None
) -> None:
    """Bring all of a backup, or (with `session_ids`) what it holds of these sessions.

    Raises `sqlite3.DatabaseError` where the backup is damaged, and `ChatRecallError` where a newer
    ChatRecall wrote it; nothing is brought then.
    """
    with _working_copy(file) as copy, contextlib.closing(database.connect(copy)) as backup:
        wrong = integrity.damage(backup)
        if wrong:
            raise sqlite3.DatabaseError(wrong)
        with database.transaction(db):
            for table in integrity.TABLES:
                if table == "leases" or (session_ids is not None and not _is_by_session(table)):
                    continue
                columns = _columns(db, backup, table)
                rows = backup.execute(f"SELECT {', '.join(columns)} FROM {table}")
                _insert(db, table, columns, _only(rows, columns, session_ids))


def merge_rules(db: sqlite3.Connection, file: str) -> None:
    """Bring from a damaged file what says that something is not to be remembered."""
    with _damaged(file) as damaged, database.transaction(db):
        for table in ("forgotten", "state"):
            _merge_readable(db, damaged, table)


def merge_remains(db: sqlite3.Connection, file: str) -> None:
    """Bring from a damaged file what is still readable and nowhere else to be had.

    Rows that came from a backup or a transcript are the better ones: bytes that were overwritten
    within a text can't be told from words.
    """
    with _damaged(file) as damaged, database.transaction(db):
        for table in ("sessions", "exchanges", "calls"):
            _merge_readable(db, damaged, table)
        db.execute(
            "INSERT OR IGNORE INTO lines (key, session_id, seq)"
            " SELECT uuid, session_id, seq FROM exchanges WHERE uuid IS NOT NULL"
        )
        db.execute(
            "INSERT OR IGNORE INTO sessions (session_id, started_at, last_activity_at, revision)"
            " SELECT session_id, min(at), max(at), 1 FROM exchanges GROUP BY session_id"
        )


def lost_sessions(db: sqlite3.Connection, file: str) -> set[str]:
    """The sessions that a backup holds and the database neither remembers nor has forgotten.

    Nothing is deleted but by forgetting, which deletes from the backups too; so these were lost
    with an earlier file. Raises `sqlite3.DatabaseError` where the backup is damaged.
    """
    address = f"{Path(file).as_uri()}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as backup:
        held = {name for (name,) in backup.execute("SELECT session_id FROM sessions")}
    known = db.execute("SELECT session_id FROM sessions UNION SELECT value FROM forgotten")
    return held - {name for (name,) in known}


def _merge_readable(db: sqlite3.Connection, damaged: sqlite3.Connection, table: str) -> None:
    try:
        columns = _columns(db, damaged, table)
    except integrity.UNREADABLE:  # not even the schema can be read
        return
    rows = _readable_rows(damaged, table, columns)
    _insert(db, table, columns, (row for row in rows if _is_sane(db, table, columns, row)))


def _insert(
    db: sqlite3.Connection, table: str, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    if table != "sessions":
        db.executemany(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", rows)
        return
    newer = ", ".join(f"{name} = excluded.{name}" for name in _SUMMARY if name in columns)
    db.executemany(
        f"INSERT OR IGNORE INTO sessions ({names}) VALUES ({marks})"
        f" ON CONFLICT (session_id) DO UPDATE SET {newer}, revision = sessions.revision + 1"
        " WHERE excluded.summarized_at > coalesce(sessions.summarized_at, '')",
        rows,
    )


def _columns(db: sqlite3.Connection, other: sqlite3.Connection, table: str) -> list[str]:
    """The columns that both files have. Raises `sqlite3.DatabaseError` where there is no table."""
    here, there = (
        [str(row[1], "ascii") if isinstance(row[1], bytes) else row[1] for row in rows]
        for rows in (side.execute(f"PRAGMA table_info({table})") for side in (db, other))
    )
    skipped = _FOR_THE_INDEX if table == "sessions" else set()
    columns = [name for name in here if name in there and name not in skipped]
    if not columns:
        raise sqlite3.DatabaseError(f"no such table: {table}")
    return columns


def _is_by_session(table: str) -> bool:
    return table in {"sessions", "exchanges", "lines", "transcripts"}


def _only(
    rows: Iterable[Row], columns: Sequence[str], session_ids: Collection[str] | None
) -> Iterator[Row]:
    place = columns.index("session_id") if session_ids is not None else 0
    return (row for row in rows if session_ids is None or row[place] in session_ids)


def _is_sane(db: sqlite3.Connection, table: str, columns: Sequence[str], row: Row) -> bool:
    """Whether a row from a damaged table can be what was stored, and is not known already."""
    values = dict(zip(columns, row, strict=True))
    if any(isinstance(value, str) and "\x00" in value for value in row):
        return False
    if table == "sessions" and not all(_is_list(values[name]) for name in _LISTS):
        return False
    if table == "state" and values["key"] == "pauses" and not _is_list(values["value"]):
        return False
    if table != "exchanges":
        return True
    # The answer that a hook kept until its line comes: the line has come by now.
    key = values["uuid"]
    return values["kind"] != "provisional" and not (
        key and db.execute("SELECT 1 FROM lines WHERE key = ?", (key,)).fetchone()
    )


def _is_list(text: object) -> bool:
    try:
        return isinstance(json.loads(str(text)), list)
    except ValueError:
        return False


def _readable_rows(
    damaged: sqlite3.Connection, table: str, columns: Sequence[str]
) -> Iterator[Row]:
    select = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid BETWEEN ? AND ?"
    last = _last_rowid(damaged, table)
    hopeless, first = 0, 1
    while first <= last and hopeless < _HOPELESS:
        rows, is_whole = _read_range(damaged, select, first, min(first + _WINDOW - 1, last))
        hopeless = 0 if rows or is_whole else hopeless + 1
        first += _WINDOW
        for row in rows:
            with contextlib.suppress(UnicodeDecodeError):
                yield tuple(str(cell, "utf-8") if isinstance(cell, bytes) else cell for cell in row)


def _last_rowid(damaged: sqlite3.Connection, table: str) -> int:
    try:
        return int(damaged.execute(f"SELECT coalesce(max(rowid), 0) FROM {table}").fetchone()[0])
    except integrity.UNREADABLE:
        return 2**40  # nobody knows: until nothing can be read any more


def _read_range(
    damaged: sqlite3.Connection, select: str, first: int, last: int
) -> tuple[list[Row], bool]:
    """The readable rows between two row ids, and whether these are all.

    Around a page that can't be read it goes on in halves, down to single rows.
    """
    try:
        return damaged.execute(select, (first, last)).fetchall(), True
    except integrity.UNREADABLE:
        if first == last:
            return [], False
    middle = (first + last) // 2
    lower, _ = _read_range(damaged, select, first, middle)
    upper, _ = _read_range(damaged, select, middle + 1, last)
    return lower + upper, False


@contextlib.contextmanager
def _damaged(file: str) -> Iterator[sqlite3.Connection]:
    """A damaged file, opened as far as it can be; its texts are read as bytes."""
    with _working_copy(file) as copy:
        _mend_header(copy)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.text_factory = bytes
            db.execute("PRAGMA cell_size_check = ON")
            yield db


@contextlib.contextmanager
def _working_copy(file: str) -> Iterator[str]:
    """A copy with its write-ahead log, since opening a database can change it."""
    with tempfile.TemporaryDirectory(dir=paths.data_dir(), prefix="repair-") as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(file, copy)
        if os.path.exists(f"{file}-wal"):
            shutil.copyfile(f"{file}-wal", f"{copy}-wal")
        yield copy


def _mend_header(file: str) -> None:
    """Give a file the first 100 bytes of a new database, but for its length.

    All that they say is the same for each of our databases, so nothing is lost by it. The length is
    taken from the file where the "version-valid-for number" doesn't fit (sqlite.org/fileformat).
    """
    with _new_database() as fresh, open(fresh, "rb") as stream:
        header = bytearray(stream.read(100))
    header[92:96] = b"\0\0\0\0"
    with open(file, "r+b") as stream:
        stream.write(header)


@contextlib.contextmanager
def _new_database() -> Iterator[str]:
    with tempfile.TemporaryDirectory(dir=paths.data_dir(), prefix="repair-") as folder:
        file = os.path.join(folder, "new.db")
        database.connect(file).close()
        yield file
