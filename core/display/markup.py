"""Plain text as safe HTML: escaped, its invisible tricks made visible, its matches marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from core.display.marks import spans
from core.display.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable


def marked(text: str, words: Iterable[str] = ()) -> Markup:
    """`text` as HTML with each of `words` in a `<mark>`."""
    text = visible(text)
    pieces: list[str] = []
    done = 0
    for start, end in _joined(text, spans(text, words)):
        pieces += [escape(text[done:start]), "<mark>", escape(text[start:end]), "</mark>"]
        done = end
    return Markup("".join([*pieces, escape(text[done:])]))


def _joined(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbours that only a blank or sign divides, as one: calmer to the eye."""
    joined: list[tuple[int, int]] = []
    for start, end in found:
        gap = text[joined[-1][1] : start] if joined else ""
        if len(gap) == 1 and not gap.isalnum() and gap.isprintable():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
