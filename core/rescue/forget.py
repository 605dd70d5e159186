"""Forgetting sessions and projects for good: rows, their traces in files, and what may come.

A tombstone keeps hook and sweep from bringing back what Claude Code's transcripts still hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from typing import TYPE_CHECKING

from core import database, folders, log, paths, times
from core.errors import ChatRecallError
from core.privacy.privacy import projects_around
from core.projects import project_root
from core.rescue import backup, integrity
from core.search import index, recent_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def forget_session(db: sqlite3.Connection, session_id: str) -> None:
    """Forget a session, and whatever is said in it later.

    Forgetting it again wipes its traces again. Raises `ChatRecallError` where the rows are gone but
    traces remain in a file that another process holds open; `sqlite3.Error` where nothing was done.
    """
    _forget(db, "session", session_id, [session_id])


def forget_project(db: sqlite3.Connection, path: str) -> int:
    """Forget all sessions of the project that `path` is in, and whatever is said there later.

    Returns how many sessions were remembered. Raises as `forget_session` does.
    """
    sessions = sessions_of(db, path)
    _forget(db, "project", folders.key(project_root(path)), sessions)
    return len(sessions)


def sessions_of(db: sqlite3.Connection, path: str) -> list[str]:
    """The remembered sessions that `forget_project` would forget, the latest first."""
    project = folders.key(project_root(path))
    known = db.execute(
        "SELECT session_id, project_path FROM sessions ORDER BY last_activity_at DESC"
    )
    return [session_id for session_id, where in known if project in projects_around(where)]


def forget_queries(db: sqlite3.Connection) -> None:
    """Forget what was searched for in the search box, in backups, too. Raises as the others do."""
    recent_queries.clear(db)
    _wipe(db, recent_queries.clear)


def is_forgotten(db: sqlite3.Connection, session_id: str) -> bool:
    """Whether the session with this whole id was forgotten."""
    return bool(
        db.execute(
            "SELECT 1 FROM forgotten WHERE kind = 'session' AND value = ?", (session_id,)
        ).fetchone()
    )


def remember_session(db: sqlite3.Connection, session_id: str) -> bool:
    """Take back a session's tombstone; False where it has none.

    What is said in it from now on is remembered. What was forgotten stays so.
    """
    return _remember(db, "session", session_id)


def remember_project(db: sqlite3.Connection, path: str) -> bool:
    """Take back a project's tombstone, as `remember_session` does a session's."""
    return _remember(db, "project", folders.key(project_root(path)))


def _forget(db: sqlite3.Connection, kind: str, value: str, session_ids: Sequence[str]) -> None:
    tombstone = (kind, value, times.now())

    def delete(file: sqlite3.Connection) -> None:
        _delete(file, tombstone, session_ids)

    delete(db)
    _wipe(db, delete)


def _wipe(db: sqlite3.Connection, delete: Callable[[sqlite3.Connection], None]) -> None:
    """Wipe what was just deleted from files; `delete` deletes it in a backup, too."""
    _delete_pages()
    held = [file for file in backup.newest_first() if not _wiped_backup(file, delete)]
    if not _wiped(db) or held:
        raise ChatRecallError(
            "It is deleted, but traces of it are still in the file",
            "Another process reads the database. Quit the tray app and forget it once more.",
        )


def _delete(
    db: sqlite3.Connection, tombstone: tuple[str, str, str], session_ids: Sequence[str]
) -> None:
    """Set the tombstone and delete all that was said.

    The keys of lines stay, without their text: a fork copies lines into a session of its own. So do
    watermarks, or each sweep would read the transcripts again, and what the calls have cost.
    The last queries go, all of them: nobody can tell which were after what is to be forgotten.
    """
    which = "session_id IN (SELECT value FROM json_each(?))"
    ids = (json.dumps(session_ids),)
    with database.transaction(db):
        db.execute("INSERT OR REPLACE INTO forgotten (kind, value, at) VALUES (?, ?, ?)", tombstone)
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions_fts'").fetchone():
            db.execute(
                f"DELETE FROM sessions_fts WHERE rowid IN (SELECT id FROM sessions WHERE {which})",
                ids,
            )
        for table in ("exchanges", "failures", "sessions"):
            db.execute(f"DELETE FROM {table} WHERE {which}", ids)
        db.execute(f"UPDATE lines SET seq = 0 WHERE {which}", ids)
        db.execute(f"UPDATE calls SET session_id = '' WHERE {which}", ids)
        db.execute(
            "UPDATE transcripts SET state = json_set(state, '$.title', '', '$.queue', json('[]'),"
            f" '$.absorbed', json('[]')) WHERE json_valid(state) AND {which}",
            ids,
        )
        recent_queries.clear(db)


def _delete_pages() -> None:
    """Delete the pages that were written, since any may show what was said."""
    with contextlib.suppress(FileNotFoundError):
        for page in os.scandir(paths.pages_dir()):
            with contextlib.suppress(OSError):
                os.remove(page.path)


def _wiped(db: sqlite3.Connection) -> bool:
    """Write the file anew without what was deleted; False where a reader keeps an old state of it.

    The index keeps deleted words until its pieces are merged; free pages and the write-ahead log
    keep old text until they are written over.
    """
    index.optimize(db)
    db.execute("VACUUM")
    busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def _wiped_backup(file: str, delete: Callable[[sqlite3.Connection], None]) -> bool:
    """Forget in a backup too. One that is damaged or of another version is deleted."""
    try:
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as copy:
            delete(copy)
            copy.execute("VACUUM")
    except integrity.UNREADABLE as error:
        log.write(f"forget: deleted {file}: {error}")
        try:
            os.remove(file)
        except OSError:
            return False
    return True


def _remember(db: sqlite3.Connection, kind: str, value: str) -> bool:
    with database.transaction(db):
        return (
            db.execute("DELETE FROM forgotten WHERE kind = ? AND value = ?", (kind, value)).rowcount
            > 0
        )
