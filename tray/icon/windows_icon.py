"""The icon on Windows' taskbar: pystray's, with what that leaves out.

pystray 0.19.5 answers WM_QUERYENDSESSION with 0, which holds up log-off, swallows WM_CLOSE, ignores
clicks on its notifications, loads the icon at a size that Windows then shrinks, and doesn't notice
when the taskbar refuses it. Its methods and message table are private, hence the pinned version.
"""

from __future__ import annotations

import ctypes
import io
import sys
import threading
from ctypes import wintypes
from typing import TYPE_CHECKING, Any

from pystray._util import win32

from tray.desktop import windows
from tray.icon import hotkey
from tray.icon.icon_source import IconSource
from tray.icon.menu_icon import MenuIcon
from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

assert sys.platform == "win32"

_WM_CLOSE = 0x0010
_WM_QUERYENDSESSION = 0x0011
_WM_ENDSESSION = 0x0016
_WM_SETTINGCHANGE = 0x001A
_WM_CANCELMODE = 0x001F
_WM_HOTKEY = 0x0312
_NIN_BALLOONUSERCLICK = 0x0405
_NIIF_USER = 0x04
_NIIF_RESPECT_QUIET_TIME = 0x80
_ICON_FORMAT_VERSION = 0x00030000

# Seconds. Just after logon, Explorer is not there yet, or too busy to answer within its 4 seconds.
_FIRST_WAIT = 2.0
_LONGEST_WAIT = 60.0

_create_icon = ctypes.WinDLL("user32").CreateIconFromResourceEx
_create_icon.restype = wintypes.HICON


class WindowsIcon(MenuIcon):
    """An icon that lets the session end, is drawn at its true size and knows about clicks."""

    _icon_handle: Any
    _menu_handle: Any = None

    def __init__(self, source: IconSource, keys: str) -> None:
        super().__init__(source)
        self._keys = keys
        self._was_dark = windows.taskbar_is_dark()
        self._balloon_clicked: Callable[[], None] | None = None
        self._wait = _FIRST_WAIT
        self._message_handlers.update(
            {
                _WM_CLOSE: lambda _w, _l: self._source.actions.quit(),
                _WM_QUERYENDSESSION: lambda _w, _l: 1,
                _WM_ENDSESSION: self._on_session_end,
                _WM_SETTINGCHANGE: self._on_setting_change,
                _WM_HOTKEY: lambda _w, _l: self._source.actions.search(),
            }
        )

    def show_balloon(self, title: str, body: str, clicked: Callable[[], None] | None) -> None:
        """Show a notification at the icon; `clicked` is called when it is clicked."""
        self._balloon_clicked = clicked
        self._message(
            win32.NIM_MODIFY,
            win32.NIF_INFO,
            szInfoTitle=title,
            szInfo=body,
            dwInfoFlags=_NIIF_USER | _NIIF_RESPECT_QUIET_TIME,
            hBalloonIcon=self._icon_handle,
        )

    def update_menu(self) -> None:
        """Do nothing: each opening builds the menu, and this one may be open just now."""

    def leave(self) -> None:
        """Take the icon away and end the loop, which doesn't listen while its menu is open."""
        win32.PostMessage(self._menu_hwnd, _WM_CANCELMODE, 0, 0)
        super().leave()

    def _show(self) -> None:
        super()._show()
        if self._message(win32.NIM_MODIFY, 0):  # it is there, whatever adding it was answered with
            self._wait = _FIRST_WAIT
            return
        log.info("The taskbar takes no icon now; again in %.0f s", self._wait)
        again = threading.Timer(self._wait, self._show_if_visible)
        again.daemon = True
        again.start()
        self._wait = min(2 * self._wait, _LONGEST_WAIT)

    def _show_if_visible(self) -> None:
        if self.visible:
            self._show()

    def _message(self, code: int, flags: int, **fields: object) -> bool:
        """Send the taskbar a message about the icon; whether it was taken, which pystray drops."""
        data = win32.NOTIFYICONDATAW(
            cbSize=ctypes.sizeof(win32.NOTIFYICONDATAW),
            hWnd=self._hwnd,
            hID=id(self),
            uFlags=flags,
            **fields,
        )
        return bool(win32.Shell_NotifyIcon(code, data))

    def _mainloop(self) -> None:
        # Here, because a hotkey belongs to the thread that registers it.
        with hotkey.registered(self._hwnd, self._keys):
            super()._mainloop()

    def _on_notify(self, wparam: int, lparam: int) -> None:
        if lparam == _NIN_BALLOONUSERCLICK:
            if self._balloon_clicked:
                self._balloon_clicked()
        elif lparam == win32.WM_LBUTTONUP:
            self._source.actions.search()
        else:
            if lparam == win32.WM_RBUTTONUP:
                self._update_menu()
            super()._on_notify(wparam, lparam)

    def _on_display_change(self, wparam: int, lparam: int) -> None:
        self._release_icon()  # the scaling may be another now
        super()._on_display_change(wparam, lparam)

    def _on_setting_change(self, _wparam: int, _lparam: int) -> None:
        is_dark = windows.taskbar_is_dark()
        if is_dark != self._was_dark:
            self._was_dark = is_dark
            self._update_icon()

    def _on_session_end(self, wparam: int, _lparam: int) -> None:
        if wparam:
            log.info("The session ends")
            self._source.actions.quit()

    def _assert_icon_handle(self) -> None:
        if self._icon_handle:
            return
        size = windows.tray_icon_size()
        png = io.BytesIO()
        self._source.draw(size).save(png, "PNG")
        data = png.getvalue()
        self._icon_handle = _create_icon(data, len(data), True, _ICON_FORMAT_VERSION, size, size, 0)
