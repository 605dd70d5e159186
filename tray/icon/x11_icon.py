"""The icon in an X11 tray: pystray's, which has no menu and no notifications there.

Added are a menu of ours, docking in a panel that starts after us, and the panel's own colour behind
the icon. And calls from other threads: pystray makes them over the connection on which its loop
waits, where python-xlib can lose the event that should wake it.
"""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any

import pystray
import Xlib.display
import Xlib.X
from PIL import Image
from Xlib.protocol.event import ClientMessage

from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from tray.icon.icon_source import IconSource

_RIGHT_BUTTON = 3


class X11Icon(pystray.Icon):  # type: ignore[misc]
    """An icon that docks whenever a tray appears; the right button opens a menu of the app's."""

    _systray_manager: Any
    _icon_data: Any

    def __init__(self, source: IconSource, open_menu: Callable[[int, int], None]) -> None:
        self._source = source
        self._open_menu = open_menu
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        super().__init__("ChatRecall", source.draw(64), source.title())
        self._message_handlers[Xlib.X.ClientMessage] = self._on_client_message
        self._call_atom = self._display.intern_atom("_CHATRECALL_CALL")
        manager = self._display.intern_atom("MANAGER")
        self._tray_announcement = (manager, self._net_system_tray_sx)
        self._display.screen().root.change_attributes(event_mask=Xlib.X.StructureNotifyMask)
        self._window.change_attributes(
            background_pixmap=Xlib.X.ParentRelative,
            event_mask=Xlib.X.ExposureMask | Xlib.X.StructureNotifyMask | Xlib.X.ButtonPressMask,
        )

    @property
    def is_docked(self) -> bool:
        """Whether a tray shows the icon."""
        return bool(self._systray_manager)

    def run(self, setup: object = None) -> None:
        """Run the loop; the icon shows as soon as it does."""
        super().run(setup=lambda _icon: self._in_loop(self._appear))

    def refresh(self) -> None:
        """Show the present state. For any thread."""
        self._in_loop(self._redraw)

    def leave(self) -> None:
        """Take the icon away and end the loop. For any thread."""
        self._in_loop(super().stop)

    def _in_loop(self, call: Callable[[], None]) -> None:
        """Have something done in the loop's thread, woken over a connection of this call's own."""
        self._calls.put(call)
        display = Xlib.display.Display()
        try:
            window = display.create_resource_object("window", self._window.id)
            nothing = (32, (0, 0, 0, 0, 0))
            window.send_event(
                ClientMessage(window=window, client_type=self._call_atom, data=nothing)
            )
            display.sync()
        finally:
            display.close()

    def _on_client_message(self, event: Any) -> None:
        if event.client_type == self._call_atom:
            while not self._calls.empty():
                self._calls.get()()
        elif (event.client_type, event.data[1][1]) == self._tray_announcement:
            self._dock()

    def _appear(self) -> None:
        self._visible = True
        self._icon_valid = True
        self._dock()
        if not self._systray_manager:
            log.info("There is no tray yet; the icon comes with it")

    def _dock(self) -> None:
        self._dock_window()
        if self._systray_manager:
            log.info("Icon shown")

    def _redraw(self) -> None:
        self._icon_data = None
        self._window.set_wm_name(self._source.title())
        self._draw()
        self._display.flush()

    def _update_menu(self) -> None:
        """There is none."""

    def _on_button_press(self, event: Any) -> None:
        if event.detail == Xlib.X.Button1:
            self._source.actions.search()
        elif event.detail == _RIGHT_BUTTON:
            self._open_menu(event.root_x, event.root_y)

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
