"""Windows' desktop: colours, monitors and their scaling."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import winreg
from ctypes import wintypes
from typing import TYPE_CHECKING

from tray.desktop.monitor import Monitor

assert sys.platform == "win32"

if TYPE_CHECKING:
    import tkinter

_user32 = ctypes.WinDLL("user32")
_user32.MonitorFromPoint.argtypes = (wintypes.POINT, wintypes.DWORD)
_user32.MonitorFromPoint.restype = wintypes.HMONITOR
_user32.FindWindowW.argtypes = (wintypes.LPCWSTR, wintypes.LPCWSTR)
_user32.FindWindowW.restype = wintypes.HWND
_user32.GetParent.argtypes = (wintypes.HWND,)
_user32.GetParent.restype = wintypes.HWND

_THEME = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
_PER_MONITOR_V2 = -4
_PER_MONITOR = 2
_NEAREST_MONITOR = 2
_NORMAL_DPI = 96
_SMALL_ICON_WIDTH = 49  # SM_CXSMICON
_CORNER_PREFERENCE = 33  # DWMWA_WINDOW_CORNER_PREFERENCE, from Windows 11 on
_ROUND = 2


class _MonitorInfo(ctypes.Structure):
    _fields_ = (
        ("size", wintypes.DWORD),
        ("whole", wintypes.RECT),
        ("work", wintypes.RECT),
        ("flags", wintypes.DWORD),
    )


def prepare() -> None:
    """Ask for real pixels; to be called before any window is there. Never fails."""
    with contextlib.suppress(AttributeError, OSError):
        if _user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(_PER_MONITOR_V2)):
            return
    with contextlib.suppress(AttributeError, OSError):  # before Windows 10 1703
        ctypes.WinDLL("shcore").SetProcessDpiAwareness(_PER_MONITOR)


def taskbar_is_dark() -> bool:
    """Whether the taskbar is dark, as it is unless the person chose otherwise."""
    return not _theme_value("SystemUsesLightTheme", default=0)


def windows_are_dark() -> bool:
    """Whether the person chose dark windows."""
    return not _theme_value("AppsUseLightTheme", default=1)


def tray_icon_size() -> int:
    """How many pixels wide an icon on the taskbar is."""
    with contextlib.suppress(AttributeError, OSError):  # before Windows 10 1607
        # The system's own value stays what it was at logon when the person changes the scaling.
        taskbar = _user32.FindWindowW("Shell_TrayWnd", None)
        dpi = _user32.GetDpiForWindow(wintypes.HWND(taskbar)) or _user32.GetDpiForSystem()
        return int(_user32.GetSystemMetricsForDpi(_SMALL_ICON_WIDTH, dpi))
    return int(_user32.GetSystemMetrics(_SMALL_ICON_WIDTH))


def monitor_at_pointer(window: tkinter.Tk) -> Monitor:
    """Find the monitor that has the pointer, without the taskbar."""
    point = wintypes.POINT(window.winfo_pointerx(), window.winfo_pointery())
    monitor = _user32.MonitorFromPoint(point, _NEAREST_MONITOR)
    info = _MonitorInfo(size=ctypes.sizeof(_MonitorInfo))
    _user32.GetMonitorInfoW(wintypes.HMONITOR(monitor), ctypes.byref(info))
    work = info.work
    return Monitor(
        work.left, work.top, work.right - work.left, work.bottom - work.top, _scale(monitor)
    )


def dress(window: tkinter.Tk) -> None:
    """Take the frame off a window; Windows 11 rounds its corners and gives it a shadow."""
    window.overrideredirect(True)
    window.update_idletasks()
    with contextlib.suppress(OSError):
        ctypes.WinDLL("dwmapi").DwmSetWindowAttribute(
            wintypes.HWND(_user32.GetParent(window.winfo_id())),
            wintypes.DWORD(_CORNER_PREFERENCE),
            ctypes.byref(ctypes.c_int(_ROUND)),
            wintypes.DWORD(ctypes.sizeof(ctypes.c_int)),
        )


def open_folder(path: str) -> None:
    """Show a folder in Explorer."""
    os.startfile(path)


def _scale(monitor: int) -> float:
    x, y = wintypes.UINT(), wintypes.UINT()
    with contextlib.suppress(AttributeError, OSError):
        failed = ctypes.WinDLL("shcore").GetDpiForMonitor(
            wintypes.HMONITOR(monitor), 0, ctypes.byref(x), ctypes.byref(y)
        )
        if not failed and x.value:
            return x.value / _NORMAL_DPI
    return 1.0


def _theme_value(name: str, *, default: int) -> int:
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _THEME) as key:
            return int(winreg.QueryValueEx(key, name)[0])
    except (OSError, ValueError):
        return default
