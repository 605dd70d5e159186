"""An icon whose menu is built anew from the present state, for all back ends that have menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pystray

from tray.log import log
from tray.text import fit

if TYPE_CHECKING:
    from tray.icon.icon_source import IconSource


_TITLE_UNITS = 127  # Windows' NOTIFYICONDATA.szTip


class MenuIcon(pystray.Icon):  # type: ignore[misc]
    """pystray's icon with the app's picture, words and menu."""

    def __init__(self, source: IconSource) -> None:
        self._source = source
        super().__init__("ChatRecall", source.draw(64), source.title())

    def run(self, setup: object = None) -> None:
        """Run the loop; the icon shows as soon as it does."""
        super().run(setup=lambda _icon: self._appear())

    def refresh(self) -> None:
        """Show the present state. For any thread."""
        self.icon = self._source.draw(64)
        self.title = fit(self._source.title(), _TITLE_UNITS)
        self.update_menu()

    def leave(self) -> None:
        """Take the icon away and end the loop. For any thread."""
        self.visible = False  # first: whatever happens then, no ghost stays behind
        self.stop()

    def _appear(self) -> None:
        self.visible = True
        log.info("Icon shown")

    def _update_menu(self) -> None:
        self._menu = self._source.menu()
        super()._update_menu()
