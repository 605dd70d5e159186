"""The sweep: walks all transcripts and captures what the hook has missed.

It finds what was said before the install, after Esc, an API error, a kill or a crash, or with hooks
switched off. What it has read it passes over by size and time, so a sweep with nothing new costs
one look at each folder.
"""

from __future__ import annotations

import math
import os
import sqlite3
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import log, paths
from core.capture import subagents
from core.capture.capture import capture
from core.capture.rename_projects import rename_projects
from core.capture.watermark import stem
from core.database import transaction
from core.errors import ChatRecallError

try:
    # Twice as fast as `json`. A checkout without the private environment does without it.
    from orjson import loads
except ImportError:
    from json import loads  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Beside a session's transcript lies a folder of its name, with its subagents and large outputs.
_PASSED_OVER = ("subagents", "tool-results")

_COUNTED_TO = "subagents_counted_to"


@dataclass(frozen=True)
class Sweep:
    """What a sweep did."""

    read: int
    """How many transcripts had something new."""
    unreadable: tuple[str, ...]
    """Paths of transcripts that could not be read; the next sweep tries them again."""
    left: int = 0
    """How many transcripts there was no time for."""


@dataclass(frozen=True, order=True)
class _Transcript:
    minute: int
    path: str
    size: int
    mtime_ns: int


def sweep(
    db: sqlite3.Connection,
    report: Callable[[int, int, int], None] | None = None,
    *,
    seconds: float = math.inf,
) -> Sweep:
    """Capture all that stands behind the watermarks, oldest transcripts first.

    `report(done, total, sessions)` is called as it goes: bytes read, bytes to read, transcripts
    finished. After so many `seconds` no further transcript is begun. Raises `sqlite3.Error` where
    the database can't be written.
    """
    end = time.monotonic() + seconds
    rename_projects(db)
    waiting = _changed(db)
    total = sum(transcript.size for transcript in waiting)
    done = 0
    unreadable: list[str] = []
    for number, transcript in enumerate(waiting):
        if time.monotonic() > end:
            return Sweep(number - len(unreadable), tuple(unreadable), len(waiting) - number)
        try:
            for offset in _capture_whole(db, transcript.path):
                if report:
                    report(min(done + offset, total), total, number)
        except (sqlite3.Error, ChatRecallError):
            raise
        except Exception as error:  # whatever is in one transcript, the others are read
            log.write(f"sweep: {transcript.path}: {type(error).__name__}: {error}")
            unreadable.append(transcript.path)
        done += transcript.size
    _count_subagents(db)
    if report:
        report(total, total, len(waiting))
    return Sweep(len(waiting) - len(unreadable), tuple(unreadable))


def _changed(db: sqlite3.Connection) -> list[_Transcript]:
    """The transcripts that are not as their watermarks left them, oldest first.

    A fork copies its origin's lines, and lines belong to the session that is read first. Files of
    one minute are taken by name, so that a restored backup is read in the same order each time.
    """
    known = {
        path: (size, mtime_ns)
        for path, size, mtime_ns in db.execute("SELECT path, size, mtime_ns FROM transcripts")
    }
    found = (
        _Transcript(int(stat.st_mtime) // 60, path, stat.st_size, stat.st_mtime_ns)
        for path, stat in _transcripts(paths.projects_dir())
        if known.get(path) != (stat.st_size, stat.st_mtime_ns)
    )
    return sorted(found)


def _transcripts(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """All transcripts below a folder, without subagents' and without descending to them."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    sessions = {stem(entry.name) for entry in entries if entry.name.endswith(".jsonl")}
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in sessions and entry.name not in _PASSED_OVER:
                    yield from _transcripts(entry.path)
            elif entry.name.endswith(".jsonl") and not entry.name.startswith("agent-"):
                yield entry.path, os.stat(entry.path)  # on Windows, entry.stat() may be stale
        except OSError as error:
            log.write(f"sweep: {entry.path}: {error}")


def _capture_whole(db: sqlite3.Connection, path: str) -> Iterator[int]:
    """Capture one transcript bite by bite; gives the bytes taken so far."""
    more = True
    while more:
        more = capture(db, path, loads=loads)
        row = db.execute("SELECT offset FROM transcripts WHERE path = ?", (path,)).fetchone()
        yield row[0]


def _count_subagents(db: sqlite3.Connection) -> None:
    """Count the subagents of the sessions that went on since this was last done.

    Not in `capture`: the hook has no time for a folder of a hundred thousand files.
    """
    row = db.execute("SELECT value FROM state WHERE key = ?", (_COUNTED_TO,)).fetchone()
    counted_to = int(row[0]) if row else -1
    fresh = db.execute(
        "SELECT path, session_id, mtime_ns FROM transcripts WHERE mtime_ns > ?", (counted_to,)
    ).fetchall()
    if not fresh:
        return
    # A time in the future is a wrong clock's, and must not hide what comes before it.
    counted_to = min(max(mtime_ns for *_, mtime_ns in fresh), time.time_ns())
    counts = [(subagents.count(path), session_id) for path, session_id, _ in fresh]
    with transaction(db):
        db.executemany(
            "UPDATE sessions SET subagents = ?1 WHERE session_id = ?2 AND subagents < ?1", counts
        )
        db.execute(
            "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)",
            (_COUNTED_TO, str(counted_to)),
        )
