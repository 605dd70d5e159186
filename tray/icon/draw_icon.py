"""Draws the icon: a speech bubble that is a clock face, for conversations of the past.

Each size is drawn for itself, with edges on whole pixels, so that it is crisp from 16 to 256.
The glyph in the bubble tells the state. `python -m tray.icon.draw_icon` writes `assets/icon`.
"""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from core import paths

if TYPE_CHECKING:
    from collections.abc import Callable

OVERSAMPLING = 8
SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)  # what Windows asks for at 100 % to 300 % scaling


class State(Enum):
    """What the icon tells."""

    IDLE = "idle"
    WORKING = "working"
    PAUSED = "paused"
    TROUBLE = "trouble"


# Each colour stands at 3:1 or more against the taskbar that it is for: #f3f3f3 and #1c1c1c.
COLOURS_ON_LIGHT = {
    State.IDLE: "#4f46c8",
    State.WORKING: "#4f46c8",
    State.PAUSED: "#6b7280",
    State.TROUBLE: "#c2410c",
}
COLOURS_ON_DARK = {
    State.IDLE: "#857cf5",
    State.WORKING: "#857cf5",
    State.PAUSED: "#8b93a1",
    State.TROUBLE: "#f0722f",
}


def draw_icon(size: int, state: State = State.IDLE, *, on_dark: bool = False) -> Image.Image:
    """Draw the icon, `size` pixels wide and high, for a light or a dark taskbar."""
    colours = COLOURS_ON_DARK if on_dark else COLOURS_ON_LIGHT
    pen = _Pen(size, colours[state])
    pen.bubble()
    _GLYPHS[state](pen)
    return pen.image.resize((size, size), Image.Resampling.BOX)


class _Pen:
    """Draws in a grid of 16 × 16 units; edges are rounded to whole pixels of the final size."""

    def __init__(self, size: int, colour: str) -> None:
        self._size = size
        self._colour = colour
        big = size * OVERSAMPLING
        self.image = Image.new("RGBA", (big, big))
        self._draw = ImageDraw.Draw(self.image)

    def bubble(self) -> None:
        """Draw a round bubble with its tail at the lower left."""
        self._draw.ellipse(self._box(0.5, 0, 15.5, 14), fill=self._colour)
        points = [(2, 9.5), (2, 16), (8.5, 13.5)]
        self._draw.polygon([(self._at(x), self._at(y)) for x, y in points], fill=self._colour)

    @property
    def stroke(self) -> float:
        """The width of a line, a whole number of pixels."""
        return max(self._pixel, self.snap(2))

    def snap(self, units: float) -> float:
        """Find the nearest edge of a pixel."""
        return round(units / self._pixel) * self._pixel

    def bar(self, left: float, top: float, right: float, bottom: float) -> None:
        """Draw a white bar; its ends are round where there are pixels enough."""
        box = self._box(self.snap(left), self.snap(top), self.snap(right), self.snap(bottom))
        radius = min(box[2] - box[0], box[3] - box[1]) / 2 if self._size >= 32 else 0
        self._draw.rounded_rectangle(box, radius, fill="white")

    def dot(self, x: float, y: float) -> None:
        """Draw a white dot around a point: a disc where there are pixels enough."""
        left, top = self.snap(x - 1), self.snap(y - 1)
        self.bar(left, top, left + self.stroke, top + self.stroke)

    @property
    def _pixel(self) -> float:
        return 16 / self._size

    def _at(self, units: float) -> int:
        return round(units / self._pixel * OVERSAMPLING)

    def _box(self, left: float, top: float, right: float, bottom: float) -> tuple[int, ...]:
        # Pillow fills the pixel at the far edge as well.
        return self._at(left), self._at(top), self._at(right) - 1, self._at(bottom) - 1


def _clock_hands(pen: _Pen) -> None:
    left, bottom = pen.snap(7), pen.snap(9)
    pen.bar(left, 3, left + pen.stroke, bottom)
    pen.bar(left, bottom - pen.stroke, 12, bottom)


def _three_dots(pen: _Pen) -> None:
    for x in (4, 8, 12):
        pen.dot(x, 7)


def _pause_bars(pen: _Pen) -> None:
    for left in (pen.snap(5), pen.snap(9)):
        pen.bar(left, 4, left + pen.stroke, 10)


def _exclamation_mark(pen: _Pen) -> None:
    left = pen.snap(7)
    pen.bar(left, 2, left + pen.stroke, 8)
    pen.dot(8, 11)


_GLYPHS: dict[State, Callable[[_Pen], None]] = {
    State.IDLE: _clock_hands,
    State.WORKING: _three_dots,
    State.PAUSED: _pause_bars,
    State.TROUBLE: _exclamation_mark,
}


def write_files(folder: str) -> None:
    """Write the icon as a `.ico` for Windows and as a `.png` for desktops that want a file."""
    os.makedirs(folder, exist_ok=True)
    images = [draw_icon(size) for size in SIZES]
    images[-1].save(
        os.path.join(folder, "chatrecall.ico"),
        sizes=[image.size for image in images],
        append_images=images[:-1],
    )
    images[-1].save(os.path.join(folder, "chatrecall.png"), optimize=True)


if __name__ == "__main__":
    write_files(paths.asset("icon"))
