"""Ranking: the sessions that hold words of a query, the best answer first.

BM25 makes the first choice. What it can't see decides among these: whether the words stand together
in one exchange, whether a session holds some of everything because it is so long, and whether it is
from the time that the query names. What each step is worth: `python -m tests.benchmarks.retrieval`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from core.search import index, matching
from core.search.excerpt import best_place
from core.search.results import Match
from core.sessions import get_sessions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from core.search.known_words import KnownWords
    from core.search.query import Query, Term
    from core.sessions import Session

MOST_TERMS = 24
"""Of a long query, the rarest terms find the sessions."""
CANDIDATES = 50
"""How many sessions BM25 chooses, unless more results are asked for."""
CLOSER_LOOK = 12
"""How many of these are read."""

TOGETHER = 1.5
"""A session that holds the whole query in one exchange, or in its summary, gains so much."""
LONG, DAMPING = 4, 0.1
"""A session of LONG times the usual length holds some of everything. A longer one loses by this
power of its length. On our own collections that changes little; on 140 real sessions, whose lengths
differ a thousandfold, damping by length brought two points at hit@5."""
ABOUT = 0.5
"""A session of the time that the query names in passing gains so much."""


def rank(db: sqlite3.Connection, known: KnownWords, limit: int) -> tuple[Match, ...]:
    """The `limit` best answers. Of equal ones, the latest active comes first."""
    sessions = index.size(db)
    terms = sorted(known.counts, key=lambda term: known.counts[term])[:MOST_TERMS]
    # BM25 gives no weight to what stands in half of all sessions, and it takes the most time.
    telling = [term for term in terms if known.counts[term] * 2 < sessions] or terms
    scores = _scores(db, known.query, telling, max(CANDIDATES, limit))
    first = sorted(scores, key=lambda session_id: scores[session_id], reverse=True)
    weights = {
        term: _rarity(known.counts.get(term, 1), sessions)
        for term in (*known.query.phrases, *terms)
    }
    read = get_sessions(db, first[: max(CLOSER_LOOK, limit)])
    looked_at = [
        look_at(db, session, scores[session_id], weights) for session_id, session in read.items()
    ]
    looked_at.sort(key=lambda match: (match.score, match.session.last_activity_at), reverse=True)
    return tuple(looked_at[:limit])


def look_at(
    db: sqlite3.Connection, session: Session, score: float, weights: Mapping[Term, float]
) -> Match:
    """A session with the place in it that answers best, which raises the score."""
    place = best_place(db, session, weights)
    return Match(session, score * (1 + TOGETHER * place.share), place.excerpt, place.seq)


def _scores(
    db: sqlite3.Connection, query: Query, terms: Sequence[Term], limit: int
) -> dict[str, float]:
    """What the index finds, by session id."""
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
    """What a term tells that `count` of the sessions hold (BM25's IDF, never negative)."""
    return math.log(1 + (sessions - count + 0.5) / (count + 0.5))
