"""Run by a Windows Python: sends a message to windows and writes their answers down.

`python windows_message.py CLASS MESSAGE WPARAM LPARAM FILE`: to all top-level windows whose class
name contains CLASS; numbers as Python writes them, and MESSAGE also as a registered message's name.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes

assert sys.platform == "win32"

user32 = ctypes.WinDLL("user32")
user32.SendMessageW.restype = ctypes.c_ssize_t
user32.SendMessageW.argtypes = (wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)
ENUMERATE = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)


def windows_of_class(part: str) -> list[int]:
    """All top-level windows whose class name contains `part`."""
    found: list[int] = []

    def look(window: int, _: int) -> bool:
        name = ctypes.create_unicode_buffer(256)
        user32.GetClassNameW(wintypes.HWND(window), name, 256)
        if part in name.value:
            found.append(window)
        return True

    user32.EnumWindows(ENUMERATE(look), 0)
    return found


if __name__ == "__main__":
    name, *numbers, answers_file = sys.argv[1:]
    if not numbers[0].isdecimal():
        numbers[0] = str(user32.RegisterWindowMessageW(numbers[0]))
    message, wparam, lparam = (int(number, 0) for number in numbers)
    answers = [
        user32.SendMessageW(window, message, wparam, lparam) for window in windows_of_class(name)
    ]
    with open(answers_file, "w", encoding="ascii") as file:
        file.write(f"{answers}")
