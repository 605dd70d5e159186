"""Hiding secrets: before a text is stored, and again before it is sent anywhere.

Expressions are compiled when a text first holds one of their needles: compiling all of them would
cost the hook more than the rest of its work.
"""

from __future__ import annotations

import re

from core.secret_patterns import SECRET_PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from core.secret_patterns import SecretPattern


def redact(text: str) -> str:
    """The text with each secret replaced by `[redacted: <its kind>]`.

    Doing it twice changes nothing more. Time is linear in the text's length.
    """
    for pattern in SECRET_PATTERNS:
        for needle in pattern.needles:
            if needle in text:
                text = _expression(pattern).sub(_hider(pattern.name), text)
                break
    return text


_compiled: dict[str, re.Pattern[str]] = {}


def _expression(pattern: SecretPattern) -> re.Pattern[str]:
    known = _compiled.get(pattern.name)
    if known is None:
        known = _compiled[pattern.name] = re.compile(pattern.expression)
    return known


def _hider(name: str) -> Callable[[re.Match[str]], str]:
    def hide(match: re.Match[str]) -> str:
        whole, first = match[0], match.start()
        # The group that took part, or all of the match where there is none.
        start, end = match.span(match.lastindex or 0)
        return f"{whole[: start - first]}[redacted: {name}]{whole[end - first :]}"

    return hide
