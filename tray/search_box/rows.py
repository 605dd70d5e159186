"""What the search box lists: a result's sessions, or the last queries, as lines to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import times
from tray.text import one_line

if TYPE_CHECKING:
    from core.search.results import Match, Result

CLEAR_LABEL = "Clear recent searches"


@dataclass(frozen=True)
class SessionRow:
    """A session that was found."""

    match: Match
    title: str
    project: str
    day: str
    excerpt: str
    """What tells it from others; empty where nothing is known beyond the title."""

    @property
    def key(self) -> str:
        """What tells this row from others."""
        return self.match.session.session_id


@dataclass(frozen=True)
class QueryRow:
    """A query of the past."""

    query: str

    @property
    def key(self) -> str:
        """What tells this row from others."""
        return self.query


@dataclass(frozen=True)
class ClearRow:
    """Forgets the queries of the past."""

    key = CLEAR_LABEL


@dataclass(frozen=True)
class NoteRow:
    """Only tells something."""

    text: str
    key = ""


Row = SessionRow | QueryRow | ClearRow | NoteRow


def of_result(result: Result, names: dict[str, str]) -> list[Row]:
    """List the sessions of a result, named by their ids, or why there is none."""
    if not result.matches:
        return [NoteRow(_why_nothing(result))]
    return [_session_row(match, names[match.session.session_id]) for match in result.matches]


def of_queries(queries: list[str]) -> list[Row]:
    """List the last queries and a line to clear them."""
    return [*(QueryRow(query) for query in queries), ClearRow()] if queries else []


def foot(result: Result | None) -> str:
    """Word the sentence below the list."""
    if result is None:
        return ""
    if result.note:
        return one_line(result.note)
    if result.corrected:
        known = ", ".join(f"“{known}” for “{typed}”" for typed, known in result.corrected)
        return f"Searched for {known}"
    if result.not_indexed:
        return f"{_sessions(result.not_indexed)} not indexed yet"
    return ""


def _session_row(match: Match, name: str) -> SessionRow:
    session = match.session
    excerpt = one_line(match.excerpt)
    if not excerpt or excerpt.startswith(one_line(name)):
        excerpt = one_line(session.summary)  # not the same words twice
    moment = times.parse(session.last_activity_at)
    return SessionRow(
        match=match,
        title=one_line(name),
        project=one_line(session.project_name),
        day=f"{moment:%Y-%m-%d}" if moment else "",
        excerpt=excerpt,
    )


def _why_nothing(result: Result) -> str:
    if not result.sessions and not result.not_indexed:
        return "No sessions are remembered yet"
    if result.not_indexed:
        return f"Nothing found so far; {_sessions(result.not_indexed)} not indexed yet"
    return "Nothing found"


def _sessions(count: int) -> str:
    return "1 session is" if count == 1 else f"{count} sessions are"
