"""Asking the index: how many sessions hold a term, and which of them answer a query."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.search.words import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from core.search.query import Query, Term


_TEXTS = ("title", "summary", "topics", "decisions", "search_terms", "conversation")
_TEXTS_READ = 20


@dataclass(frozen=True)
class Candidate:
    """A session that the index found."""

    session_id: str
    score: float
    """BM25, higher is better."""
    characters: int
    """How long the conversation is."""


def count(db: sqlite3.Connection, term: Term) -> int:
    """How many sessions hold `term`."""
    row = db.execute(
        "SELECT count(*) FROM sessions_fts WHERE sessions_fts MATCH ?", (term.match,)
    ).fetchone()
    return int(row[0])


def is_written(db: sqlite3.Connection, term: Term) -> bool:
    """Whether some session that holds `term` has it as it is, not only a word of the same stem."""
    rows = db.execute(
        f"SELECT {' || char(10) || '.join(_TEXTS)} FROM sessions_fts WHERE sessions_fts MATCH ?"
        " LIMIT ?",
        (term.match, _TEXTS_READ),
    )
    word = f" {fold(' '.join(term.tokens))} "
    return any(word in f" {fold(text)} " for (text,) in rows)


def candidates(
    db: sqlite3.Connection, query: Query, terms: Iterable[Term], limit: int
) -> list[Candidate]:
    """The `limit` sessions that BM25 puts first, the best first.

    They hold any of `terms`, and all that the query demands.
    """
    within, values = _within(db, query)
    rows = db.execute(
        "SELECT session_id, score, indexed_characters FROM ("
        "SELECT rowid AS id, -bm25(sessions_fts) AS score FROM sessions_fts"
        f" WHERE sessions_fts MATCH ? {within and f'AND +rowid IN ({within})'}"
        " ORDER BY score DESC LIMIT ?"
        ") JOIN sessions USING (id)",
        (_expression(query, terms), *values, limit),
    )
    return [Candidate(*row) for row in rows]


def latest(db: sqlite3.Connection, query: Query, limit: int) -> list[str]:
    """The ids of the sessions that were active last, of those that the query allows."""
    within, values = _within(db, query)
    without = " OR ".join(term.match for term in query.excluded)
    conditions = [f"id IN ({within})"] if within else []
    if without:
        conditions.append("id NOT IN (SELECT rowid FROM sessions_fts WHERE sessions_fts MATCH ?)")
        values.append(without)
    rows = db.execute(
        f"SELECT session_id FROM sessions {'WHERE' if conditions else ''}"
        f" {' AND '.join(conditions)} ORDER BY last_activity_at DESC LIMIT ?",
        (*values, limit),
    )
    return [session_id for (session_id,) in rows]


def count_within(db: sqlite3.Connection, query: Query) -> int:
    """How many sessions there are in the projects and the time of the query."""
    within, values = _within(db, query)
    return int(db.execute(f"SELECT count(*) FROM ({within})", values).fetchone()[0])


def _expression(query: Query, terms: Iterable[Term]) -> str:
    """The FTS5 expression: any of the terms, all of the phrases, nothing of the excluded."""
    any_of = " OR ".join(term.match for term in (*query.phrases, *terms))
    demanded = " AND ".join([*(phrase.match for phrase in query.phrases), f"({any_of})"])
    excluded = " OR ".join(term.match for term in query.excluded)
    return f"({demanded}) NOT ({excluded})" if excluded else demanded


def _within(db: sqlite3.Connection, query: Query) -> tuple[str, list[str]]:
    """A SELECT of the sessions in the query's projects and time, empty for all; with its values."""
    conditions, values = [], []
    if query.projects:
        conditions.append("project_path IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(_paths(db, query.projects)))
    if query.within.since:
        conditions.append("coalesce(last_activity_at, started_at) >= ?")
        values.append(query.within.since)
    if query.within.until:
        conditions.append("coalesce(started_at, last_activity_at) < ?")
        values.append(query.within.until)
    return (
        (f"SELECT id FROM sessions WHERE {' AND '.join(conditions)}", values)
        if values
        else ("", [])
    )


def _paths(db: sqlite3.Connection, names: Iterable[str]) -> list[str]:
    """The paths of the projects whose name or path holds one of `names`, in any case."""
    wanted = [name.casefold() for name in names]
    known = db.execute("SELECT DISTINCT project_path, project_name FROM sessions").fetchall()
    return [
        path for path, name in known if any(part in f"{name}\n{path}".casefold() for part in wanted)
    ]
