"""Words as the search index holds them.

The index splits text at all that is neither letter nor digit and reduces English words to their
stems (FTS5's `porter unicode61`). What that leaves out is done here, to texts and queries alike.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Chinese characters, kana and Hangul. Chinese and Japanese have no spaces between words, Korean
# words carry their endings with them, so runs of these are indexed as overlapping pairs.
_RUN = re.compile(
    "[\u3005\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_TOKEN = re.compile(r"[^\W_]+")

# Letters that people leave out or exchange when they type, and that Unicode does not take apart.
_SAME_LETTER = str.maketrans("ёЁđĐłŁøØı", "еЕdDlLoOi")

# Names that are nothing without their signs.
_SIGNED = re.compile(r"(?<!\w)(?:[cC]\+\+|[cCfF]#|\.NET\b)(?!\w)")
_SIGNED_NAMES = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}

# Endings of English words, for finding a word's place in a text without the index's own stemmer.
ENDINGS = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ers"),
    *("er", "ed", "es", "s", "e", "y"),
)
SHORTEST_STEM = 4
_INFLECTED = re.compile("[\u0370-\u052f]+")  # Greek and Cyrillic
_SHORTEST_INFLECTED, _SHORT_INFLECTED = 4, 5


def index_form(text: str) -> str:
    """`text` in the form that is indexed: one spelling for each letter, pairs for unspaced runs."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_SAME_LETTER)
        text = _RUN.sub(lambda run: paired(run[0]), text)
    if "+" in text or "#" in text or ".N" in text:
        text = _SIGNED.sub(lambda match: f" {_SIGNED_NAMES[match[0].lower()]} ", text)
    return text


def tokens(text: str) -> list[str]:
    """The tokens of a text as the index splits it, in lower case, not reduced to stems."""
    return _TOKEN.findall(index_form(text).lower())


def query_tokens(text: str) -> list[str]:
    """As `tokens`, without the last characters of runs, which stand in their last pair already."""
    found = tokens(text)
    return [
        token
        for before, token in zip(("", *found), found, strict=False)
        if not (len(token) == 1 and len(before) == 2 and before[1] == token and is_unspaced(before))
    ]


def is_unspaced(token: str) -> bool:
    """Whether a token is a piece of a run of Chinese, Japanese or Korean characters."""
    return _RUN.fullmatch(token) is not None


def is_lone(token: str) -> bool:
    """Whether a token is one such character, which the index holds at the beginning of pairs."""
    return len(token) == 1 and is_unspaced(token)


def inflected_beginning(token: str) -> str:
    """What a word's forms have in common in a script that the index's stemmer doesn't know."""
    if len(token) < _SHORTEST_INFLECTED or not _INFLECTED.fullmatch(token):
        return token
    return token[: -1 if len(token) <= _SHORT_INFLECTED else -2]


def stem(token: str) -> str:
    """The beginning that a word's forms share: `deploy` for `deploying`."""
    for ending in ENDINGS:
        if token.endswith(ending) and len(token) - len(ending) >= SHORTEST_STEM:
            return token.removesuffix(ending)
    return token


def fold(text: str) -> str:
    """`text` in lower case without accents, a space for each sign; places stay where they are."""
    return text.translate(_FOLDED)


class _Folded(dict[int, str]):
    def __missing__(self, code: int) -> str:
        character = chr(code).translate(_SAME_LETTER)
        first, *rest = list(unicodedata.normalize("NFD", character))
        is_accented = rest and all("\u0300" <= mark <= "\u036f" for mark in rest)
        plain = (first if is_accented else character).lower()
        self[code] = plain if plain.isalnum() and len(plain) == 1 else " "
        return self[code]


_FOLDED = _Folded()


def paired(run: str) -> str:
    """All pairs of a run, and its last character alone, so that each character begins a token."""
    return f" {' '.join(run[at : at + 2] for at in range(len(run)))} "


def joined(pairs: Iterable[str]) -> list[str]:
    """The runs that overlapping pairs were made of; all other texts are passed over."""
    runs: list[str] = []
    before = ""
    for pair in pairs:
        if len(pair) == 2 and is_unspaced(pair):
            if before.endswith(pair[0]):
                runs[-1] += pair[1]
            else:
                runs.append(pair)
            before = pair
        else:
            before = ""
    return runs
