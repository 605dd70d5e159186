"""What the index knows of a query: how common its words are, and what is near the unknown ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.search import matching
from core.search.query import SHORTEST_BEGINNING, Query, Term
from core.search.spelling import correct

if TYPE_CHECKING:
    import sqlite3

LONGEST_ENDING = 3
"""Letters by which another form of a word differs, as German's `-en` or Russian's `-ями`."""

SHORTEST_STEM = 6
"""Letters that have to be left of it: fewer begin other words, too."""

MOST_CORRECTED = 4
"""Of a text in an unknown language, the first words are tried; each takes some milliseconds."""


@dataclass(frozen=True)
class KnownWords:
    """A query as it is asked of the index."""

    query: Query
    """Its phrases stand somewhere."""
    counts: dict[Term, int]
    """The terms that some session holds, each with the number of these."""
    corrected: tuple[tuple[str, str], ...]
    """Words that stand nowhere, each with the similar one in its place."""
    unknown: tuple[Term, ...]
    """Words and phrases that no session holds."""


def known_words(db: sqlite3.Connection, query: Query) -> KnownWords:
    """Ask the index for each term. The words of a phrase that stands nowhere are terms as well."""
    phrases = tuple(phrase for phrase in query.phrases if matching.count(db, phrase))
    unknown = [phrase for phrase in query.phrases if phrase not in phrases]
    terms = [*query.terms, *(part for phrase in unknown for part in phrase.parts())]
    counts: dict[Term, int] = {}
    corrected: dict[str, str] = {}
    if query.whole and (count := matching.count(db, query.whole)):
        counts[query.whole] = count
    for term in terms:
        may_correct = len(unknown) + len(corrected) < MOST_CORRECTED
        known = term if (count := matching.count(db, term)) else _instead(db, term, may_correct)
        if known is None:
            unknown.append(term)
            continue
        counts[known] = count or matching.count(db, known)
        if known.text != term.text:
            corrected[term.text] = known.text
    if not counts:  # beside known words, other forms find more that was not meant than that was
        forms = {term: _other_form(db, term) for term in unknown[:MOST_CORRECTED]}
        counts = {form: matching.count(db, form) for form in forms.values() if form}
        unknown = [term for term in unknown if not forms.get(term)]
    known_query = replace(query, phrases=phrases)
    return KnownWords(known_query, counts, tuple(corrected.items()), tuple(unknown))


def _instead(db: sqlite3.Connection, term: Term, may_correct: bool) -> Term | None:
    """What to look for where a term stands nowhere: words that begin so, else a similar word."""
    if len(term.tokens) > 1 or term.is_prefix:
        return None
    (token,) = term.tokens
    beginning = replace(term, is_prefix=True)
    if len(token) >= SHORTEST_BEGINNING and matching.count(db, beginning):
        return beginning
    similar = correct(db, token) if may_correct else ""
    return Term(similar, (similar,)) if similar else None


def _other_form(db: sqlite3.Connection, term: Term) -> Term | None:
    """The words that a term without its ending begins; the index has stems of English only."""
    token = term.tokens[0]
    if len(term.tokens) > 1 or not token.isalpha():
        return None
    for length in range(len(token) - 1, max(len(token) - LONGEST_ENDING, SHORTEST_STEM) - 1, -1):
        form = Term(token[:length], (token[:length],), is_prefix=True)
        if matching.count(db, form):
            return form
    return None
