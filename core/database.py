"""Opening the database: the one function that does, and the schema with its history.

Only features of SQLite up to 3.40 are used, the oldest that a supported Python brings. Nothing here
may import more than the standard library: the hook opens the database through this module.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager

from core import paths
from core.errors import ChatRecallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# One row a session, its rowid is `sessions.id`. All columns hold `core.search.words.index_form`.
FTS_TABLE = """
CREATE VIRTUAL TABLE sessions_fts USING fts5(
    session_id, title, summary, topics, decisions, search_terms, project_name, day, conversation,
    tokenize = 'porter unicode61 remove_diacritics 2'
)
"""

# Migrations are only ever added. Entry N brings a database from version N to N + 1.
MIGRATIONS: tuple[str, ...] = (
    f"""
    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL UNIQUE,
        project_path TEXT NOT NULL DEFAULT '',
        project_name TEXT NOT NULL DEFAULT '',
        started_at TEXT,
        last_activity_at TEXT,
        title TEXT NOT NULL DEFAULT '',
        title_is_custom INTEGER NOT NULL DEFAULT 0,
        subagents INTEGER NOT NULL DEFAULT 0,
        summary TEXT NOT NULL DEFAULT '',
        topics TEXT NOT NULL DEFAULT '[]',
        decisions TEXT NOT NULL DEFAULT '[]',
        search_terms TEXT NOT NULL DEFAULT '[]',
        summarized_by TEXT NOT NULL DEFAULT '',
        summarized_at TEXT,
        summarized_to_seq INTEGER NOT NULL DEFAULT 0,
        summary_cost_usd REAL NOT NULL DEFAULT 0,
        revision INTEGER NOT NULL DEFAULT 0,
        indexed_revision INTEGER NOT NULL DEFAULT -1,
        indexed_characters INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX sessions_by_activity ON sessions (last_activity_at);
    CREATE INDEX sessions_by_project
        ON sessions (project_path, project_name, last_activity_at, started_at);
    CREATE INDEX sessions_by_length ON sessions (indexed_characters);
    CREATE INDEX sessions_to_index ON sessions (session_id) WHERE indexed_revision <> revision;

    CREATE TABLE exchanges (
        session_id TEXT NOT NULL REFERENCES sessions (session_id),
        seq INTEGER NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'program')),
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT,
        uuid TEXT,
        message_id TEXT,
        PRIMARY KEY (session_id, seq)
    );
    CREATE INDEX exchanges_by_message ON exchanges (message_id) WHERE message_id IS NOT NULL;
    CREATE INDEX exchanges_provisional ON exchanges (session_id, seq) WHERE kind = 'provisional';

    CREATE TABLE lines (
        key TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        seq INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE transcripts (
        path TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        offset INTEGER NOT NULL,
        line INTEGER NOT NULL,
        first_seq INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        state TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        bad_lines INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX transcripts_by_session ON transcripts (session_id);

    CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        session_id TEXT NOT NULL,
        backend TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL DEFAULT 0,
        output_tokens INTEGER NOT NULL DEFAULT 0,
        cost_usd REAL NOT NULL DEFAULT 0,
        outcome TEXT NOT NULL
    );
    CREATE INDEX calls_by_time ON calls (at);

    CREATE TABLE failures (
        session_id TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_at TEXT,
        shown INTEGER NOT NULL DEFAULT 0
    );

    CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        expires_at TEXT NOT NULL
    );

    CREATE TABLE forgotten (
        kind TEXT NOT NULL CHECK (kind IN ('session', 'project')),
        value TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (kind, value)
    );

    CREATE TABLE state (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    );

    {FTS_TABLE};
    """,
)

SCHEMA_VERSION = len(MIGRATIONS)


def connect(file: str | None = None, *, wait_seconds: float = 5.0) -> sqlite3.Connection:
    """Open the database, creating it or bringing it up to date first.

    The connection is in autocommit mode: writing goes through `transaction`. A lock held by another
    process is waited for up to `wait_seconds`.

    Raises `ChatRecallError` where the file can't be opened or was written by a newer ChatRecall;
    `sqlite3.DatabaseError` where its content is damaged.
    """
    file = file or paths.database_file()
    paths.make_private(os.path.dirname(file))
    try:
        db = sqlite3.connect(file, timeout=wait_seconds, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise ChatRecallError(
            "The database can't be opened", f"SQLite says: {error} ({file})"
        ) from error
    try:
        if _version(db) < SCHEMA_VERSION:
            _migrate(db, file, wait_seconds)
        # WAL survives a kill -9 of any process with NORMAL; only a power cut can lose the last
        # commit, and the next sweep brings that back from the transcript.
        db.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A write transaction: all of the block or, on any exception, nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # a full disk may have rolled it back already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def trouble(error: sqlite3.DatabaseError) -> ChatRecallError:
    """Say of an error of SQLite what happened and what to do."""
    if "locked" in str(error):
        return ChatRecallError("The database is busy", "Another process is writing; try again.")
    if "full" in str(error):
        return ChatRecallError("The disk is full", "Free some space; nothing was lost.")
    if "readonly" in str(error):
        return ChatRecallError(
            "The database can't be written", "Give your user the right to write its folder."
        )
    return ChatRecallError("The database has a problem", f"SQLite says: {error}.")


def _migrate(db: sqlite3.Connection, file: str, wait_seconds: float) -> None:
    if not _use_write_ahead_log(db, wait_seconds):
        raise ChatRecallError(
            "The database needs a local disk",
            f"SQLite can't keep a write-ahead log beside {file}, as on most network folders. "
            "Set CHATRECALL_HOME to a folder on a local disk.",
        )
    if os.name == "posix":
        os.chmod(file, 0o600)
    with transaction(db):  # read the version again: another process may have been first
        for migration in MIGRATIONS[_version(db) :]:
            _execute_all(db, migration)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _use_write_ahead_log(db: sqlite3.Connection, wait_seconds: float) -> bool:
    """Switch it on; False where SQLite can't keep one.

    Where several processes switch it on at once, SQLite refuses some of them without waiting.
    """
    end = time.monotonic() + wait_seconds
    while True:
        try:
            return bool(db.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _version(db: sqlite3.Connection) -> int:
    """The schema's version. Raises `ChatRecallError` where it is a newer one than ours."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise ChatRecallError(
            "The database was written by a newer ChatRecall",
            "Update ChatRecall; the data is untouched.",
        )
    return version


def _execute_all(db: sqlite3.Connection, script: str) -> None:
    """Run a script inside the open transaction; `executescript` would commit it first."""
    for statement in script.split(";\n"):
        if statement.strip(" \n;"):
            db.execute(statement)
