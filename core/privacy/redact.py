"""Hiding secrets: before a text is stored, and again before it is sent anywhere.

Expressions are compiled when a text first holds one of their needles: compiling all of them would
cost the hook more than the rest of its work.
"""

from __future__ import annotations

import re

from core.privacy.secret_patterns import JOINTS, SECRET_PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted: <its kind>]`.

    Doing it twice changes nothing more. Time is linear in the text's length.
    """
    redacted = _redact_once(text)
    while redacted != text:  # a secret can come to light where its neighbour was taken away
        text, redacted = redacted, _redact_once(redacted)
    return redacted


def _redact_once(text: str) -> str:
    # Bytes are searched and brought to lower case several times faster than a text beyond ASCII.
    haystack = text.encode("utf-8", "surrogatepass").lower()
    rows = {row for needle, row in _NEEDLES[""] if needle in haystack}
    for joint, tail in JOINTS.items():
        if joint in text and _compiled(tail).search(text):
            rows.update(row for needle, row in _NEEDLES[joint] if needle in haystack)
    for row in sorted(rows):
        pattern = SECRET_PATTERNS[row]
        text = _compiled(pattern.expression).sub(_hider(pattern.name), text)
    return text


# By joint: each needle with the row that it leads to.
_NEEDLES: dict[str, list[tuple[bytes, int]]] = {
    joint: [
        (needle.encode(), row)
        for row, pattern in enumerate(SECRET_PATTERNS)
        if pattern.joint == joint
        for needle in pattern.needles
    ]
    for joint in ("", *JOINTS)
}

_expressions: dict[str, re.Pattern[str]] = {}


def _compiled(expression: str) -> re.Pattern[str]:
    known = _expressions.get(expression)
    if known is None:
        known = _expressions[expression] = re.compile(expression)
    return known


def _hider(name: str) -> Callable[[re.Match[str]], str]:
    def hide(match: re.Match[str]) -> str:
        whole, first = match[0], match.start()
        # The group that took part, or all of the match where there is none.
        start, end = match.span(match.lastindex or 0)
        return f"{whole[: start - first]}[redacted: {name}]{whole[end - first :]}"

    return hide
