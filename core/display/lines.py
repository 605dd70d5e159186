"""Sentences in lines that fit the terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap


def fitted(text: str, margin: str, first: str | None = None) -> str:
    """`text` in lines as wide as the terminal, those after the first one behind `margin`.

    In a file or a pipe it stays one line, for programs to search. Paths are never broken.
    """
    first = margin if first is None else first
    if not (sys.stdout and sys.stdout.isatty()):
        return first + text
    return textwrap.fill(
        text,
        shutil.get_terminal_size().columns - 1,  # a full line makes an empty one on Windows
        initial_indent=first,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
