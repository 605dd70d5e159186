"""Where the words of a query stand in a text: for marking them, in the page and in the terminal.

The search index decides what matches; this only shows it, and needs no database.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from core.search.words import ENDINGS, SHORTEST_STEM, fold, is_unspaced, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

# From this length on, whatever begins with a word is taken for a form of it. `rest` is not one of
# `restart`, but `config` is one of `configuration`.
_TELLING = 6
_ANY_ENDING = f"(?:{'|'.join(ENDINGS)})?(?![^ ])"


def spans(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where `words` (words or phrases) stand in `text`: start and end, in order, never overlapping.

    Case, accents and the signs inside a phrase are overlooked, and so are endings of English words.
    A word that ends in `*` stands for all that begin so.
    """
    worded, signed = _patterns(tuple(words))
    found = [match.span() for match in worded.finditer(fold(text))] if worded else []
    if signed:
        found += [match.span() for match in signed.finditer(text)]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


@lru_cache(maxsize=8)
def _patterns(words: tuple[str, ...]) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Compile what to look for in the folded text, and in the text as it is (`C++`)."""
    stripped = sorted(filter(None, map(str.strip, words)), key=len, reverse=True)
    tokens = {word: fold(word).split() for word in stripped}
    signed = [word for word in stripped if len("".join(tokens[word])) < min(len(word), 3)]
    worded = [
        _worded(tokens[word], is_beginning=word.endswith("*"))
        for word in stripped
        if word not in signed
    ]
    return _any_of(worded), _any_of(map(re.escape, signed))


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(patterns)
    return re.compile(joined, re.IGNORECASE) if joined else None


def _worded(tokens: list[str], *, is_beginning: bool) -> str:
    if any(map(is_unspaced, "".join(tokens))):  # may begin and end within a run of characters
        return " +".join(map(re.escape, tokens))
    whole = rf"(?<![^ ]){' +'.join(map(re.escape, tokens))}"
    if is_beginning:
        return rf"{whole}[^ ]*"
    if len(tokens) > 1 or len(tokens[0]) < SHORTEST_STEM:
        return rf"{whole}(?![^ ])"
    (token,) = tokens
    beginning = re.escape(stem(token))
    return rf"(?<![^ ]){beginning}" + (
        "[^ ]*" if len(token) >= _TELLING else f"{re.escape(token[-1])}?{_ANY_ENDING}"
    )
