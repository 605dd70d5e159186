from __future__ import annotations

import pytest

from tray.text import fit, one_line


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_a_short_text_stays_as_it_is() -> None:
    assert fit("Fix the login", 63) == "Fix the login"


@pytest.mark.parametrize(
    "text", ["a" * 300, "🎉" * 300, "日本語" * 100, "e\u0301" * 300, "👩‍💻" * 90]
)
@pytest.mark.parametrize("room", [10, 63, 64, 255])
def test_a_long_text_takes_no_more_units_than_there_are(text: str, room: int) -> None:
    fitted = fit(text, room)
    assert units(fitted) <= room
    assert fitted.endswith("…")


def test_a_text_that_just_fits_is_not_cut() -> None:
    assert fit("🎉" * 5, 10) == "🎉" * 5


def test_no_half_character_is_left() -> None:
    fit("🎉" * 50, 20).encode("utf-8")  # a lone surrogate would raise


def test_no_joiner_is_left_before_the_ellipsis() -> None:
    assert fit("👩‍💻👩‍💻", 5) == "👩…"


def test_line_breaks_and_tabs_become_spaces() -> None:
    assert one_line("Fix\tthe\r\n  login\x07 ") == "Fix the login"


def test_emoji_of_several_parts_stay_whole() -> None:
    assert one_line("👩‍💻 codes") == "👩‍💻 codes"
