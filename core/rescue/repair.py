"""Repair: a damaged database is set aside, never deleted, and its content brought together anew.

It comes from the newest good backup, then from the transcripts, then from whatever the damaged file
still shows. The hook repairs nothing: it logs the error, and the sweep finds what it has missed.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from typing import TYPE_CHECKING

from core import database, log, paths
from core.capture.sweep import sweep
from core.errors import ChatRecallError
from core.rescue import backup, integrity, salvage
from core.search import index

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = 120.0  # seconds for another process that repairs
_STALE = 900.0  # seconds after which such a process is taken for dead

_ASIDE = "damaged-"
_NOTICE = "repair_notice"


def open_or_repair() -> sqlite3.Connection:
    """Open the database, repairing it first where it can't be opened.

    Damage that shows later is an exception that `repair` can be called for.
    """
    try:
        return database.connect()
    except integrity.UNREADABLE:
        if not repair():
            raise
        return database.connect()


def repair() -> bool:
    """Look whether the database is damaged and repair it; False where nothing was wrong.

    What was done is told by `take_notice`. Raises `ChatRecallError` where another process holds the
    damaged file, `OSError` and `sqlite3.Error` where the disk doesn't let us; then the damaged file
    is where it was, and the next call begins anew.
    """
    file = paths.database_file()
    with _alone(f"{file}.repair"):
        wrong = _damage(file)
        if not wrong:
            return _repair_index()
        log.write(f"repair: {file}: {wrong}")
        sources = _rebuild(f"{file}.new", file)
        aside = _set_aside(file)
        _put_in_place(f"{file}.new", file)
        with contextlib.closing(database.connect()) as db:
            _leave_notice(db, sources, aside)
    return True


def notice(db: sqlite3.Connection) -> str:
    """What the last repair did, in words for the person; empty once it was taken."""
    row = db.execute("SELECT value FROM state WHERE key = ?", (_NOTICE,)).fetchone()
    return str(row[0]) if row else ""


def take_notice(db: sqlite3.Connection) -> str:
    """`notice`, which the caller now shows to the person: it is told once."""
    words = notice(db)
    if words:
        db.execute("DELETE FROM state WHERE key = ?", (_NOTICE,))
    return words


def set_aside_files() -> list[str]:
    """The damaged files that are kept, newest first. They may hold what was forgotten since."""
    names = (name for name in os.listdir(paths.data_dir()) if name.startswith(_ASIDE))
    return [os.path.join(paths.data_dir(), name) for name in sorted(names, reverse=True)]


def _damage(file: str) -> str:
    """What is wrong with the tables; empty where nothing is, or no file is there."""
    if not os.path.exists(file):
        return ""
    try:
        db = database.connect()
    except integrity.UNREADABLE as error:
        if not integrity.may_be_damage(error):
            raise
        return str(error)
    with contextlib.closing(db):
        return integrity.damage(db)


def _repair_index() -> bool:
    with contextlib.closing(database.connect()) as db:
        wrong = integrity.index_damage(db)
        if wrong:
            log.write(f"repair: the search index: {wrong}")
            index.rebuild(db)
    return bool(wrong)


def _rebuild(fresh: str, damaged: str) -> str:
    """Bring everything together in a new file; returns what it came from, in words."""
    _remove(fresh)
    with contextlib.closing(database.connect(fresh)) as db:
        salvage.merge_rules(db, damaged)
        day = _merge_newest_backup(db)
        sweep(db)
        salvage.merge_remains(db, damaged)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    backup_words = f"the backup of {day}, " if day else ""
    return f"{backup_words}Claude Code's transcripts and what could still be read"


def _merge_newest_backup(db: sqlite3.Connection) -> str:
    """Bring the newest backup that is whole; returns its day, or nothing where there is none."""
    for file in backup.newest_first():
        try:
            salvage.merge_backup(db, file)
        except salvage.UNUSABLE as error:
            if not integrity.may_be_damage(error):
                raise
            log.write(f"repair: {file}: {error}")
        else:
            return backup.day_of(file)
    return ""


def _set_aside(file: str) -> str:
    """Rename the damaged file; returns its new path.

    Raises `ChatRecallError` where another process holds it open.
    """
    start = os.path.join(os.path.dirname(file), _ASIDE + time.strftime("%Y-%m-%d-%H%M%S"))
    aside = f"{start}.db"
    while os.path.exists(aside):
        start += "-again"
        aside = f"{start}.db"
    try:
        for suffix in ("-wal", ""):
            if os.path.exists(file + suffix):
                os.replace(file + suffix, aside + suffix)
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{file}-shm")
    except PermissionError as error:  # on Windows, a file that is open can't be renamed
        raise ChatRecallError(
            "The database is damaged and in use", "Quit the tray app, then try again."
        ) from error
    return aside


def _put_in_place(fresh: str, file: str) -> None:
    """Rename the new file, but not over one that a hook has made within these microseconds."""
    while True:
        try:
            _rename_to_new(fresh, file)
        except FileExistsError:
            _set_aside(file)
        else:
            return


def _rename_to_new(old: str, new: str) -> None:
    """Rename a file. Raises `FileExistsError` where there is one of the new name."""
    if os.name == "nt":
        os.rename(old, new)
    else:  # where renaming replaces
        os.link(old, new)
        os.remove(old)


def _remove(file: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(file + suffix)


def _leave_notice(db: sqlite3.Connection, sources: str, aside: str) -> None:
    sessions = db.execute("SELECT count(*) FROM sessions").fetchone()[0]
    words = (
        f"The database was damaged. It has been rebuilt from {sources}: {sessions} sessions are "
        f"remembered. The damaged file is kept as {aside}."
    )
    log.write(f"repair: {words}")
    with database.transaction(db):
        db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (_NOTICE, words))


@contextlib.contextmanager
def _alone(lock: str) -> Iterator[None]:
    """Be the only process that repairs; waits for another to finish, and for a dead one to go."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            break
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError):
                if abs(time.time() - os.path.getmtime(lock)) > _STALE:
                    os.remove(lock)
        if time.monotonic() > end:
            raise ChatRecallError(
                "The database is being repaired", "Another process is at it; try again later."
            )
        time.sleep(0.1)
    try:
        yield
    finally:
        os.remove(lock)
