from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from core import paths
from tray.icon.draw_icon import SIZES, State, draw_icon, write_files

TASKBARS = {False: (0xF3, 0xF3, 0xF3), True: (0x1C, 0x1C, 0x1C)}


def luminance(colour: tuple[int, ...]) -> float:
    """Relative luminance as WCAG 2 defines it."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(channel) for channel in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", State)
def test_each_size_is_drawn_at_exactly_that_size(size: int, state: State) -> None:
    assert draw_icon(size, state).size == (size, size)


@pytest.mark.parametrize("size", [16, 20, 24])
@pytest.mark.parametrize("state", State)
def test_the_glyph_of_a_small_icon_has_sharp_edges(size: int, state: State) -> None:
    icon = draw_icon(size, state)
    colours = icon.getcolors(size * size) or []
    opaque = {pixel for _, pixel in colours if isinstance(pixel, tuple) and pixel[3] == 255}
    assert len(opaque) == 2, "only the bubble's colour and white, nothing in between"


@pytest.mark.parametrize("size", [16, 20, 24, 32])
def test_the_states_look_different(size: int) -> None:
    pictures = {draw_icon(size, state).tobytes() for state in State}
    assert len(pictures) == len(State)


@pytest.mark.parametrize("on_dark", [False, True])
@pytest.mark.parametrize("state", State)
def test_the_bubble_stands_out_from_its_taskbar(state: State, on_dark: bool) -> None:
    icon = draw_icon(64, state, on_dark=on_dark)
    bubble = icon.getpixel((10, 28))
    assert isinstance(bubble, tuple)
    assert contrast(bubble, TASKBARS[on_dark]) >= 3


def test_the_icon_files_in_assets_are_what_the_code_draws(tmp_path: Path) -> None:
    write_files(str(tmp_path))
    for name in ("chatrecall.ico", "chatrecall.png"):
        assert (tmp_path / name).read_bytes() == Path(paths.asset(f"icon/{name}")).read_bytes(), (
            "draw them again: python -m tray.icon.draw_icon"
        )


def test_the_ico_file_holds_every_size_that_windows_asks_for() -> None:
    data = Path(paths.asset("icon/chatrecall.ico")).read_bytes()
    with Image.open(io.BytesIO(data)) as icon:
        assert icon.info["sizes"] == {(size, size) for size in SIZES}
