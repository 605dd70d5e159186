"""Puts the menu into pystray's form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pystray

if TYPE_CHECKING:
    from tray.menu import Item


def pystray_menu(items: tuple[Item, ...]) -> Any:
    """Build a `pystray.Menu` of these lines."""
    return pystray.Menu(*(_line(item) for item in items))


def _line(item: Item) -> Any:
    if not item.label:
        return pystray.Menu.SEPARATOR
    return pystray.MenuItem(
        # Windows underlines the character behind a single `&`.
        item.label.replace("&", "&&") if sys.platform == "win32" else item.label,
        pystray_menu(item.submenu) if item.submenu else _action(item),
        checked=None if item.checked is None else _always(item.checked),
        default=item.default,
        enabled=bool(item.action or item.submenu),
    )


def _action(item: Item) -> Any:
    action = item.action
    if action is None:
        return None
    return lambda _icon, _item: action()


def _always(value: bool) -> Any:
    return lambda _item: value
