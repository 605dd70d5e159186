"""The icon in an X11 tray: pystray's, which has no menu and no notifications there.

Added is what a panel that starts after us needs, and the panel's own colour behind the icon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pystray
import Xlib.X
from PIL import Image

from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from tray.icon_source import IconSource

_RIGHT_BUTTON = 3


class X11Icon(pystray.Icon):  # type: ignore[misc]
    """An icon that docks whenever a tray appears; the right button opens a menu of the app's."""

    _systray_manager: Any
    _icon_data: Any

    def __init__(self, source: IconSource, open_menu: Callable[[int, int], None]) -> None:
        self._source = source
        self._open_menu = open_menu
        super().__init__("ChatRecall", source.draw(64), source.title())
        self._answer_our_messages = self._message_handlers[Xlib.X.ClientMessage]
        self._message_handlers[Xlib.X.ClientMessage] = self._on_client_message
        self._manager_atom = self._display.intern_atom("MANAGER")
        self._display.screen().root.change_attributes(event_mask=Xlib.X.StructureNotifyMask)
        self._window.change_attributes(
            background_pixmap=Xlib.X.ParentRelative,
            event_mask=Xlib.X.ExposureMask | Xlib.X.StructureNotifyMask | Xlib.X.ButtonPressMask,
        )

    def _update_menu(self) -> None:
        """There is none."""

    def _on_button_press(self, event: Any) -> None:
        if event.detail == Xlib.X.Button1:
            self._source.actions.search()
        elif event.detail == _RIGHT_BUTTON:
            self._open_menu(event.root_x, event.root_y)

    def _on_client_message(self, event: Any) -> None:
        """Dock in a tray that appears: it announces itself to the root window."""
        if event.client_type != self._manager_atom:
            self._answer_our_messages(event)
        elif event.data[1][1] == self._net_system_tray_sx and self.visible:
            self._dock_window()

    def _on_destroy_notify(self, event: Any) -> None:
        if self._systray_manager and event.window.id == self._systray_manager.id:
            log.info("The tray has gone; the icon comes back with the next one")
            self._systray_manager = None

    def _assert_icon_data(self, width: int, height: int) -> None:
        if self._icon_data and self._icon_data.size == (width, height):
            return
        size = min(width, height)
        picture = self._source.draw(size)
        whole = Image.new("RGB", (width, height), self._panel_colour())
        whole.paste(picture, ((width - size) // 2, (height - size) // 2), picture)
        whole.tostring = whole.tobytes  # type: ignore[attr-defined]  # for python-xlib
        self._icon_data = whole

    def _panel_colour(self) -> tuple[int, int, int]:
        """Ask the server what the panel paints behind us."""
        try:
            self._window.clear_area()
            corner = self._window.get_image(0, 0, 1, 1, Xlib.X.ZPixmap, 0xFFFFFFFF)
            blue, green, red = corner.data[:3]
        except Exception:  # not mapped yet, or an uncommon depth
            return 0, 0, 0
        return red, green, blue
