"""An icon whose menu is built anew from the present state, for all back ends that have menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pystray

if TYPE_CHECKING:
    from tray.icon_source import IconSource


class MenuIcon(pystray.Icon):  # type: ignore[misc]
    """pystray's icon with the app's picture, words and menu."""

    def __init__(self, source: IconSource) -> None:
        self._source = source
        super().__init__("ChatRecall", source.draw(64), source.title())

    def _update_menu(self) -> None:
        self._menu = self._source.menu()
        super()._update_menu()
