"""The list of the search box, drawn on a canvas: a line a row, one of them selected."""

from __future__ import annotations

import tkinter
from typing import TYPE_CHECKING, Literal

from tray.search_box import look
from tray.search_box.rows import CLEAR_LABEL, ClearRow, NoteRow, QueryRow, Row, SessionRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from tkinter import font

    _TextStyle = tuple[font.Font, str]


class RowList:
    """Draws rows, and tells which one the person chooses."""

    def __init__(
        self,
        window: tkinter.Tk,
        style: look.Style,
        chosen: Callable[[Row], None],
    ) -> None:
        self._palette = style.palette
        self._fonts = style.fonts
        self._px = style.px
        self._chosen = chosen
        self._rows: list[Row] = []
        self._tops: list[int] = []
        self._selected: int | None = None
        self.canvas = tkinter.Canvas(
            window,
            background=style.palette.background,
            highlightthickness=0,
            borderwidth=0,
            width=self._px(look.WIDTH),
            height=0,
        )
        self.canvas.bind("<Motion>", self._on_motion)
        self.canvas.bind("<Button-1>", self._on_click)

    @property
    def height(self) -> int:
        """The height of all rows in pixels."""
        return sum(self._height_of(row) for row in self._rows)

    @property
    def selected(self) -> Row | None:
        """The row that Enter opens; None while Enter means the words themselves."""
        return None if self._selected is None else self._rows[self._selected]

    def show(self, rows: list[Row], *, keep_selection: bool) -> None:
        """Show these rows. The selected one stays so, if that is wished and it is there again."""
        key = self.selected.key if keep_selection and self.selected else None
        self._rows = rows
        self._selected = next((i for i, row in enumerate(rows) if key and row.key == key), None)
        self._draw()

    def move(self, step: int) -> None:
        """Move the selection; above the first row it goes back to the words."""
        places = [index for index, row in enumerate(self._rows) if not isinstance(row, NoteRow)]
        if not places:
            return
        stops: list[int | None] = [None, *places]
        here = stops.index(self._selected)
        self._select(stops[min(max(here + step, 0), len(stops) - 1)])

    def let_go(self) -> None:
        """Select no row."""
        self._select(None)

    def _select(self, index: int | None) -> None:
        if index != self._selected:
            self._selected = index
            self._draw()

    def _draw(self) -> None:
        self.canvas.delete("all")
        self.canvas.configure(height=max(self.height, 1))
        self._tops = []
        top = 0
        for index, row in enumerate(self._rows):
            self._tops.append(top)
            self._draw_row(row, top, selected=index == self._selected)
            top += self._height_of(row)

    def _draw_row(self, row: Row, top: int, *, selected: bool) -> None:
        height = self._height_of(row)
        if selected:
            edge = self._px(6)
            self.canvas.create_rectangle(
                *(edge, top, self._px(look.WIDTH) - edge, top + height),
                fill=self._palette.selected,
                width=0,
            )
        if isinstance(row, SessionRow):
            self._draw_session(row, top)
            return
        text, colour = _plain(row, self._palette)
        text = look.cut(text, self._fonts.title, self._px(look.WIDTH - 2 * look.MARGIN))
        place = self._px(look.MARGIN), top + height / 2
        self._text(text, place, (self._fonts.title, colour))

    def _draw_session(self, row: SessionRow, top: int) -> None:
        left, right = self._px(look.MARGIN), self._px(look.WIDTH - look.MARGIN)
        loud = self._fonts.title, self._palette.text
        quiet = self._fonts.small, self._palette.quiet
        # Alone, the title stands in the middle of the row.
        upper = top + self._px(17 if row.excerpt else look.ROW_HEIGHT // 2)
        project = look.cut(row.project, self._fonts.small, self._px(look.PROJECT_WIDTH))
        detail = " · ".join(part for part in (project, row.day) if part)
        self._text(detail, (right, upper), quiet, right=True)
        room = right - left - self._fonts.small.measure(detail) - self._px(look.MARGIN)
        self._text(look.cut(row.title, self._fonts.title, room), (left, upper), loud)
        excerpt = look.cut(row.excerpt, self._fonts.small, right - left)
        self._text(excerpt, (left, top + self._px(37)), quiet)

    def _text(
        self, text: str, place: tuple[float, float], style: _TextStyle, *, right: bool = False
    ) -> None:
        text_font, colour = style
        anchor: Literal["e", "w"] = "e" if right else "w"
        self.canvas.create_text(place, text=text, font=text_font, fill=colour, anchor=anchor)

    def _height_of(self, row: Row) -> int:
        return self._px(look.ROW_HEIGHT if isinstance(row, SessionRow) else look.LINE_HEIGHT)

    def _row_at(self, y: int) -> int | None:
        places = [index for index, top in enumerate(self._tops) if top <= y]
        if not places or isinstance(self._rows[places[-1]], NoteRow):
            return None
        return places[-1]

    def _on_motion(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        index = self._row_at(event.y)
        if index is not None:
            self._select(index)

    def _on_click(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        index = self._row_at(event.y)
        if index is not None:
            self._chosen(self._rows[index])


def _plain(row: Row, palette: look.Palette) -> tuple[str, str]:
    if isinstance(row, QueryRow):
        return row.query, palette.text
    if isinstance(row, ClearRow):
        return CLEAR_LABEL, palette.quiet
    assert isinstance(row, NoteRow)
    return row.text, palette.quiet
