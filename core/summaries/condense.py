"""Condensing a session to a bounded size: what a summarizer gets to read.

The first request and the last state are kept, decisions come next, and the middle is thinned
evenly. Long pastes and code are cut with a mark. Whatever the session's length, the result stays
within the budget.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.privacy.redact import redact
from core.summaries.cues import tells_decision
from core.summaries.prices import BYTES_PER_TOKEN, tokens_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.sessions import Exchange

LEFT_OUT = re.compile(r"\[… [^\]\n]* left out …\]")
"""The marks where something was cut."""

_CODE_BLOCK = re.compile(r"^(```|~~~)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE_LINES_KEPT = 8
_TURN_OVERHEAD = 12  # tokens: the speaker, line breaks, how many turns are left out before it
_LEAST_PER_TURN = 80  # tokens; a shorter piece says nothing

_MARK_BYTES = 50  # of "[… 1,234,567 characters left out …]"

_MOST_FOR_AN_END = 0.22  # of the budget, for each of: first request, last request, last answer


@dataclass(frozen=True)
class Former:
    """The summary that a grown session already has."""

    summary: str
    topics: tuple[str, ...]
    decisions: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """One turn as a summarizer reads it, cut where it was long."""

    role: str
    text: str
    left_out: int = 0
    """How many turns before this one were left out."""


@dataclass(frozen=True)
class Condensed:
    """A session, or what is new in it, in a bounded size and without secrets."""

    session_id: str
    project_name: str
    turns: tuple[Turn, ...]
    former: Former | None = None


def condense(
    exchanges: Sequence[Exchange],
    budget: int,
    *,
    session_id: str,
    project_name: str,
    former: Former | None = None,
) -> Condensed:
    """The exchanges within `budget` tokens, in their order."""
    kept = _keep(exchanges, budget)
    turns, before = [], -1
    for position in sorted(kept):
        exchange = exchanges[position]
        turns.append(Turn(exchange.role, kept[position], position - before - 1))
        before = position
    return Condensed(session_id, project_name, tuple(turns), former)


def _keep(exchanges: Sequence[Exchange], budget: int) -> dict[int, str]:
    """The texts that fit, by position: the most telling turns are asked first."""
    if sum(tokens_in(exchange.text) + _TURN_OVERHEAD for exchange in exchanges) <= budget:
        whole = enumerate(clip(exchange.text, budget) for exchange in exchanges)
        return {position: text for position, text in whole if text}
    kept: dict[int, str] = {}
    for positions, share in _by_importance(exchanges):
        fresh = [position for position in positions if position not in kept]
        # Where there are few turns, each may take its equal part of what is left.
        equal = len(fresh) / max(1, len(exchanges) - len(kept))
        for position, size in _sizes(fresh, budget, int(budget * max(share, equal))):
            text = clip(exchanges[position].text, size)
            cost = tokens_in(text) + _TURN_OVERHEAD
            if text and cost <= budget:
                kept[position] = text
                budget -= cost
    return kept


def _by_importance(exchanges: Sequence[Exchange]) -> Iterable[tuple[Sequence[int], float]]:
    """Groups of positions, each with the share of what is left that it may take."""
    asked = [n for n, exchange in enumerate(exchanges) if exchange.role != "assistant"]
    answers = [n for n, exchange in enumerate(exchanges) if exchange.role == "assistant"]
    yield asked[:1], _MOST_FOR_AN_END
    yield answers[-1:], _MOST_FOR_AN_END
    yield asked[-1:], _MOST_FOR_AN_END
    yield [n for n in range(len(exchanges)) if tells_decision(exchanges[n].text)], 0.4
    yield asked, 0.6
    yield answers, 1.0


def _sizes(positions: Sequence[int], left: int, share: int) -> list[tuple[int, int]]:
    """The positions that the share reaches for, evenly spread, and the tokens that each gets."""
    room = min(left, share)
    count = min(len(positions), room // (_LEAST_PER_TURN + _TURN_OVERHEAD))
    if count == 0:
        return []
    chosen = [positions[n * len(positions) // count] for n in range(count)]
    return [(position, room // count - _TURN_OVERHEAD) for position in chosen]


def clip(text: str, tokens: int) -> str:
    """A text within about `tokens` tokens, without secrets: its head, a mark and its tail.

    Secrets are taken out before the cut, since half a key is not recognised any more.
    """
    most = tokens * BYTES_PER_TOKEN
    rough = text if len(text) <= 4 * most else f"{_head(text, 2 * most)}\n{_tail(text, most)}"
    plain = _shorten_code(redact(rough)).strip()
    size = len(plain.encode("utf-8", "replace"))
    if size <= most and rough is text:
        return plain
    room = max(most - _MARK_BYTES, 1)
    characters = max(1, room * len(plain) // size) if size > room else len(plain)
    head, tail = _head(plain, characters * 2 // 3), _tail(plain, characters // 3)
    gone = len(text) - len(head) - len(tail)
    return f"{head.rstrip()} [… {gone:,} characters left out …] {tail.lstrip()}".strip()


def _shorten_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    return _CODE_BLOCK.sub(_code_head, text)


def _code_head(block: re.Match[str]) -> str:
    lines = block[0].splitlines()
    if len(lines) <= _CODE_LINES_KEPT + 3:
        return block[0]
    more = len(lines) - _CODE_LINES_KEPT - 2
    kept = "\n".join(lines[: _CODE_LINES_KEPT + 1])
    return f"{kept}\n[… {more} lines of code left out …]\n{block[1]}"


def _head(text: str, characters: int) -> str:
    """The beginning, ending with a whole word where there is one nearby."""
    if len(text) <= characters:
        return text
    end = max(text.rfind(gap, characters - 80, characters) for gap in (" ", "\n"))
    return text[: end if end > 0 else characters]


def _tail(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    begin = len(text) - characters
    gaps = [n for gap in (" ", "\n") if (n := text.find(gap, begin, begin + 80)) > 0]
    return text[min(gaps, default=begin) :]
