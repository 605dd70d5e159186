"""Linux' desktops: monitors and scaling as X tells them, colours as the desktop portal does."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tray.desktop import session_bus
from tray.desktop.monitor import Monitor

if TYPE_CHECKING:
    import tkinter

_NORMAL_DPI = 96
_PREFERS_DARK = 1


def prepare() -> None:
    """Nothing is to be asked for."""


def taskbar_is_dark() -> bool:
    """Panels are dark on most desktops whatever the colours of windows; nothing tells."""
    return True


def windows_are_dark() -> bool:
    """Whether the person prefers dark windows."""
    return session_bus.colour_scheme() == _PREFERS_DARK


def tray_icon_size() -> int:
    """Panels scale the icon themselves; this is large enough for all of them."""
    return 64


def monitor_at_pointer(window: tkinter.Tk) -> Monitor:
    """Find the monitor that has the pointer; the whole screen where X can't say."""
    x, y = window.winfo_pointerxy()
    width, height = window.winfo_screenwidth(), window.winfo_screenheight()
    try:
        from Xlib.display import Display  # noqa: PLC0415  only installed with pystray on Linux

        display = Display()
        try:
            root = display.screen().root
            scale = _scale(root.get_full_text_property(display.get_atom("RESOURCE_MANAGER")) or "")
            for found in root.xrandr_get_monitors().monitors:
                left, top = found.x, found.y
                if (
                    left <= x < left + found.width_in_pixels
                    and top <= y < top + found.height_in_pixels
                ):
                    return Monitor(left, top, found.width_in_pixels, found.height_in_pixels, scale)
        finally:
            display.close()
    except Exception:
        scale = 1.0
    return Monitor(0, 0, width, height, scale)


def dress(window: tkinter.Tk) -> None:
    """Take the frame off a window."""
    window.attributes("-type", "splash")


def open_folder(path: str) -> None:
    """Show a folder in the file manager."""
    opener = shutil.which("xdg-open")
    if opener:
        quiet = subprocess.DEVNULL
        subprocess.Popen(
            [opener, path], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )


def _scale(resources: str) -> float:
    for line in resources.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "Xft.dpi":
            return float(value) / _NORMAL_DPI
    return 1.0
