"""The place in a session that answers a query best: where most of its words stand together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.search.words import fold, is_unspaced, stem

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from core.search.query import Term
    from core.sessions import Session

EXCERPT_CHARACTERS = 280
_BEFORE_MATCH = 60
_CHARACTERS_SEARCHED = 400_000  # of one session; in a longer one the index still finds all
_OCCURRENCES = 30
_EXACT = 3  # characters: `api` should not be found in `apiary`


@dataclass(frozen=True)
class Place:
    """A place in a session."""

    share: float
    """How much of the query stands in this one place, by the weight of its terms: 0 to 1."""
    excerpt: str
    seq: int | None
    """The exchange; None for the summary."""


def best_place(db: sqlite3.Connection, session: Session, weights: Mapping[Term, float]) -> Place:
    """The exchange with most of the terms by weight; the summary where that holds far more."""
    needles = [(_needle(term), weight) for term, weight in weights.items()]
    total = sum(weights.values()) or 1.0
    in_summary = _found(_written_about(db, session), needles)
    best, best_text, best_seq = 0.0, "", None
    for seq, text in _exchanges(db, session):
        found = _found(text, needles)
        if found > best or best_seq is None:
            best, best_text, best_seq = found, text, seq
    share = max(best, in_summary) / total
    if session.summary and best < in_summary / 2:
        return Place(share, _cut(session.summary, needles), None)
    return Place(share, _cut(best_text, needles), best_seq)


def _found(text: str, needles: Sequence[tuple[str, float]]) -> float:
    """The weight of the needles that stand in a text."""
    folded = f" {fold(text)} "
    return sum(weight for needle, weight in needles if needle in folded)


def _written_about(db: sqlite3.Connection, session: Session) -> str:
    """All that the summarizer wrote, the search terms that nobody sees among it."""
    (terms,) = db.execute(
        "SELECT search_terms FROM sessions WHERE session_id = ?", (session.session_id,)
    ).fetchone()
    about = (session.title, session.summary, *session.topics, *session.decisions)
    return "\n".join((*about, *json.loads(terms)))


def _exchanges(db: sqlite3.Connection, session: Session) -> Iterator[tuple[int, str]]:
    left = _CHARACTERS_SEARCHED
    rows = db.execute(
        "SELECT seq, text FROM exchanges WHERE session_id = ? ORDER BY seq", (session.session_id,)
    )
    for seq, text in rows:
        yield seq, text[:left]
        left -= len(text)
        if left <= 0:
            break


def _needle(term: Term) -> str:
    """What to look for in a folded text with a space at either end."""
    *before, last = map(fold, term.tokens)
    if is_unspaced(last):
        return "".join(token[0] if is_unspaced(token) else f"{token} " for token in before) + last
    exact = len(last) <= _EXACT and not term.is_prefix
    return " " + " ".join([*before, f"{last} " if exact else stem(last)])


def _cut(text: str, needles: Sequence[tuple[str, float]]) -> str:
    """The passage of the text with the most weight of needles in it, on one line."""
    if len(text) <= EXCERPT_CHARACTERS:
        return " ".join(text.split())
    start = max(0, _densest(f" {fold(text)} ", needles) - _BEFORE_MATCH)
    start = min(start, len(text) - EXCERPT_CHARACTERS)
    if start and " " in text[start : start + _BEFORE_MATCH // 2]:
        start = text.index(" ", start) + 1
    end = start + EXCERPT_CHARACTERS
    passage = " ".join(text[start:end].split())
    if end < len(text) and " " in passage[-20:]:
        passage = passage.rpartition(" ")[0]
    return f"{'… ' if start else ''}{passage}{' …' if end < len(text) else ''}"


def _densest(folded: str, needles: Sequence[tuple[str, float]]) -> int:
    places = sorted(
        (at, needle, weight) for needle, weight in needles for at in _occurrences(folded, needle)
    )
    best, best_at = 0.0, 0
    for number, (at, _, _) in enumerate(places):
        near: dict[str, float] = {}
        for other, needle, weight in places[number:]:
            if other > at + EXCERPT_CHARACTERS - 2 * _BEFORE_MATCH:
                break
            near[needle] = weight
        if sum(near.values()) > best:
            best, best_at = sum(near.values()), at
    return best_at


def _occurrences(folded: str, needle: str) -> list[int]:
    places: list[int] = []
    at = folded.find(needle)
    while at >= 0 and len(places) < _OCCURRENCES:
        places.append(at)
        at = folded.find(needle, at + 1)
    return places
