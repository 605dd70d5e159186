"""The search box: a small window that is made at the start, and comes up at once when asked for.

Everything here runs in Tk's thread, which is the main thread, but for the methods that say so.
"""

from __future__ import annotations

import contextlib
import queue
import tkinter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tray import desktop, look, popup_menu, rows
from tray.log import log
from tray.row_list import RowList
from tray.rows import ClearRow, QueryRow, Row, SessionRow
from tray.searcher import Found, Searcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.results import Result
    from tray.menu import Item
    from tray.monitor import Monitor

_PLACEHOLDER = "Search your sessions"
_HINT = "↑ ↓ choose     Enter open     Esc close"
_FOCUS_LOST_MS = 120


class Host(Protocol):
    """What the search box asks of the app."""

    def open_results(self, result: Result) -> None:
        """Open the page of a result."""

    def search_and_open(self, query: str) -> None:
        """Open the page of what a query finds."""

    def clear_recent_queries(self) -> None:
        """Forget the last queries."""

    def menu_items(self) -> tuple[Item, ...]:
        """Build the present menu."""

    def icon_has_menu(self) -> bool:
        """Say whether the icon shows the menu, so that the box need not."""

    def box_opened(self) -> None:
        """Learn that the box came up."""


class SearchBox:
    """The window with its field and its list."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._calls: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._window = tkinter.Tk(className="ChatRecall")
        self._window.withdraw()
        self._window.title("ChatRecall: search")
        self._window.report_callback_exception = _log_exception
        self._window.bind("<<Call>>", lambda _event: self._do_calls())
        self._searcher = Searcher(self._answered, look.ROWS)
        self._result: Result | None = None
        self._had_focus = False
        self._open = False
        self._monitor = desktop.monitor_at_pointer(self._window)
        self._dark = desktop.windows_are_dark()
        desktop.dress(self._window)
        self._build()

    def run(self) -> None:
        """Tk's main loop; returns after `quit`."""
        self._window.mainloop()
        with contextlib.suppress(tkinter.TclError):
            self._window.destroy()

    def call_soon(self, call: Callable[[], object]) -> None:
        """Have something done in Tk's thread. For any thread."""
        self._calls.put(call)
        with contextlib.suppress(tkinter.TclError, RuntimeError):  # it is just ending
            self._window.event_generate("<<Call>>", when="tail")

    def show(self) -> None:
        """Bring the box up, or to the front. For any thread."""
        self.call_soon(self._show)

    def popup_menu(self, x: int, y: int) -> None:
        """Open the menu at a point of the screen. For any thread."""
        self.call_soon(lambda: self._popup_menu(x, y))

    def search_again(self) -> None:
        """Look once more: there is more to be found now. For any thread."""
        self.call_soon(self._search_again)

    def quit(self) -> None:
        """End the main loop. For any thread."""
        self.call_soon(self._window.quit)

    # Building

    def _build(self) -> None:
        """Make the contents for the present colours and scaling."""
        for child in self._window.winfo_children():
            child.destroy()
        palette = look.DARK if self._dark else look.LIGHT
        scale = self._monitor.scale
        fonts = look.make_fonts(self._window, scale)
        self._fonts = fonts  # Tk forgets a font that nobody holds
        self._window.configure(
            background=palette.background,
            highlightthickness=1,
            highlightbackground=palette.line,
            highlightcolor=palette.line,
        )
        self._make_field(palette, fonts)
        self._make_line(palette)
        self._list = RowList(self._window, palette, fonts, scale, self._choose)
        self._list.canvas.pack(fill="x")
        self._make_foot(palette, fonts)

    def _make_field(self, palette: look.Palette, fonts: look.Fonts) -> None:
        margin = self._px(look.MARGIN)
        top = tkinter.Frame(
            self._window,
            background=palette.background,
            height=self._px(look.FIELD_HEIGHT),
            width=self._px(look.WIDTH),
        )
        top.pack_propagate(False)
        top.pack(fill="x")
        self._words = tkinter.StringVar(self._window)
        self._words.trace_add("write", lambda *_: self._words_changed())
        self._menu_button = self._make_menu_button(top, palette, fonts)
        self._field = tkinter.Entry(
            top,
            textvariable=self._words,
            font=fonts.field,
            relief="flat",
            borderwidth=0,
            highlightthickness=0,
            background=palette.background,
            foreground=palette.text,
            insertbackground=palette.accent,
            insertwidth=max(2, self._px(2)),
            selectbackground=palette.accent,
            selectforeground="#ffffff",
        )
        self._field.pack(side="left", fill="both", expand=True, padx=margin)
        self._placeholder = tkinter.Label(
            self._field,
            text=_PLACEHOLDER,
            font=fonts.field,
            background=palette.background,
            foreground=palette.quiet,
            borderwidth=0,
            padx=0,
            cursor="xterm",
        )
        self._placeholder.bind("<Button-1>", lambda _event: self._field.focus_set())
        self._bind_keys()
        self._show_placeholder()

    def _make_menu_button(
        self, top: tkinter.Frame, palette: look.Palette, fonts: look.Fonts
    ) -> tkinter.Label:
        button = tkinter.Label(
            top,
            text="☰",
            font=fonts.title,
            background=palette.background,
            foreground=palette.quiet,
            padx=self._px(look.MARGIN),
            cursor="hand2",
        )
        button.bind("<Button-1>", lambda event: self._popup_menu(event.x_root, event.y_root))
        return button

    def _make_line(self, palette: look.Palette) -> None:
        tkinter.Frame(self._window, height=1, background=palette.line).pack(fill="x")

    def _make_foot(self, palette: look.Palette, fonts: look.Fonts) -> None:
        foot = tkinter.Frame(
            self._window, background=palette.background, height=self._px(look.FOOT_HEIGHT)
        )
        foot.pack_propagate(False)
        foot.pack(fill="x")
        quiet: dict[str, Any] = {
            "font": fonts.small,
            "background": palette.background,
            "foreground": palette.quiet,
            "padx": self._px(look.MARGIN),
        }
        tkinter.Label(foot, text=_HINT, **quiet).pack(side="right")
        self._foot = tkinter.Label(foot, **quiet)
        self._foot.pack(side="left")

    def _bind_keys(self) -> None:
        def bind(keys: str, action: Callable[[], None]) -> None:
            def on_key(_event: object) -> str:
                action()
                return "break"

            self._field.bind(keys, on_key)

        bind("<Down>", lambda: self._list.move(1))
        bind("<Up>", lambda: self._list.move(-1))
        bind("<Tab>", lambda: self._list.move(1))
        bind("<Return>", self._enter)
        bind("<KP_Enter>", self._enter)
        bind("<Escape>", self._hide)
        bind("<Control-a>", lambda: self._field.selection_range(0, "end"))
        self._field.bind("<FocusIn>", lambda _event: self._note_focus())
        self._window.bind(
            "<FocusOut>", lambda _event: self._window.after(_FOCUS_LOST_MS, self._leave)
        )

    # Coming and going

    def _show(self) -> None:
        if not self._open:
            self._fit_to_desktop()
            self._show_menu_button()
            self._words.set("")
            self._show_rows([], None)
            self._searcher.ask("")
            self._host.box_opened()
            self._place()
            self._had_focus = False
        self._open = True
        self._window.deiconify()
        self._window.attributes("-topmost", True)
        self._window.lift()
        self._window.focus_force()
        self._field.focus_force()
        self._field.selection_range(0, "end")

    def _hide(self) -> None:
        self._open = False
        self._window.withdraw()
        self._searcher.rest()

    def _note_focus(self) -> None:
        self._had_focus = True

    def _leave(self) -> None:
        """Close when another window has got the focus; not before the box ever had it."""
        if self._open and self._had_focus and self._focus_is_elsewhere():
            self._hide()

    def _focus_is_elsewhere(self) -> bool:
        try:
            return self._window.focus_displayof() is None
        except KeyError:  # a menu of ours, which Tk knows under another name
            return False

    def _fit_to_desktop(self) -> None:
        """Follow the pointer to another monitor, and the desktop to other colours."""
        monitor, dark = desktop.monitor_at_pointer(self._window), desktop.windows_are_dark()
        same_look = (monitor.scale, dark) == (self._monitor.scale, self._dark)
        self._monitor, self._dark = monitor, dark
        if not same_look:
            self._build()

    def _show_menu_button(self) -> None:
        if self._host.icon_has_menu():
            self._menu_button.pack_forget()
        else:
            self._menu_button.pack(side="right", fill="y", before=self._field)

    def _place(self) -> None:
        """In the middle of the monitor; the height is that of a full list, so nothing jumps."""
        x, y = _middle(self._monitor, self._px(look.WIDTH), self._full_height())
        self._window.geometry(f"{self._px(look.WIDTH) + 2}x{self._height()}+{x}+{y}")

    def _full_height(self) -> int:
        rows_height = look.ROWS * look.ROW_HEIGHT
        return self._px(look.FIELD_HEIGHT + rows_height + look.FOOT_HEIGHT)

    def _height(self) -> int:
        return self._px(look.FIELD_HEIGHT) + 1 + self._list.height + self._px(look.FOOT_HEIGHT) + 2

    # Searching

    def _words_changed(self) -> None:
        self._show_placeholder()
        self._searcher.ask(self._words.get())

    def _show_placeholder(self) -> None:
        if self._words.get():
            self._placeholder.place_forget()
        else:
            self._placeholder.place(x=self._px(4), rely=0.5, anchor="w")

    def _answered(self, query: str, answer: Found | list[str]) -> None:
        """Take an answer; the searcher calls this in its thread."""
        self.call_soon(lambda: self._show_answer(query, answer))

    def _show_answer(self, query: str, answer: Found | list[str]) -> None:
        if query != self._words.get():
            return  # typing went on
        if isinstance(answer, Found):
            self._show_rows(rows.of_result(answer.result, answer.names), answer.result)
        else:
            self._show_rows(rows.of_queries(answer), None)

    def _show_rows(self, shown: list[Row], result: Result | None) -> None:
        self._result = result
        self._list.show(shown)
        self._foot.configure(text=rows.foot(result))
        self._window.geometry(f"{self._px(look.WIDTH) + 2}x{self._height()}")

    def _enter(self) -> None:
        row = self._list.selected
        if row is not None:
            self._choose(row)
        elif self._words.get().strip():
            query = self._words.get()
            self._hide()
            self._host.search_and_open(query)

    def _choose(self, row: Row) -> None:
        if isinstance(row, QueryRow):
            self._words.set(row.query)
            self._field.icursor("end")
        elif isinstance(row, ClearRow):
            self._host.clear_recent_queries()
        elif isinstance(row, SessionRow) and self._result:
            others = tuple(match for match in self._result.matches if match is not row.match)
            self._hide()
            self._host.open_results(replace(self._result, matches=(row.match, *others)))

    def _search_again(self) -> None:
        if self._open:
            self._searcher.ask(self._words.get())

    # The menu, where the icon has none

    def _popup_menu(self, x: int, y: int) -> None:
        palette = look.DARK if self._dark else look.LIGHT
        popup_menu.show(self._window, self._host.menu_items(), palette, self._fonts, (x, y))

    # Helpers

    def _do_calls(self) -> None:
        while not self._calls.empty():
            self._calls.get()()

    def _px(self, pixels: int) -> int:
        return round(pixels * self._monitor.scale)


def _middle(monitor: Monitor, width: int, height: int) -> tuple[int, int]:
    x = monitor.x + max(0, (monitor.width - width) // 2)
    return x, monitor.y + max(0, (monitor.height - height) // 2)


def _log_exception(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    log.error("In the search box", exc_info=(kind, error, trace))
