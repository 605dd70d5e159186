"""The icon where pystray itself has menus: GTK and AppIndicator on Linux, and macOS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pystray

if TYPE_CHECKING:
    from tray.icon_source import IconSource


class MenuIcon(pystray.Icon):  # type: ignore[misc]
    """An icon whose menu is built anew from the present state."""

    def __init__(self, source: IconSource) -> None:
        self._source = source
        super().__init__("ChatRecall", source.draw(64), source.title())

    def _update_menu(self) -> None:
        self._menu = self._source.menu()
        super()._update_menu()

    def _on_status_icon_popup_menu(self, status_icon: Any, button: int, time: int) -> None:
        """GTK's, just before the menu opens."""
        self._menu = self._source.menu()
        self._menu_handle = self._create_menu(self._menu)
        super()._on_status_icon_popup_menu(status_icon, button, time)
