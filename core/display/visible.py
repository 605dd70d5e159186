"""Text that neither a terminal obeys nor an eye misreads."""

from __future__ import annotations

import re

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


def one_line(text: str) -> str:
    """A text on one line, with nothing in it that a terminal would obey."""
    return visible(" ".join(text.split()))


def has_tricks(text: str) -> bool:
    """Whether `text` holds a character that `visible` would show by name, or a line break."""
    return bool(_TRICK.search(text)) or "\n" in text or "\r" in text
