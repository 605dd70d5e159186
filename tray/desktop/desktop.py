"""The desktop that the tray app is on: one module a system with the same functions."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from tray.desktop.windows import (
        dress,
        monitor_at_pointer,
        open_folder,
        prepare,
        taskbar_is_dark,
        windows_are_dark,
    )
elif sys.platform == "darwin":
    from tray.desktop.macos import (
        dress,
        monitor_at_pointer,
        open_folder,
        prepare,
        taskbar_is_dark,
        windows_are_dark,
    )
else:
    from tray.desktop.x11 import (
        dress,
        monitor_at_pointer,
        open_folder,
        prepare,
        taskbar_is_dark,
        windows_are_dark,
    )

__all__ = [
    "dress",
    "monitor_at_pointer",
    "open_folder",
    "prepare",
    "taskbar_is_dark",
    "windows_are_dark",
]
