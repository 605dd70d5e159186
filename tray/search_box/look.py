"""How the search box looks: colours, fonts and measures."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tkinter
    from tkinter import font


@dataclass(frozen=True)
class Palette:
    """Colours; every text has 4.5:1 or more against what it stands on."""

    background: str
    text: str
    quiet: str
    line: str
    selected: str
    accent: str


LIGHT = Palette("#ffffff", "#1b1b1f", "#5d5d68", "#d9d9e0", "#ecebfb", "#4f46c8")
DARK = Palette("#1f1f23", "#f1f1f4", "#a5a5b0", "#3b3b44", "#35335c", "#857cf5")

# Sizes in pixels at 96 dots an inch.
WIDTH = 640
MARGIN = 16
PROJECT_WIDTH = 160
FIELD_HEIGHT = 56
ROW_HEIGHT = 52
LINE_HEIGHT = 38
FOOT_HEIGHT = 36
ROWS = 6

_DOTS_PER_INCH = 96
_POINTS_PER_INCH = 72
_FAMILIES = {"win32": "Segoe UI", "darwin": ".AppleSystemUIFont"}


@dataclass(frozen=True)
class Fonts:
    """The three sizes of text, for one scaling."""

    field: font.Font
    title: font.Font
    small: font.Font


@dataclass(frozen=True)
class Style:
    """All of it for one monitor. Tk forgets fonts that nobody holds, so this is to be kept."""

    palette: Palette
    fonts: Fonts
    scale: float

    def px(self, pixels: int) -> int:
        """Turn pixels at 96 dots an inch into this monitor's."""
        return round(pixels * self.scale)


def make_style(window: tkinter.Tk, scale: float, *, dark: bool) -> Style:
    """Use the system's own font, in pixels, so that the scaling is ours to decide."""
    from tkinter import font  # noqa: PLC0415  imported with the window only

    # Tk turns pixels into points by this, and X's fonts turn points into pixels by the real scale.
    window.tk.call("tk", "scaling", scale * _DOTS_PER_INCH / _POINTS_PER_INCH)
    family = _FAMILIES.get(sys.platform)
    if not family:
        family = font.nametofont("TkDefaultFont", root=window).actual("family")

    def sized(pixels: int) -> font.Font:
        return font.Font(root=window, family=family, size=-round(pixels * scale))

    fonts = Fonts(field=sized(20), title=sized(15), small=sized(13))
    return Style(DARK if dark else LIGHT, fonts, scale)


def cut(text: str, text_font: font.Font, room: int) -> str:
    """Cut a text with "…" so that it is no wider than `room` pixels."""
    if text_font.measure(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if text_font.measure(text[:middle] + "…") <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"
