"""The search box: a small window that is made at the start, and comes up at once when asked for.

Everything here runs in Tk's thread, which is the main thread, but for the methods that say so.
"""

from __future__ import annotations

import contextlib
import queue
import tkinter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import ChatRecallError
from tray.desktop import desktop
from tray.log import log
from tray.search_box import look, popup_menu, rows
from tray.search_box.row_list import RowList
from tray.search_box.rows import ClearRow, NoteRow, QueryRow, Row, SessionRow
from tray.search_box.search_field import SearchField
from tray.search_box.searcher import Answer, Found, Searcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.search.results import Result
    from tray.menu import Item

_HINT = "↑ ↓ choose     Enter open     Esc close"
_FOCUS_LOST_MS = 120
_BORDER = 1


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
        self._window.bind("<FocusOut>", lambda _event: self._leave_soon())
        self._searcher = Searcher(self._answered, look.ROWS)
        self._result: Result | None = None
        self._answered_query: str | None = None
        self._open = False
        self._had_focus = False
        self._monitor = desktop.monitor_at_pointer(self._window)
        self._dark = desktop.windows_are_dark()
        desktop.dress(self._window)
        self._build()

    def run(self) -> None:
        """Tk's main loop; returns after `quit`."""
        self._window.mainloop()
        with contextlib.suppress(tkinter.TclError):
            self._window.destroy()

    def show(self) -> None:
        """Bring the box up, or to the front. For any thread."""
        self._call_soon(self._show)

    def popup_menu(self, x: int, y: int) -> None:
        """Open the menu at a point of the screen. For any thread."""
        self._call_soon(lambda: self._popup_menu(x, y))

    def search_again(self) -> None:
        """Look once more: there may be more to be found now. For any thread."""
        self._call_soon(self._search_again)

    def quit(self) -> None:
        """End the main loop. For any thread."""
        self._call_soon(self._window.quit)

    def _call_soon(self, call: Callable[[], object]) -> None:
        """Have something done in Tk's thread."""
        self._calls.put(call)
        with contextlib.suppress(tkinter.TclError, RuntimeError):  # it is just ending
            self._window.event_generate("<<Call>>", when="tail")

    def _do_calls(self) -> None:
        while not self._calls.empty():
            self._calls.get()()

    # Building

    def _build(self) -> None:
        """Make the contents for the present colours and scaling."""
        for child in self._window.winfo_children():
            child.destroy()
        style = look.make_style(self._window, self._monitor.scale, dark=self._dark)
        self._style = style
        self._window.configure(
            background=style.palette.background,
            highlightthickness=_BORDER,
            highlightbackground=style.palette.line,
            highlightcolor=style.palette.line,
        )
        self._field = SearchField(self._window, style, self._words_changed, self._popup_menu)
        tkinter.Frame(self._window, height=1, background=style.palette.line).pack(fill="x")
        self._list = RowList(self._window, style, self._choose)
        self._list.canvas.pack(fill="x")
        self._foot = self._make_foot(style)
        self._bind_keys()

    def _make_foot(self, style: look.Style) -> tkinter.Label:
        foot = tkinter.Frame(
            self._window, background=style.palette.background, height=style.px(look.FOOT_HEIGHT)
        )
        foot.pack_propagate(False)
        foot.pack(fill="x")
        words = tkinter.Label(
            foot,
            text=_HINT,
            font=style.fonts.small,
            background=style.palette.background,
            foreground=style.palette.quiet,
            padx=style.px(look.MARGIN),
        )
        words.pack(side="right")
        return words

    def _bind_keys(self) -> None:
        self._field.on_key("<Down>", lambda: self._list.move(1))
        self._field.on_key("<Up>", lambda: self._list.move(-1))
        self._field.on_key("<Tab>", lambda: self._list.move(1))
        self._field.on_key("<Shift-Tab>", lambda: self._list.move(-1))
        with contextlib.suppress(
            tkinter.TclError
        ):  # X calls Shift and Tab so, others don't know it
            self._field.on_key("<ISO_Left_Tab>", lambda: self._list.move(-1))
        self._field.on_key("<Next>", lambda: self._list.move(look.ROWS))
        self._field.on_key("<Prior>", lambda: self._list.move(-look.ROWS))
        self._field.on_key("<Return>", self._enter)
        self._field.on_key("<KP_Enter>", self._enter)
        self._field.on_key("<Escape>", self._hide)
        self._field.on_focus(self._note_focus)

    # Coming and going

    def _show(self) -> None:
        if not self._open:
            self._fit_to_desktop()
            self._field.show_menu_button(not self._host.icon_has_menu())
            self._field.words = ""
            self._show_rows([], None)
            self._host.box_opened()
            self._had_focus = False
            self._open = True
            x, y = self._place()
            self._window.geometry(f"{self._size()}+{x}+{y}")
        self._window.deiconify()
        self._window.attributes("-topmost", True)
        self._window.lift()
        self._window.focus_force()
        self._field.take_focus()

    def _hide(self) -> None:
        self._open = False
        self._window.withdraw()
        self._searcher.rest()

    def _note_focus(self) -> None:
        self._had_focus = True

    def _leave_soon(self) -> None:
        self._window.after(_FOCUS_LOST_MS, self._leave)

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
        looks_the_same = (monitor.scale, dark) == (self._monitor.scale, self._dark)
        self._monitor, self._dark = monitor, dark
        if not looks_the_same:
            self._build()

    def _place(self) -> tuple[int, int]:
        """The middle of the monitor for a box with a full list, so that nothing jumps later."""
        width, height = look.WIDTH, look.FIELD_HEIGHT + look.ROWS * look.ROW_HEIGHT
        return self._monitor.middle(self._style.px(width), self._style.px(height))

    def _size(self) -> str:
        fixed = self._style.px(look.FIELD_HEIGHT) + self._style.px(look.FOOT_HEIGHT)
        height = fixed + 1 + self._list.height + 2 * _BORDER
        return f"{self._style.px(look.WIDTH) + 2 * _BORDER}x{height}"

    # Searching

    def _words_changed(self) -> None:
        self._list.let_go()  # Enter means the words now, also before they are answered
        self._searcher.ask(self._field.words)

    def _search_again(self) -> None:
        if self._open:
            self._searcher.ask(self._field.words)

    def _answered(self, query: str, answer: Answer) -> None:
        """Take an answer; the searcher calls this in its thread."""
        self._call_soon(lambda: self._show_answer(query, answer))

    def _show_answer(self, query: str, answer: Answer) -> None:
        if query != self._field.words:
            return  # typing went on
        if isinstance(answer, Found):
            self._show_rows(rows.of_result(answer.result, answer.names), answer.result)
        elif isinstance(answer, ChatRecallError):
            self._show_rows([NoteRow(answer.title)], None, foot=answer.advice)
        else:
            self._show_rows(rows.of_queries(answer), None)

    def _show_rows(self, shown: list[Row], result: Result | None, foot: str = "") -> None:
        query = self._field.words
        self._list.show(shown, keep_selection=query == self._answered_query)
        self._result, self._answered_query = result, query
        room = self._style.px(look.WIDTH - 2 * look.MARGIN)
        words = look.cut(foot or rows.foot(result) or _HINT, self._style.fonts.small, room)
        self._foot.configure(text=words)
        self._window.geometry(self._size())

    def _enter(self) -> None:
        row, query = self._list.selected, self._field.words
        if row is not None:
            self._choose(row)
        elif query.strip():
            self._hide()
            self._host.search_and_open(query)

    def _choose(self, row: Row) -> None:
        if isinstance(row, QueryRow):
            self._field.words = row.query
        elif isinstance(row, ClearRow):
            self._host.clear_recent_queries()
        elif isinstance(row, SessionRow) and self._result:
            others = tuple(match for match in self._result.matches if match is not row.match)
            self._hide()
            self._host.open_results(replace(self._result, matches=(row.match, *others)))

    # The menu, where the icon has none

    def _popup_menu(self, x: int, y: int) -> None:
        popup_menu.show(self._window, self._host.menu_items(), self._style, x, y)


def _log_exception(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    log.error("In the search box", exc_info=(kind, error, trace))
