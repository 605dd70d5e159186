"""What a search returns: data for the terminal, the page and the search box alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.sessions import Session


@dataclass(frozen=True)
class Match:
    """One session that answers a query."""

    session: Session
    score: float
    """Higher is better; comparable within one result only."""
    excerpt: str
    """The matching place in the conversation or summary, plain text, a few hundred characters."""
    seq: int | None
    """The exchange that the excerpt is from; None where it is from the summary."""


@dataclass(frozen=True)
class Result:
    """The answer to one query."""

    query: str
    """What the person typed."""
    matches: tuple[Match, ...]
    words: tuple[str, ...]
    """What was looked for, for marking: words and phrases in plain form; `*` ends a beginning."""
    sessions: int
    """How many sessions were looked through."""
    not_indexed: int = 0
    """How many sessions the index does not hold yet."""
    corrected: tuple[tuple[str, str], ...] = ()
    """Words that stand nowhere, each with the known word that was looked for in its place."""
    note: str = ""
    """A sentence where the query needs one, e.g. that it held no word to look for."""
