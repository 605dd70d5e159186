"""Search: the sessions that answer what somebody typed, and what to know about the answer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from core.search import index, matching
from core.search.known_words import KnownWords, known_words
from core.search.query import Query, Term, parse
from core.search.ranking import look_at, rank
from core.search.results import Match, Result
from core.search.words import is_lone, joined
from core.sessions import get_sessions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

FRESHEN_SECONDS = 0.3
"""How long a search brings the index up to date before it answers from what there is."""

_MOST_LISTED = 5
_EMPTY = "Nothing is remembered yet. A session comes in once Claude Code has answered in it."


def search(
    db: sqlite3.Connection,
    text: str,
    *,
    limit: int = 5,
    typing: bool = False,
    now: datetime | None = None,
) -> Result:
    """The `limit` sessions that answer `text` best. Any text will do, see `core.search.query`.

    While somebody is `typing`, the last word counts as the beginning of one. `now` is what
    `yesterday` is reckoned from. Without words, the latest sessions are given.
    """
    not_indexed = index.bring_up_to_date(db, seconds=FRESHEN_SECONDS)
    query = parse(text, now or datetime.now().astimezone(), typing=typing)
    known = known_words(db, query)
    sessions = matching.count_within(db, query) if query.narrows else index.size(db)
    matches = _matches(db, known, text, limit)
    return Result(
        query=text,
        matches=matches,
        words=_words(known),
        sessions=sessions,
        not_indexed=not_indexed,
        corrected=known.corrected,
        note=_note(known, sessions, not_indexed, found=bool(matches)),
    )


def _matches(db: sqlite3.Connection, known: KnownWords, text: str, limit: int) -> tuple[Match, ...]:
    query = known.query
    if known.counts or query.phrases:
        return rank(db, known, limit)
    if known.unknown or (text.strip() and not query.narrows):
        return ()
    latest = matching.latest(db, query, limit)
    found = get_sessions(db, latest)
    return tuple(look_at(db, found[session_id], 0.0, {}) for session_id in latest)


def _words(known: KnownWords) -> tuple[str, ...]:
    """What to mark: as it was typed, or the word that was looked for in its place."""
    terms = (*known.query.phrases, *known.counts)
    texts = [_marking(term) for term in terms]
    return tuple(dict.fromkeys([*texts, *joined(texts)]))


def _marking(term: Term) -> str:
    """A term as `core.display.marks` knows it."""
    is_word = term.is_prefix and not is_lone(term.tokens[-1])
    return f"{' '.join(term.tokens)}*" if is_word else term.text


def _note(known: KnownWords, sessions: int, not_indexed: int, *, found: bool) -> str:
    query = known.query
    notes = list(query.notes)
    if query.excluded:
        notes.append(f"Without sessions that hold {_listed(query.excluded)}.")
    if known.unknown and sessions:
        notes.append(f"No session holds {_listed(known.unknown)}.")
    elif not found and not not_indexed:
        notes.append(_why_nothing(query, sessions))
    if not_indexed:
        counted = "1 session is" if not_indexed == 1 else f"{not_indexed} sessions are"
        notes.append(f"{counted} not indexed yet; search again in a moment.")
    return " ".join(notes)


def _why_nothing(query: Query, sessions: int) -> str:
    if query.narrows:
        return "No session of that project or time answers this."
    if not sessions:
        return _EMPTY
    if not (query.terms or query.phrases):
        return "There is no word to look for."
    return "No session answers this."


def _listed(terms: Iterable[Term]) -> str:
    texts = list(dict.fromkeys(term.text for term in terms))
    listed = ", ".join(f"“{text}”" for text in texts[:_MOST_LISTED])
    left = len(texts) - _MOST_LISTED
    return f"{listed} and {left} more" if left > 0 else listed
