"""Where the words of a query stand in a text: for marking them, in the page and in the terminal.

The search index decides what matches; this only shows it, so it is a little more generous than the
index with endings, and needs no database.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Scripts without spaces between words: a match may begin and end anywhere.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_LETTERS = re.compile(r"[^\W_]+")
_GAP = r"[\W_]+"
_SHORTEST_STEM = 4
_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ers"),
    *("er", "ed", "es", "s", "e", "y"),
)


def spans(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where `words` (words or phrases) stand in `text`: start and end, in order, never overlapping.

    Case, accents and common English endings are overlooked.
    """
    pattern = _pattern(tuple(words))
    return [match.span() for match in pattern.finditer(_fold(text))] if pattern else []


@lru_cache(maxsize=8)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = {part for word in words if (part := _part(_fold(word.strip())))}
    return re.compile("|".join(sorted(parts, key=len, reverse=True))) if parts else None


def _part(word: str) -> str:
    tokens = _LETTERS.findall(word)
    if _UNSPACED.search(word) or not tokens:
        return re.escape(word)
    if len(tokens) > 1:
        return rf"(?<![^\W_]){_GAP.join(map(re.escape, tokens))}(?![^\W_])"
    if tokens[0] != word:  # `C++`, `#42`: the signs matter
        return re.escape(word)
    return rf"(?<![^\W_]){_with_endings(word)}(?![^\W_])"


def _with_endings(word: str) -> str:
    if len(word) < _SHORTEST_STEM or not word.isalpha():
        return re.escape(word)
    if not word.isascii():
        return rf"{re.escape(word)}[^\W\d_]{{0,3}}"
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    stem = next((stem for stem in stems if len(stem) >= _SHORTEST_STEM), word)
    return rf"{stem}{stem[-1]}?(?:{'|'.join(_ENDINGS)})?"


class _Folded(dict[int, str]):
    """Each character without case and accent, always as one character so that places stay."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        apart = unicodedata.normalize("NFD", character)
        accents = apart[1:]
        plain = apart[0] if all("\u0300" <= accent <= "\u036f" for accent in accents) else character
        lower = plain.lower()
        self[code] = lower if len(lower) == 1 else plain
        return self[code]


_FOLDED = _Folded()


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_FOLDED)
