"""Values below HKEY_CURRENT_USER of the Windows registry. No administrator's rights are needed."""

from __future__ import annotations

import os
import sys

_ENVIRONMENT = "Environment"


def path_with(path: str, folder: str) -> str:
    """A PATH with this folder at its end; one that ends with a semicolon still does."""
    if path.endswith(";"):
        return f"{path}{folder};"
    return f"{path};{folder}" if path else folder


def path_without(path: str, folder: str) -> str:
    """A PATH without this folder; the others stay as they are written."""
    return ";".join(entry for entry in path.split(";") if not _is_same(entry, folder))


def is_on_path(folder: str) -> bool:
    """Whether the person's own PATH holds this folder."""
    path = read(_ENVIRONMENT, "Path")
    return isinstance(path, str) and any(_is_same(entry, folder) for entry in path.split(";"))


def add_to_path(folder: str) -> None:
    """Put this folder at the end of the person's own PATH."""
    path = read(_ENVIRONMENT, "Path")
    _write_path(path_with(path if isinstance(path, str) else "", folder))


def remove_from_path(folder: str) -> None:
    """Take this folder off the person's own PATH."""
    path = read(_ENVIRONMENT, "Path")
    if isinstance(path, str):
        _write_path(path_without(path, folder))


def _is_same(entry: str, folder: str) -> bool:
    return os.path.normcase(entry.strip().rstrip("\\")) == os.path.normcase(folder)


if sys.platform == "win32":
    import ctypes
    import winreg

    _BROADCAST, _SETTING_CHANGE, _ABORT_IF_HUNG = 0xFFFF, 0x001A, 0x0002

    def read(key: str, name: str) -> str | bytes | None:
        """A value; None where there is none."""
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                value = winreg.QueryValueEx(opened, name)[0]
        except FileNotFoundError:
            return None
        return value if isinstance(value, (str, bytes)) else str(value)

    def write(key: str, name: str, value: str) -> None:
        """Write a text value."""
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
            winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, value)

    def delete(key: str, name: str) -> None:
        """Delete a value that is there."""
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, access=winreg.KEY_SET_VALUE) as opened:
            winreg.DeleteValue(opened, name)

    def _write_path(path: str) -> None:
        """Write the PATH, as text in which `%USERPROFILE%` goes on to mean something."""
        if not path:
            delete(_ENVIRONMENT, "Path")
            return
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _ENVIRONMENT) as opened:
            winreg.SetValueEx(opened, "Path", 0, winreg.REG_EXPAND_SZ, path)
        # New terminals get it now, and not at the next logon only.
        ctypes.windll.user32.SendMessageTimeoutW(
            _BROADCAST, _SETTING_CHANGE, 0, _ENVIRONMENT, _ABORT_IF_HUNG, 1000, None
        )

else:

    def read(key: str, name: str) -> str | bytes | None:
        """No registry here."""
        raise NotImplementedError

    def write(key: str, name: str, value: str) -> None:
        """No registry here."""
        raise NotImplementedError

    def delete(key: str, name: str) -> None:
        """No registry here."""
        raise NotImplementedError

    def _write_path(path: str) -> None:
        raise NotImplementedError
