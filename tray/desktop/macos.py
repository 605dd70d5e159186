"""macOS' desktop. Nothing here was seen on a Mac."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tray.desktop.monitor import Monitor

if TYPE_CHECKING:
    import tkinter


def prepare() -> None:
    """Nothing is to be asked for."""


def taskbar_is_dark() -> bool:
    """Whether the menu bar is dark: it follows the windows."""
    return windows_are_dark()


def windows_are_dark() -> bool:
    """Whether the person chose dark windows; the key is only there then."""
    command = ["/usr/bin/defaults", "read", "-g", "AppleInterfaceStyle"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=2, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "Dark" in found.stdout


def monitor_at_pointer(window: tkinter.Tk) -> Monitor:
    """Return the main monitor; Tk's pixels are points here, so there is no scaling."""
    return Monitor(0, 0, window.winfo_screenwidth(), window.winfo_screenheight(), 1.0)


def dress(window: tkinter.Tk) -> None:
    """Take the frame off a window and keep it able to take the focus."""
    window.tk.call("::tk::unsupported::MacWindowStyle", "style", window, "plain", "none")


def open_folder(path: str) -> None:
    """Show a folder in Finder."""
    subprocess.Popen(["/usr/bin/open", path])
