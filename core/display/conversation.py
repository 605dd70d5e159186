"""A session's conversation as the page shows it: rendered, and bounded however long it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.display.markdown import markdown_html, prompt_html
from core.display.marks import spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from core.sessions import Exchange

LONGEST_EXCHANGE = 60_000
"""Characters of one exchange that are shown; of a longer one, those around the first match."""


@dataclass(frozen=True)
class Turn:
    """One exchange, ready to be shown."""

    exchange: Exchange
    html: Markup
    cut: int
    """Characters of it that are not shown."""
    left_out: int
    """Exchanges between the turn before and this one that are not shown."""


def turns(
    exchanges: Sequence[Exchange], words: Sequence[str], *, around: int | None, characters: int
) -> tuple[Turn, ...]:
    """Render the conversation in order, about `characters` of it.

    Of a longer one, the beginning and what stands nearest to the exchange with seq `around` is
    shown (the end where that is None).
    """
    shown: list[Turn] = []
    last = -1
    for index in sorted(_chosen(exchanges, around, characters)):
        shown.append(_turn(exchanges[index], words, index - last - 1))
        last = index
    return tuple(shown)


def _chosen(exchanges: Sequence[Exchange], around: int | None, characters: int) -> set[int]:
    positions = {exchange.seq: index for index, exchange in enumerate(exchanges)}
    centre = positions.get(-1 if around is None else around, len(exchanges) - 1)
    nearest = sorted(range(len(exchanges)), key=lambda index: abs(index - centre))
    chosen: set[int] = set()
    for index in dict.fromkeys([centre, 0, *nearest]) if exchanges else ():
        characters -= min(len(exchanges[index].text), LONGEST_EXCHANGE)
        if chosen and characters < 0:
            break
        chosen.add(index)
    return chosen


def _turn(exchange: Exchange, words: Sequence[str], left_out: int) -> Turn:
    text = excerpt(exchange.text, words, LONGEST_EXCHANGE)
    as_html = markdown_html if exchange.role == "assistant" else prompt_html
    return Turn(exchange, as_html(text, words), len(exchange.text) - len(text), left_out)


def excerpt(text: str, words: Sequence[str], characters: int) -> str:
    """`text`, or `characters` of it with the first of `words` among them."""
    if len(text) <= characters:
        return text
    found = spans(text, words)
    start = max(0, min(found[0][0] - characters // 4, len(text) - characters)) if found else 0
    return text[start : start + characters]
