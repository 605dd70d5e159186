"""Fitting texts into the places that systems give them."""

from __future__ import annotations

_ZERO_WIDTH_JOINER = "\u200d"  # glues emoji together; at the end it would glue the "…" on


def one_line(text: str) -> str:
    """Make one line of a text: no line breaks, tabs or control characters."""
    visible = (char if char.isprintable() or char == _ZERO_WIDTH_JOINER else " " for char in text)
    return " ".join("".join(visible).split())


def fit(text: str, units: int) -> str:
    """Cut a text with "…" to at most `units` UTF-16 units, which is what Windows counts.

    Most characters are one unit, emoji and rare characters are two.
    """
    if _units(text) <= units:
        return text
    kept = text[: units - 1]
    while _units(kept) > units - 1:
        kept = kept[:-1]
    return kept.rstrip(f"{_ZERO_WIDTH_JOINER} ") + "…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
