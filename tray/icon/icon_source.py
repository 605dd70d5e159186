"""What every kind of icon asks the app for: its picture, its words, its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from PIL import Image

    from tray.menu import Actions


class IconSource(Protocol):
    """The app as an icon sees it."""

    @property
    def actions(self) -> Actions:
        """What clicks do."""

    def draw(self, size: int) -> Image.Image:
        """Draw the picture for the present state, `size` pixels wide and high."""

    def title(self) -> str:
        """Say what shows when the pointer rests on the icon."""

    def menu(self) -> Any:
        """Build the present menu as a `pystray.Menu`."""
