"""The menu as Tk shows it, for trays whose icons have none."""

from __future__ import annotations

import tkinter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tray.menu import Item
    from tray.search_box.look import Style

_GAP = 6


def show(window: tkinter.Tk, items: tuple[Item, ...], style: Style, x: int, y: int) -> None:
    """Open the menu at a point of the screen."""
    menu = _build(window, items, _options(style))
    menu.update_idletasks()  # until then its height is 1
    # Beside the pointer and not under it, where letting the button go would choose a line.
    below, above = y + _GAP, y - menu.winfo_reqheight() - _GAP
    fits_below = below + menu.winfo_reqheight() <= window.winfo_screenheight()
    menu.tk_popup(x + _GAP, below if fits_below else above)
    menu.focus_force()  # else the keyboard stays with the window that had it


def _options(style: Style) -> dict[str, Any]:
    palette = style.palette
    return {
        "font": style.fonts.small,
        "background": palette.background,
        "foreground": palette.text,
        "activebackground": palette.selected,
        "activeforeground": palette.text,
        "disabledforeground": palette.quiet,
        "relief": "flat",
        "borderwidth": 4,
        "activeborderwidth": 0,
    }


def _build(parent: tkinter.Misc, items: tuple[Item, ...], options: dict[str, Any]) -> tkinter.Menu:
    menu = tkinter.Menu(parent, tearoff=False, **options)
    for item in items:
        if not item.label:
            menu.add_separator()
        elif item.submenu:
            menu.add_cascade(label=item.label, menu=_build(menu, item.submenu, options))
        else:
            mark = "✓ " if item.checked else ""
            state: Any = "normal" if item.action else "disabled"
            menu.add_command(label=f"{mark}{item.label}", command=item.action or "", state=state)
    return menu
