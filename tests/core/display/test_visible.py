"""Text that neither a terminal obeys nor an eye misreads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.command_line import main
from core.display.visible import has_tricks, visible
from tests.support.conversations import say

if TYPE_CHECKING:
    import sqlite3


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a[U+202E]b"),
        ("\u2066a\u2069", "[U+2066]a[U+2069]"),
        ("bell\x07", "bell\u2407"),
        ("\x1b[31m", "\u241b[31m"),
        ("a\x7f", "a\u2421"),
        ("\ud800", "\ufffd"),
    ],
)
def test_what_could_deceive_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert has_tricks(text)


@pytest.mark.parametrize("text", ["plain", "tab\there", "日本", "שלום\u200f", "👩\u200d💻", "é"])
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text
    assert not has_tricks(text)


@pytest.mark.parametrize(
    "command",
    [
        ("sessions",),
        ("show", "s1"),
        ("search", "window"),
        ("summarize", "--session", "s1"),
        ("forget", "s1", "--yes"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(
    command: tuple[str, ...], db: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    trick = "\x1b]0;A new name for the window\x07\x1b[2J\x9b1A\u202e"
    say(db, "s1", [("user", f"Why {trick} does it rename the window?"), ("assistant", trick)])
    db.execute("UPDATE sessions SET title = ?, project_name = ?", (f"{trick}\n", trick))

    assert main(command, {}) == 0

    printed = capsys.readouterr().out
    assert printed.strip()
    assert visible(printed) == printed
