"""Search: the sessions that answer a query, the best first.

FTS5 finds the sessions that hold any of the words and ranks them by BM25. The first of these are
then looked at more closely: words that stand together in one exchange answer better than the same
words far apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from core import index, matching
from core.excerpt import best_place
from core.query import SHORTEST_BEGINNING, Query, Term, parse
from core.results import Match, Result
from core.sessions import get_sessions
from core.spelling import correct

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from core.sessions import Session

FRESHEN_SECONDS = 0.3
"""How long a search brings the index up to date before it answers from what there is."""

CANDIDATES = 50
CLOSER_LOOK = 12
MOST_TERMS = 24
"""Of a long query, the rarest terms find the sessions."""

MOST_LISTED = 5
MOST_CORRECTED = 4
"""Of a text in an unknown language, the first words are tried; each takes some milliseconds."""

# What each step is worth: `python -m tests.benchmarks.retrieval`.
TOGETHER = 1.5
"""A session that holds the whole query in one exchange, or in its summary, gains so much."""
LONG, DAMPING = 4, 0.15
"""A session over LONG times the usual length has some of everything: it loses by this power."""
ABOUT = 0.5
"""A session of the time that the query names in passing gains so much."""

_EMPTY = "Nothing is remembered yet. A session comes in once Claude Code has answered in it."


@dataclass(frozen=True)
class _Wanted:
    """What is looked for, once the index was asked what it knows."""

    query: Query
    counts: dict[Term, int]
    """The terms that some session holds, each with the number of these."""
    corrected: tuple[tuple[str, str], ...] = ()
    unknown: tuple[Term, ...] = ()
    """Words and phrases that no session holds."""


def search(
    db: sqlite3.Connection,
    text: str,
    *,
    limit: int = 5,
    typing: bool = False,
    now: datetime | None = None,
) -> Result:
    """The `limit` sessions that answer `text` best. Any text will do, see `core.query`.

    While somebody is `typing`, the last word counts as the beginning of one. `now` is what
    `yesterday` is reckoned from. Without words, the latest sessions are given.
    """
    not_indexed = index.bring_up_to_date(db, seconds=FRESHEN_SECONDS)
    query = parse(text, now or datetime.now().astimezone(), typing=typing)
    wanted = _wanted(db, query)
    if wanted.counts or wanted.query.phrases:
        matches = _ranked(db, wanted, limit)
    elif query.terms or query.phrases or (text.strip() and not query.narrows):
        matches = ()
    else:
        matches = _latest(db, query, limit)
    sessions = matching.count_within(db, query) if query.narrows else index.size(db)
    return Result(
        query=text,
        matches=matches,
        words=_words(wanted),
        sessions=sessions,
        not_indexed=not_indexed,
        corrected=wanted.corrected,
        note=_note(query, wanted, sessions, not_indexed, found=bool(matches)),
    )


def _wanted(db: sqlite3.Connection, query: Query) -> _Wanted:
    """Ask the index for the terms. An unknown word gives way to a known one."""
    phrases = tuple(phrase for phrase in query.phrases if matching.count(db, phrase))
    missed = [phrase for phrase in query.phrases if phrase not in phrases]
    counts: dict[Term, int] = {}
    corrected: dict[str, str] = {}
    unknown = list(missed)
    if query.whole and (count := matching.count(db, query.whole)):
        counts[query.whole] = count
    for term in (*query.terms, *(part for phrase in missed for part in phrase.parts())):
        if count := matching.count(db, term):
            counts[term] = count
            continue
        may_correct = len(unknown) + len(corrected) < MOST_CORRECTED
        known = _instead(db, term, may_correct=may_correct)
        if known is None:
            unknown.append(term)
            continue
        counts[known] = matching.count(db, known)
        if not known.is_prefix:
            corrected[term.text] = known.text
    return _Wanted(
        replace(query, phrases=phrases), counts, tuple(corrected.items()), tuple(unknown)
    )


def _instead(db: sqlite3.Connection, term: Term, *, may_correct: bool) -> Term | None:
    """What to look for where a term stands nowhere: words that begin so, else a similar word."""
    if len(term.tokens) > 1 or term.is_prefix:
        return None
    (token,) = term.tokens
    beginning = replace(term, is_prefix=True)
    if len(token) >= SHORTEST_BEGINNING and matching.count(db, beginning):
        return beginning
    similar = correct(db, token) if may_correct else ""
    return Term(similar, (similar,)) if similar else None


def _ranked(db: sqlite3.Connection, wanted: _Wanted, limit: int) -> tuple[Match, ...]:
    query, counts = wanted.query, wanted.counts
    sessions = index.size(db)
    rarest = sorted(counts, key=lambda term: counts[term])[:MOST_TERMS]
    # BM25 gives no weight to what stands in half of all sessions, and it takes the most time.
    telling = [term for term in rarest if counts[term] * 2 < sessions] or rarest
    scores = _scores(db, query, telling, max(CANDIDATES, limit))
    weights = {term: _rarity(counts.get(term, 1), sessions) for term in (*query.phrases, *rarest)}
    found = get_sessions(db, scores)
    first = sorted(found, key=lambda session: scores[session], reverse=True)
    looked_at = [
        _match(db, found[session], scores[session], weights)
        for session in first[: max(CLOSER_LOOK, limit)]
    ]
    looked_at.sort(key=lambda match: (match.score, match.session.last_activity_at), reverse=True)
    return tuple(looked_at[:limit])


def _scores(
    db: sqlite3.Connection, query: Query, terms: list[Term], limit: int
) -> dict[str, float]:
    """The scores of the sessions that the index finds, by id."""
    long = LONG * max(1, index.usual_length(db))

    def found(query: Query, gain: float) -> dict[str, float]:
        return {
            each.session_id: gain * each.score * max(1, each.characters / long) ** -DAMPING
            for each in matching.candidates(db, query, terms, limit)
        }

    scores = found(query, 1)
    if query.about:
        scores |= found(replace(query, within=query.about), 1 + ABOUT)
    return scores


def _rarity(count: int, sessions: int) -> float:
    """What a term that `count` of the sessions hold tells (BM25's IDF, never negative)."""
    return math.log(1 + (sessions - count + 0.5) / (count + 0.5))


def _match(
    db: sqlite3.Connection, session: Session, score: float, weights: Mapping[Term, float]
) -> Match:
    place = best_place(db, session, weights)
    return Match(session, score * (1 + TOGETHER * place.share), place.excerpt, place.seq)


def _latest(db: sqlite3.Connection, query: Query, limit: int) -> tuple[Match, ...]:
    ids = matching.latest(db, query, limit)
    found = get_sessions(db, ids)
    return tuple(_match(db, found[session], 0.0, {}) for session in ids)


def _words(wanted: _Wanted) -> tuple[str, ...]:
    """What to mark: as it was typed, or the word that was looked for in its place."""
    return tuple(dict.fromkeys(term.text for term in (*wanted.query.phrases, *wanted.counts)))


def _note(query: Query, wanted: _Wanted, sessions: int, not_indexed: int, *, found: bool) -> str:
    """What a person should know about this answer, in sentences."""
    notes = list(query.notes)
    if query.excluded:
        notes.append(f"Without sessions that hold {_listed(query.excluded)}.")
    if wanted.unknown and sessions:
        notes.append(f"No session holds {_listed(wanted.unknown)}.")
    elif not found and not sessions:
        notes.append("There are no sessions to look through." if query.narrows else _EMPTY)
    elif not found and not (query.terms or query.phrases):
        notes.append("There is no word to look for.")
    elif not found:
        notes.append("No session answers that.")
    if not_indexed:
        counted = "1 session is" if not_indexed == 1 else f"{not_indexed} sessions are"
        notes.append(f"{counted} not indexed yet; search again in a moment.")
    return " ".join(notes)


def _listed(terms: Iterable[Term]) -> str:
    texts = list(dict.fromkeys(term.text for term in terms))
    listed = ", ".join(f"“{text}”" for text in texts[:MOST_LISTED])
    return listed if len(texts) <= MOST_LISTED else f"{listed} and {len(texts) - MOST_LISTED} more"
