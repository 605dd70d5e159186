"""The global hotkey that opens the search box, on Windows."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODIFIERS = {"alt": 0x0001, "ctrl": 0x0002, "control": 0x0002, "shift": 0x0004, "win": 0x0008}
_NO_REPEAT = 0x4000
_FUNCTION_KEYS = {f"f{number}": 0x6F + number for number in range(1, 25)}
_NAMED_KEYS = {"space": 0x20, "insert": 0x2D, "home": 0x24, "end": 0x23, "pause": 0x13}
_NUMBER = 1


def parse(keys: str) -> tuple[int, int] | None:
    """Find the modifiers and the virtual key code of e.g. `Ctrl+Alt+R`.

    None where it names no key, or a key without Ctrl, Alt or Win, which a person types with.
    """
    *modifiers, key = (part.strip().lower() for part in keys.split("+"))
    if any(modifier not in _MODIFIERS for modifier in modifiers):
        return None
    mask = 0
    for modifier in modifiers:
        mask |= _MODIFIERS[modifier]
    code = _FUNCTION_KEYS.get(key) or _NAMED_KEYS.get(key)
    if not code and len(key) == 1 and key.isascii() and key.isalnum():
        code = ord(key.upper())
    if not code or not mask & ~_MODIFIERS["shift"]:
        return None
    return mask, code


@contextlib.contextmanager
def registered(window: int, keys: str) -> Iterator[bool]:
    """Have `window` told of the hotkey during the block; False where another program has it."""
    done = bool(keys) and _register(window, keys)
    try:
        yield done
    finally:
        if done:
            _unregister(window)


def _register(window: int, keys: str) -> bool:
    parsed = parse(keys)
    if not parsed:
        log.warning("The hotkey %r in the settings is none; look at Ctrl+Alt+R", keys)
        return False
    mask, code = parsed
    if not _user32_call("RegisterHotKey", window, _NUMBER, mask | _NO_REPEAT, code):
        log.warning("The hotkey %s is taken by another program", keys)
        return False
    return True


def _unregister(window: int) -> None:
    _user32_call("UnregisterHotKey", window, _NUMBER)


def _user32_call(function: str, window: int, *arguments: int) -> bool:
    if sys.platform != "win32":
        return False
    import ctypes  # noqa: PLC0415
    from ctypes import wintypes  # noqa: PLC0415

    call = getattr(ctypes.WinDLL("user32"), function)
    return bool(call(wintypes.HWND(window), *arguments))
