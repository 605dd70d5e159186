from __future__ import annotations

import pytest

from tray.icon.hotkey import parse

ALT, CTRL, SHIFT, WIN = 1, 2, 4, 8


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("Ctrl+Alt+R", (CTRL | ALT, ord("R"))),
        ("ctrl + shift + 7", (CTRL | SHIFT, ord("7"))),
        ("Win+Space", (WIN, 0x20)),
        ("Control+F12", (CTRL, 0x7B)),
        ("Alt+F1", (ALT, 0x70)),
    ],
)
def test_keys_are_understood_as_people_write_them(keys: str, expected: tuple[int, int]) -> None:
    assert parse(keys) == expected


@pytest.mark.parametrize(
    "keys", ["", "R", "Shift+R", "Ctrl", "Ctrl+", "Ctrl+Alt+RR", "Hyper+R", "Ctrl+é", "F5", "+"]
)
def test_keys_that_would_be_no_hotkey_or_take_a_key_from_typing_are_refused(keys: str) -> None:
    assert parse(keys) is None
