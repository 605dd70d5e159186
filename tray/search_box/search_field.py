"""The search box's upper part: the field for the words, and a menu button where one is needed."""

from __future__ import annotations

import tkinter
from typing import TYPE_CHECKING

from tray.search_box import look

if TYPE_CHECKING:
    from collections.abc import Callable

_PLACEHOLDER = "Search your sessions"


class SearchField:
    """An entry with a placeholder. `changed` is called at each change of the words."""

    def __init__(
        self,
        window: tkinter.Tk,
        style: look.Style,
        changed: Callable[[], None],
        open_menu: Callable[[int, int], None],
    ) -> None:
        self._changed = changed
        self._frame = tkinter.Frame(
            window,
            background=style.palette.background,
            height=style.px(look.FIELD_HEIGHT),
            width=style.px(look.WIDTH),
        )
        self._frame.pack_propagate(False)
        self._frame.pack(fill="x")
        self._words = tkinter.StringVar(window)
        self._words.trace_add("write", lambda *_: self._on_change())
        self._entry = self._make_entry(style)
        self._placeholder = self._make_placeholder(style)
        self._button = self._make_button(style, open_menu)
        self._show_placeholder()

    @property
    def words(self) -> str:
        """What stands in the field."""
        return self._words.get()

    @words.setter
    def words(self, words: str) -> None:
        self._words.set(words)
        self._entry.icursor("end")

    def take_focus(self) -> None:
        """Have the keyboard, with all words selected so that typing replaces them."""
        self._entry.focus_force()
        self._entry.selection_range(0, "end")

    def on_key(self, keys: str, action: Callable[[], None]) -> None:
        """Do something when a key is pressed, in place of what the field would do."""

        def handle(_event: object) -> str:
            action()
            return "break"

        self._entry.bind(keys, handle)

    def on_focus(self, action: Callable[[], None]) -> None:
        """Do something when the field gets the keyboard."""
        self._entry.bind("<FocusIn>", lambda _event: action())

    def show_menu_button(self, wanted: bool) -> None:
        """Show the button or not."""
        if wanted:
            self._button.pack(side="right", fill="y", before=self._entry)
        else:
            self._button.pack_forget()

    def _make_entry(self, style: look.Style) -> tkinter.Entry:
        palette = style.palette
        entry = tkinter.Entry(
            self._frame,
            textvariable=self._words,
            font=style.fonts.field,
            relief="flat",
            borderwidth=0,
            highlightthickness=0,
            background=palette.background,
            foreground=palette.text,
            insertbackground=palette.accent,
            insertwidth=max(2, style.px(2)),
            selectbackground=palette.accent,
            selectforeground="#ffffff",
        )
        entry.pack(side="left", fill="both", expand=True, padx=style.px(look.MARGIN))
        for keys in ("<Control-a>", "<Control-A>"):  # the second one with Caps Lock on
            entry.bind(keys, self._select_all)
        return entry

    def _make_placeholder(self, style: look.Style) -> tkinter.Label:
        label = tkinter.Label(
            self._entry,
            text=_PLACEHOLDER,
            font=style.fonts.field,
            background=style.palette.background,
            foreground=style.palette.quiet,
            borderwidth=0,
            padx=0,
            cursor="xterm",
        )
        label.bind("<Button-1>", lambda _event: self._entry.focus_set())
        return label

    def _make_button(
        self, style: look.Style, open_menu: Callable[[int, int], None]
    ) -> tkinter.Label:
        button = tkinter.Label(
            self._frame,
            text="☰",
            font=style.fonts.title,
            background=style.palette.background,
            foreground=style.palette.quiet,
            padx=style.px(look.MARGIN),
            cursor="hand2",
        )
        button.bind("<Button-1>", lambda event: open_menu(event.x_root, event.y_root))
        return button

    def _select_all(self, _event: object) -> str:
        self._entry.selection_range(0, "end")
        return "break"

    def _on_change(self) -> None:
        self._show_placeholder()
        self._changed()

    def _show_placeholder(self) -> None:
        if self.words:
            self._placeholder.place_forget()
        else:
            self._placeholder.place(x=_CARET_ROOM, rely=0.5, anchor="w")


_CARET_ROOM = 3
