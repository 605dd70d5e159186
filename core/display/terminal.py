"""A search's answer as text: for a person's terminal, and for Claude."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING

from core import times
from core.display import lines
from core.display.marks import spans
from core.display.resume import resume_command
from core.display.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.search.results import Match, Result

FOR_CLAUDE = 3700
"""Characters that Claude gets at most: enough to answer from, no burden for the context. With the
line that names the page they stay below 4,000."""
MOST_FOR_CLAUDE = 12

_BETWEEN = "\n\n"
_MARGIN = " " * 3
_STANDARD_OUTPUT, _VIRTUAL_TERMINAL = -11, 0x0004  # Windows' names for them end in the same words
_BOLD, _FAINT, _MARK, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[1;33m", "\x1b[0m"


def for_person(
    result: Result, names: Mapping[str, str], *, colours: bool, windows: bool = False
) -> str:
    """The matches to read in a terminal, each with the command that resumes it."""
    paint = _paint if colours else _leave
    texts = [_heading(result)]
    for match in result.matches:
        session = match.session
        resume = resume_command(session.project_path, session.session_id, windows=windows)
        excerpt = lines.fitted(one_line(match.excerpt), _MARGIN)
        project = one_line(session.project_name)
        texts.append(
            f"{_day(match)}  {project}  {paint(_name(match, names), _BOLD)}\n"
            f"{_marked(excerpt, result.words) if colours else excerpt}\n"
            f"{_MARGIN}{paint(resume, _FAINT)}"
        )
    return _BETWEEN.join(filter(None, texts))


def for_claude(result: Result, names: Mapping[str, str]) -> str:
    """The matches to answer from, in at most `FOR_CLAUDE` characters that all of them share."""
    heading = _heading(result)
    texts = [_shortened(heading, FOR_CLAUDE // 2)] if heading else []
    matches = result.matches[:MOST_FOR_CLAUDE]
    for number, match in enumerate(matches):
        left = FOR_CLAUDE - sum(len(text) + len(_BETWEEN) for text in texts)
        texts.append(_shortened(_in_full(match, names), left // (len(matches) - number)))
    return _BETWEEN.join(texts)


def can_colour() -> bool:
    """Whether standard output shows colours; on Windows they are switched on."""
    if "NO_COLOR" in os.environ or not (sys.stdout and sys.stdout.isatty()):
        return False
    if sys.platform != "win32":
        return os.environ.get("TERM") != "dumb"
    kernel32 = ctypes.windll.kernel32
    handle, mode = kernel32.GetStdHandle(_STANDARD_OUTPUT), ctypes.c_uint32()
    return bool(
        kernel32.GetConsoleMode(handle, ctypes.byref(mode))
        and kernel32.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL)
    )


def _heading(result: Result) -> str:
    corrected = ", ".join(f"“{known}” for “{typed}”" for typed, known in result.corrected)
    lines = [
        f"Showing results for {corrected}." if corrected else "",
        result.note,
        f"{len(result.matches)} of {result.sessions} sessions:" if result.matches else "",
    ]
    return one_line(" ".join(lines))


def _in_full(match: Match, names: Mapping[str, str]) -> str:
    session = match.session
    lines = (
        f"## {_name(match, names)}",
        f"Session {session.session_id}, {_day(match)}, in {session.project_path}",
        f"Summary: {session.summary}" if session.summary else "",
        f"Excerpt: {match.excerpt}" if match.excerpt and match.seq is not None else "",
        *(f"Decided: {decision}" for decision in session.decisions),
    )
    return "\n".join(one_line(line) for line in lines if line)


def _shortened(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: max(0, characters - 1)]}…"


def _name(match: Match, names: Mapping[str, str]) -> str:
    return one_line(names.get(match.session.session_id) or match.session.session_id)


def _day(match: Match) -> str:
    moment = times.parse(match.session.last_activity_at)
    return f"{moment:%Y-%m-%d}" if moment else "no date"


def _paint(text: str, style: str) -> str:
    return f"{style}{text}{_PLAIN}"


def _leave(text: str, _style: str) -> str:
    return text


def _marked(text: str, words: Sequence[str]) -> str:
    pieces, end = [], 0
    for start, stop in spans(text, words):
        pieces += [text[end:start], _paint(text[start:stop], _MARK)]
        end = stop
    return "".join([*pieces, text[end:]])
