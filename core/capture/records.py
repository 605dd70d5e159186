"""Bytes of a transcript → JSON records, whatever state the bytes are in.

Transcripts hold torn lines, two records on one line, runs of NUL bytes, a byte order mark and
Windows line ends. Each line is read on its own: it never borrows from the line before.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# How a record begins. Parts of a record can begin so too: what is found behind a torn piece counts
# as a record only if it names its session.
_START = r'\{"(?:parentUuid|type|isSidechain|uuid|sessionId)"'

_MOST_WORK = 100_000_000
"""How many characters are looked at in one damaged line, about a second's worth."""

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
    """The whole records in a damaged line, in order.

    Each piece that looks like a record may have to be read to the line's end, so the work is
    bounded: a line that takes more is given up.
    """
    records: list[dict[str, Any]] = []
    bad = torn = False
    position = work = 0
    while position < len(text):
        if text[position] in "\x00 \t\r":
            position += 1
            continue
        try:
            record, end = _decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            record, end = None, getattr(error, "pos", len(text))
        # To tell the place of an error, `json` counts all lines before it.
        work += end - position + end // 64
        if work > _MOST_WORK:
            return Line(records, bad=True)
        if isinstance(record, dict) and "type" in record and (not torn or "sessionId" in record):
            records.append(record)
            torn = False
            position = end
        else:
            bad = torn = True
            start = re.compile(_START).search(text, position + 1)
            position = start.start() if start else len(text)
    return Line(records, bad=bad)
