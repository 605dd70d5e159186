"""The bar of a sweep over a long history."""

from __future__ import annotations

import io

import pytest

from core.progress import Progress, bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("done", "seconds", "expected"),
    [
        (12_000_000, 3.0, "██████                    25%  12 of 48 MB  31 sessions  9 s left"),
        (48_000_000, 9.0, "████████████████████████ 100%  48 of 48 MB  31 sessions  0 s left"),
        (0, 0.0, "                           0%  0 of 48 MB  31 sessions  "),
    ],
)
def test_it_says_how_far_it_is_and_how_long_it_takes(
    done: int, seconds: float, expected: str
) -> None:
    assert bar(done, 48_000_000, 31, seconds) == expected


def test_it_is_wiped_away_at_the_end() -> None:
    terminal = Terminal()
    with Progress(terminal, bar) as progress:
        progress(1_000_000, 2_000_000, 3)
    assert "1 of 2 MB" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_without_anything_to_read_there_is_no_bar() -> None:
    terminal = Terminal()
    with Progress(terminal, bar) as progress:
        progress(0, 0, 0)
    assert terminal.getvalue() == ""


def test_where_no_terminal_is_nothing_is_drawn() -> None:
    file = io.StringIO()
    with Progress(file, bar) as progress:
        progress(1_000_000, 2_000_000, 3)
    assert file.getvalue() == ""
