"""Values below HKEY_CURRENT_USER of the Windows registry. No administrator's rights are needed."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import winreg

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
