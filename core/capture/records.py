"""Bytes of a transcript → JSON records, whatever state the bytes are in.

Transcripts hold torn lines, two records on one line, runs of NUL bytes, a byte order mark and
Windows line ends. Each line is read on its own: it never borrows from the line before.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# How a record begins. Parts of a record can begin so too: what is found behind a torn piece counts
# as a record only if it names its session.
_STARTS = ('{"parentUuid"', '{"type"', '{"isSidechain"', '{"uuid"', '{"sessionId"')

_decoder = json.JSONDecoder()
_NOISE = b"\x00\r \t"


class Line:
    """What one line holds: its records, and whether parts of it were unreadable."""

    __slots__ = ("bad", "records")

    def __init__(self, records: list[dict[str, Any]], *, bad: bool = False) -> None:
        self.records = records
        self.bad = bad


def read_line(line: bytes, loads: Callable[[bytes], object] = json.loads) -> Line:
    """The records of one line, without its line end.

    `loads` reads the ordinary line; a faster one than `json.loads` may be given. What it can't read
    is searched for whole records.
    """
    line = line.removeprefix(b"\xef\xbb\xbf").strip(_NOISE)
    if not line:
        return Line([])
    try:
        record = loads(line)
    except (ValueError, RecursionError):
        return _search(line.decode("utf-8", "replace"))
    return Line([record]) if isinstance(record, dict) else Line([], bad=True)


def is_whole(line: bytes) -> bool:
    """Whether a line without its line end is one whole record, not a half-written one."""
    if not line.rstrip(_NOISE).endswith(b"}"):
        return False
    found = read_line(line)
    return bool(found.records) and not found.bad and len(found.records) == 1


def _search(text: str) -> Line:
    """The whole records in a damaged line, in order."""
    records: list[dict[str, Any]] = []
    bad = torn = False
    position = 0
    while position < len(text):
        if text[position] in "\x00 \t\r":
            position += 1
            continue
        try:
            record, end = _decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            record, end = None, position
        if isinstance(record, dict) and "type" in record and (not torn or "sessionId" in record):
            records.append(record)
            torn = False
            position = end
        else:
            bad = torn = True
            position = _next_start(text, position + 1)
    return Line(records, bad=bad)


def _next_start(text: str, position: int) -> int:
    starts = (text.find(start, position) for start in _STARTS)
    return min((start for start in starts if start >= 0), default=len(text))
