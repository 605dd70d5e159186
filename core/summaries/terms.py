"""The terms that stand out in a conversation: what somebody would type weeks later.

No dictionary and no corpus, so no rarity is known. Form tells instead: file names, identifiers,
error names, flags and proper names are rare by nature, and so are words said again and again.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from core.search.stop_words import is_stop_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True)
class _Form:
    """One form of term, what it weighs, and how often it must be said to count."""

    expression: re.Pattern[str]
    weight: float
    least: int = 1


_FORMS = (
    _Form(re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:Error|Exception|Warning|Failure)\b"), 5.0),
    _Form(re.compile(r"\b(?:E[A-Z]{4,}|[A-Z]{2,5}\d{3,5})\b"), 5.0),  # ECONNREFUSED, TS2345
    _Form(
        re.compile(r"(?<![\w./\\~-])[\w./\\~-]*\w\.(?!\d)[A-Za-z][A-Za-z0-9]{0,5}\b(?![\w(/])"), 4.0
    ),  # files
    _Form(re.compile(r"(?<![\w-])--[a-z][a-z0-9-]{2,30}\b"), 3.5),  # flags
    _Form(
        re.compile(r"(?<![\w./\\-])[A-Za-z]\w*_\w+(?![\w/\\]|\.\w)"), 3.5
    ),  # snake_case, CONSTANT_CASE
    _Form(re.compile(r"(?<![\w./\\-])[A-Za-z]+[a-z0-9][A-Z]\w*(?![\w/\\]|\.\w)"), 3.5),  # camelCase
    _Form(re.compile(r"(?<![\w./\\-])[a-z][a-z0-9]+(?:-[a-z0-9]+)+(?![\w/\\-]|\.\w)"), 1.5),
    _Form(re.compile(r"(?<![\w./\\-])[A-Z][A-Z0-9]{1,6}(?![\w./\\-])"), 2.0, 2),  # JWT, HTTP2
    _Form(re.compile(r"(?<=[^\W\d_][ ,;])[A-ZÀ-ÞА-Я][^\W\d_]{2,}(?:[ .][A-Z0-9]\w*)?"), 2.0),
    _Form(re.compile(r"[ァ-ヺー]{3,}"), 3.0),
    _Form(re.compile(r"(?<![\w./\\-])[A-Za-zÀ-ӿ]{6,}(?![\w/\\-]|\.\w)"), 1.0, 2),
)
_UNSPACED_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
_UNSPACED_WEIGHT, _UNSPACED_LEAST = 1.5, 3
_PARTICLES = frozenset("的了是我你他她它们在有和就不也这那吗呢吧都要会能可把被与及或一个上下中来去")
_LONGEST = 60  # characters; beyond is no term but a text
_MOST_TEXT = 150_000  # characters looked at; the form of later ones is the same

_COMMON_WORDS = (
    "should please because before between without through actually already another anything "
    "change changed changes something everything really right there these those would could "
    "about after again always either instead itself little maybe might never nothing other "
    "perhaps rather since still their though under until using where whether which while "
    "within looking thing things working function return default single number result "
    "results however therefore currently updated update create created adding added remove "
    "removed making having taking getting coming giving seeing saying trying wanted wants "
    "needed helping happen happens happened around across almost enough especially exactly "
    "finally mostly nearly often quickly simply slowly sometimes usually definitely "
    "absolutely probably totally better best bigger biggest certain clear common different "
    "difference difficult easier excited amazing awesome special perfect possible important "
    "example everyone everybody someone somebody anyone anybody nobody people person others "
    "together yesterday tomorrow tonight morning afternoon evening midnight minute minutes "
    "second seconds months monday tuesday wednesday thursday friday saturday sunday january "
    "february march april june july august september october november december lately "
    "recently earlier later behind beside inside outside thanks thank welcome sounds "
    "appreciate sorry starting started starts stopped called calling hinter gegen gestern "
    "morgen einmal immer vielleicht eigentlich anfang danke bitte sekunden minuten stunden "
    "nicht einen einer diese dieser werden können jetzt wurde nachdem zwischen cette comme "
    "dans avec votre faire peut être también puede cuando donde porque можно нужно теперь "
    "сейчас чтобы который которые только после während "
)
_COMMON = frozenset(_COMMON_WORDS.split())


def telling_terms(texts: Sequence[str], limit: int) -> list[str]:
    """The `limit` terms that stand out most, the strongest first. Earlier texts weigh more."""
    counts: Counter[str] = Counter()
    weights: dict[str, float] = {}
    spelling: dict[str, str] = {}
    for term, weight in _candidates("\n".join(texts)[:_MOST_TEXT]):
        key = term.casefold()
        counts[key] += 1
        spelling.setdefault(key, term)
        weights[key] = max(weight, weights.get(key, 0.0))
    opening = texts[0].casefold() if texts else ""
    scores = {
        key: weights[key] * log2(1 + counts[key]) * (1.5 if key in opening else 1.0)
        for key in weights
    }
    ranked = sorted(scores, key=lambda key: (-scores[key], key))
    return [spelling[key] for key in _without_parts(ranked, limit)]


def _candidates(text: str) -> Iterator[tuple[str, float]]:
    for form in _FORMS:
        found = [match[0].strip("./\\") for match in form.expression.finditer(text)]
        often = Counter(term.casefold() for term in found)
        for term in found:
            key = term.casefold()
            says_little = key in _COMMON or is_stop_word(key)
            if often[key] >= form.least and 2 < len(term) <= _LONGEST and not says_little:
                yield term, form.weight
    yield from ((term, _UNSPACED_WEIGHT) for term in _unspaced(text))


def _unspaced(text: str) -> Iterator[str]:
    """Pieces of Chinese characters that are said again and again, since no spaces part words."""
    pieces: Counter[str] = Counter()
    for run in _UNSPACED_RUN.findall(text):
        for size in (2, 3, 4):
            pieces.update(run[at : at + size] for at in range(len(run) - size + 1))
    often = {piece: count for piece, count in pieces.items() if count >= _UNSPACED_LEAST}
    # A piece that mostly stands in the same longer one is no term by itself.
    within: Counter[str] = Counter()
    for piece, count in often.items():
        for part in (piece[1:], piece[:-1]):
            within[part] = max(within[part], count)
    for piece, count in often.items():
        if 2 * within[piece] <= count and not _PARTICLES.intersection(piece):
            yield from [piece] * count


def _without_parts(ranked: Iterable[str], limit: int) -> list[str]:
    """The first terms, none of them a part of another that is chosen already."""
    chosen: list[str] = []
    for key in ranked:
        if not any(key in other for other in chosen):
            chosen.append(key)
        if len(chosen) == limit:
            break
    return chosen
