"""Backups of the database: what the transcripts no longer hold can be had from these alone.

One a day, by SQLite's online backup, so nobody has to wait. The search index is left out: it is
half of the file, and made anew from the rest.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from datetime import date
from typing import TYPE_CHECKING

from core import log, paths, times
from core.rescue import integrity, salvage

if TYPE_CHECKING:
    from collections.abc import Iterable

_DAILY = 3
_WEEKLY = 4

_PREFIX, _SUFFIX = "chatrecall-", ".db"


def back_up(db: sqlite3.Connection) -> str:
    """Make today's backup, once a day (UTC); returns its path, or nothing where it is there.

    Older ones are thinned out to three daily and four weekly. A full disk or a folder that can't be
    written costs the backup, not the caller's work: it is logged.

    Raises `sqlite3.DatabaseError` where the database is damaged; a good backup must not make room
    for a bad one.
    """
    today = times.now()[:10]
    file = _path(today)
    _bring_back_lost_sessions(db)
    if os.path.exists(file):
        return ""
    wrong = integrity.damage(db)
    if wrong:
        raise sqlite3.DatabaseError(wrong)
    try:
        _copy(db, file)
    except (OSError, sqlite3.OperationalError) as error:
        log.write(f"backup: {file}: {error}")
        return ""
    _thin_out(today)
    return file


def day_of(file: str) -> str:
    """The day (UTC) of a backup."""
    return os.path.basename(file)[len(_PREFIX) : -len(_SUFFIX)]


def newest_first() -> list[str]:
    """The paths of all backups."""
    return [_path(day) for day in sorted(_days(), reverse=True)]


def _bring_back_lost_sessions(db: sqlite3.Connection) -> None:
    """Bring back what only the newest backup still has, after the file was emptied or deleted."""
    for file in newest_first()[:1]:
        try:
            lost = salvage.lost_sessions(db, file)
            if lost:
                log.write(f"backup: {len(lost)} sessions were lost, and came back from {file}")
                salvage.merge_backup(db, file, lost)
        except salvage.UNUSABLE as error:
            log.write(f"backup: {file}: {error}")


def _copy(db: sqlite3.Connection, file: str) -> None:
    unfinished = f"{file}.part"
    paths.make_private(os.path.dirname(file))
    with contextlib.suppress(FileNotFoundError):  # from a backup that was killed
        os.remove(unfinished)
    with open(unfinished, "xb", opener=_private):
        pass
    try:
        with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
            db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            copy.execute("DROP TABLE IF EXISTS sessions_fts")
            copy.execute("UPDATE sessions SET indexed_revision = -1")
            copy.execute("VACUUM")
        os.replace(unfinished, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(unfinished)
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _thin_out(today: str) -> None:
    kept = _kept(_days(), today)
    for day in _days():
        if day not in kept:
            with contextlib.suppress(OSError):  # open somewhere: tomorrow's backup tries again
                os.remove(_path(day))


def _kept(days: Iterable[str], today: str) -> set[str]:
    """The days whose backups stay: the latest ones, and the last of each week before.

    A day that is yet to come was written under a wrong clock, and would hold its place for ever.
    """
    past = sorted((day for day in days if day <= today), reverse=True)
    last_of_week = {
        date.fromisoformat(day).isocalendar()[:2]: day for day in past[: _DAILY - 1 : -1]
    }
    weekly = sorted(last_of_week.values(), reverse=True)[:_WEEKLY]
    return {*past[:_DAILY], *weekly}


def _days() -> list[str]:
    try:
        names = os.listdir(paths.backups_dir())
    except OSError:
        return []
    days = (day_of(name) for name in names if _is_backup(name))
    return [day for day in days if _is_day(day)]


def _is_backup(name: str) -> bool:
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _path(day: str) -> str:
    return os.path.join(paths.backups_dir(), f"{_PREFIX}{day}{_SUFFIX}")
