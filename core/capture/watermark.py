"""The watermark: how far a transcript was read, and how to know that it is still the same file."""

from __future__ import annotations

import os
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, BinaryIO

_SAMPLE = 1024

_SHORTER = "shorter"
"""The check value of a file that was cut while it was read: it fits none."""

_COLUMNS = (
    "session_id", "offset", "line", "first_seq", "fingerprint", "state", "size", "mtime_ns",
    "bad_lines",
)  # fmt: skip
_NAMES = ", ".join(_COLUMNS)
_MARKS = ", ".join("?" * (len(_COLUMNS) + 1))

UNDECIDED = -1
"""`first_seq` before the first turn: only then is it known which session the file belongs to."""


class Watermark:
    """One row of `transcripts`.

    `offset` and `line` stand behind the last line that was taken in. A turn's `seq` is `first_seq`
    plus its line number: 0 for a session's first file; where a second file goes on with a session,
    or a file was replaced, what is new comes after what there was.
    """

    __slots__ = (*_COLUMNS, "path")

    session_id: str
    offset: int
    line: int
    first_seq: int
    fingerprint: str
    state: str
    size: int
    mtime_ns: int
    bad_lines: int

    def __init__(self, path: str, row: tuple[Any, ...] | None = None) -> None:
        self.path = path
        for name, value in zip(
            _COLUMNS, row or ("", 0, 0, UNDECIDED, "", "", -1, -1, 0), strict=True
        ):
            setattr(self, name, value)

    @classmethod
    def load(cls, db: sqlite3.Connection, path: str) -> Watermark:
        """A transcript's watermark; the beginning, where it was never read."""
        row = db.execute(f"SELECT {_NAMES} FROM transcripts WHERE path = ?", (path,)).fetchone()
        return cls(path, row)

    def save(self, db: sqlite3.Connection) -> None:
        """Store it, in the caller's transaction."""
        db.execute(
            f"INSERT OR REPLACE INTO transcripts ({_NAMES}, path) VALUES ({_MARKS})",
            (*(getattr(self, name) for name in _COLUMNS), self.path),
        )

    def measure(self, file: BinaryIO) -> None:
        """Note the file as it is now, with what was read of it up to `offset`."""
        stat = os.fstat(file.fileno())
        self.size = stat.st_size
        self.mtime_ns = stat.st_mtime_ns
        self.fingerprint = _fingerprint(file, self.offset)

    def fits(self, file: BinaryIO) -> bool:
        """Whether `file` still begins with what was read of it."""
        is_known = self.offset > 0 and self.fingerprint != _SHORTER
        return is_known and _fingerprint(file, self.offset) == self.fingerprint


def starting_point(db: sqlite3.Connection, file: BinaryIO, path: str) -> Watermark:
    """Where to go on reading: behind the watermark, unless the file is not the one that was read.

    Claude Code moves transcripts (`/cd`, worktrees): the watermark of the former path is taken over
    where the file fits it. A file that was truncated, replaced or rewritten is read from the start.
    """
    known = Watermark.load(db, path)
    if known.fits(file):
        return known
    if known.offset == 0:
        for former in _of_same_name(db, path):
            if former.fits(file):
                former.path = path
                return former
    return Watermark(path)


def _of_same_name(db: sqlite3.Connection, path: str) -> list[Watermark]:
    rows = db.execute(
        "SELECT path FROM transcripts WHERE session_id = ? AND path <> ? AND offset > 0",
        (stem(path), path),
    )
    return [Watermark.load(db, other) for (other,) in rows.fetchall()]


def stem(path: str) -> str:
    """A file's name without folder and ending: for the client's own transcripts, the session id."""
    return os.path.splitext(os.path.basename(path))[0]


def _fingerprint(file: BinaryIO, offset: int) -> str:
    """A check value of the first `offset` bytes: how many, and their first and last ones."""
    if os.fstat(file.fileno()).st_size < offset:
        return _SHORTER
    length = min(_SAMPLE, offset)
    file.seek(0)
    head = zlib.crc32(file.read(length))
    file.seek(offset - length)
    return f"{offset}:{head:08x}:{zlib.crc32(file.read(length)):08x}"
