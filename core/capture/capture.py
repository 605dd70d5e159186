"""Capture: what stands behind a transcript's watermark goes into the database.

Hook and sweep both call `capture`; running both, twice or at once changes nothing. The watermark is
committed together with the rows.
"""

from __future__ import annotations

import json
import os
import stat

from core import database
from core.capture.records import is_whole, read_line
from core.capture.store import store
from core.capture.transcripts import Reader
from core.capture.watermark import Watermark, starting_point, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from core.capture.transcripts import Event

BITE = 4 * 1024 * 1024
"""How many bytes one transaction takes in at most; a longer line is taken whole."""

LONGEST_LINE = 64 * 1024 * 1024
"""A longer line is passed over unread; the longest of 4,027 public transcripts had 2.1 MB."""


def capture(
    db: sqlite3.Connection,
    path: str,
    *,
    bite: int = BITE,
    loads: Callable[[bytes], object] = json.loads,
) -> bool:
    """Take in at most one bite of what stands behind the watermark; True where more is left.

    Raises `OSError` where the transcript can't be read and `sqlite3.Error` where the database can't
    be written; either way nothing is lost: the next call begins where this one did.
    """
    while True:
        before = Watermark.load(db, path)
        with _open(path) as file:
            mark = starting_point(db, file, path)
            reader = Reader.load(json.loads(mark.state)) if mark.state else Reader()
            start = mark.offset
            events = _read(file, mark, reader, bite, loads)
            mark.measure(file)
        mark.session_id = _session_id(path, reader)
        with database.transaction(db):
            now = Watermark.load(db, path)
            if now.fingerprint == before.fingerprint:
                store(db, mark, reader, events)
                return start < mark.offset < mark.size
        # Another process was faster: go on from where it has come to.


def _open(path: str) -> BinaryIO:
    """Open a transcript. A pipe would be waited for, and a device read, without end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(f"No regular file: {path}")
    return open(path, "rb")


def _read(
    file: BinaryIO,
    mark: Watermark,
    reader: Reader,
    bite: int,
    loads: Callable[[bytes], object],
) -> list[Event]:
    """The events of the next bite; moves `mark` and `reader` behind it."""
    events: list[Event] = []
    file.seek(mark.offset)
    for line in _lines(file, bite):
        number = mark.line + 1
        mark.offset += len(line)
        mark.line += line.endswith(b"\n")
        if not _may_speak(line):
            continue
        found = read_line(line.rstrip(b"\n"), loads)
        mark.bad_lines += found.bad
        for record in found.records:
            events += reader.read(record, number)
    return events


def _lines(file: BinaryIO, bite: int) -> Iterator[bytes]:
    """Lines with their line ends, up to `bite` bytes in all but at least one line.

    A last line without line end is given only if it is one whole record; a half-written one stays
    for the next time.
    """
    read = 0
    while read < bite:
        line = file.readline(LONGEST_LINE)
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = _blank_to_line_end(file, line)
        if not line.endswith(b"\n") and not is_whole(line):
            return
        read += len(line)
        yield line


def _blank_to_line_end(file: BinaryIO, line: bytes) -> bytes:
    """A line beyond all measure as blanks of its length; nothing where its end is not there yet."""
    length = len(line)
    while not line.endswith(b"\n"):
        line = file.readline(BITE)
        if not line:
            return b""
        length += len(line)
    return b" " * (length - 1) + b"\n"


def _may_speak(line: bytes) -> bool:
    """Whether a line can hold a turn or a title; a torn one may, so that it is looked into.

    Nine tenths of a transcript's bytes are other lines, and searching is ten times faster than
    parsing. (Written out, since `any` over a tuple takes twice as long.)
    """
    return (
        b'"user"' in line
        or b'"assistant"' in line
        or b'"queue-operation"' in line
        or b'"queued_command"' in line
        or b'"custom-title"' in line
        or b'"ai-title"' in line
        or not (line.startswith(b"{") and line.rstrip().endswith(b"}"))
    )


def _session_id(path: str, reader: Reader) -> str:
    """The session that a file belongs to.

    That is the file's name; but a file named by a UUID whose turns carry another session's id goes
    on with that session (resumes of 2.0.8).
    """
    name = stem(path)
    is_uuid = len(name) == 36 and name.count("-") == 4
    return reader.session_id if is_uuid and reader.session_id else name
