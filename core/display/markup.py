"""Plain text as safe HTML: escaped, its invisible tricks made visible, its matches marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from core.display.marks import spans

if TYPE_CHECKING:
    from collections.abc import Iterable

# Direction overrides can make a text read as what it is not (CVE-2021-42574), control characters
# can end a terminal's line when copied. The marks that Arabic and Hebrew need (U+200E, U+200F) and
# joiners stay.
_TRICKS = {
    **{code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"},
    0x7F: "\u2421",
    **{code: f"[U+{code:04X}]" for code in (*range(0x80, 0xA0), *range(0x202A, 0x202F))},
    **{code: f"[U+{code:04X}]" for code in range(0x2066, 0x206A)},
    **dict.fromkeys(range(55296, 57344), "�"),
}

_TRICK = re.compile(f"[{re.escape(''.join(map(chr, _TRICKS)))}]")


def visible(text: str) -> str:
    """`text` with control characters and direction overrides shown by name, not obeyed."""
    return _TRICK.sub(lambda found: _TRICKS[ord(found[0])], text)


def has_tricks(text: str) -> bool:
    """Whether `text` holds a character that `visible` would show by name, or a line break."""
    return bool(_TRICK.search(text)) or "\n" in text or "\r" in text


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
