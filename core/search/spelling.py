"""Did you mean: the known word that is nearest to one that stands nowhere.

There is no dictionary to fall out of date: the index itself is asked for the words that are one
slip of the fingers away, and among the longer ones also two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.search import matching
from core.search.query import Term

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

_SHORTEST = 4
_SHORTEST_LESS_SURE = 5
_LONGEST = 30


def correct(db: sqlite3.Connection, word: str) -> str:
    """The known word nearest to `word`, a token in lower case; empty where there is none."""
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return ""
    for slip in _SLIPS if len(word) >= _SHORTEST_LESS_SURE else _SLIPS[:1]:
        if known := _known(db, slip(word)):
            return known
    return ""


def _known(db: sqlite3.Connection, candidates: Iterable[str]) -> str:
    """The candidate that stands in most sessions."""
    counts = {word: matching.count(db, _term(word)) for word in set(candidates)}
    held = sorted((word for word in counts if counts[word]), key=lambda word: (-counts[word], word))
    # The index knows stems: `promisent` would be found in a session with `promise`.
    return next((word for word in held if matching.is_written(db, _term(word))), "")


def _term(word: str) -> Term:
    return Term(word, (word,))


def _exchanged(word: str) -> Iterator[str]:
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _one_too_many(word: str) -> Iterator[str]:
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


def _one_missing(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        for letter in _alphabet(word):
            yield word[:at] + letter + word[at:]


def _one_wrong(word: str) -> Iterator[str]:
    for at in range(len(word)):
        for letter in _alphabet(word):
            yield word[:at] + letter + word[at + 1 :]


_SLIPS = (_exchanged, _one_too_many, _one_missing, _one_wrong)


def _alphabet(word: str) -> str:
    """The letters of the script that the word begins with."""
    return (
        "абвгдежзийклмнопрстуфхцчшщъыьэюя" if word[0] >= "\u0400" else "abcdefghijklmnopqrstuvwxyz"
    )
