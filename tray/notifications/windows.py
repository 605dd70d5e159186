"""Notifications on Windows where no icon of ours is: `win10toast`, with its traps taken away.

It is of 2018 and unmaintained: it imports `pkg_resources`, which older setuptools warn about and 82
has dropped; its window procedure returns None, which makes pywin32 print an error at each toast; it
sleeps in place of looking at messages, so that it never hears a click; and it ends the message loop
of the thread that calls it. So it gets a stand-in for the first, a subclass, and its own thread.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import time
import types
from typing import Any

from core import paths

assert sys.platform == "win32"

_NIN_BALLOONUSERCLICK = 0x0405
_LOOK_SECONDS = 0.1


def show(title: str, body: str, seconds: float) -> bool:
    """Show a toast for these seconds; True when it was clicked."""
    clicked = threading.Event()
    failed: list[BaseException] = []

    def work() -> None:
        try:
            _toaster(clicked).show_toast(title, body, paths.asset("icon/chatrecall.ico"), seconds)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, name="toast", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return clicked.is_set()


def _toaster(clicked: threading.Event) -> Any:
    win10toast = _import_win10toast()
    import win32con  # noqa: PLC0415
    import win32gui  # noqa: PLC0415

    class Toaster(win10toast.ToastNotifier):  # type: ignore[misc,name-defined]
        def on_destroy(self, *message: object) -> int:
            super().on_destroy(*message)
            return 0

        def wait(self, seconds: float) -> None:
            """Stands in for the sleep: looks at messages until the time is up or a click."""
            answers = {
                win32con.WM_USER + 20: self._on_icon,
                win32con.WM_DESTROY: self.on_destroy,
            }
            win32gui.SetWindowLong(self.hwnd, win32con.GWL_WNDPROC, answers)
            tip = (self.hwnd, 0, win32gui.NIF_TIP, 0, 0, "ChatRecall")
            win32gui.Shell_NotifyIcon(win32gui.NIM_MODIFY, tip)  # in place of "Tooltip"
            end = time.monotonic() + seconds
            while time.monotonic() < end and not clicked.is_set():
                win32gui.PumpWaitingMessages()
                time.sleep(_LOOK_SECONDS)

        def _on_icon(self, _window: int, _message: int, _wparam: int, event: int) -> int:
            if event == _NIN_BALLOONUSERCLICK:
                clicked.set()
            return 0

    toaster = Toaster()
    win10toast.sleep = toaster.wait
    return toaster


def _import_win10toast() -> Any:
    sys.modules["pkg_resources"] = _stand_in()
    import win10toast  # noqa: PLC0415

    return win10toast


def _stand_in() -> types.ModuleType:
    """Answer what win10toast asks pkg_resources for: where its own icon lies."""
    module = types.ModuleType("pkg_resources")
    found = importlib.util.find_spec("win10toast")
    folder = os.path.dirname(os.path.dirname(found.origin or "")) if found else ""

    class Requirement:
        @staticmethod
        def parse(name: str) -> str:
            return name

    module.Requirement = Requirement  # type: ignore[attr-defined]
    module.resource_filename = (  # type: ignore[attr-defined]
        lambda _requirement, name: os.path.join(folder, name)
    )
    return module
