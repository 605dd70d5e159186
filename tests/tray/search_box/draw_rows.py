"""Draws rows and tells where their texts are: a program of its own, since Tk dies with its screen.

Takes the scaling, and on standard input a JSON list of rows as title, project, day and excerpt.
Prints for each its width, its height, and its texts as `[text, left, top, right, bottom]`.
"""

from __future__ import annotations

import json
import sys
import tkinter
from typing import Any

from core.search.results import Match
from tests.tray.search_box.test_rows import SESSION
from tray.search_box import look
from tray.search_box.row_list import RowList
from tray.search_box.rows import SessionRow

MATCH = Match(SESSION, 1.0, "", None)


def main() -> None:
    """Draw all of them."""
    window = tkinter.Tk()
    style = look.make_style(window, float(sys.argv[1]), dark=False)
    rows = RowList(window, style, lambda _row: None)
    drawn = [draw(rows, SessionRow(MATCH, *texts)) for texts in json.load(sys.stdin)]
    print(json.dumps(drawn))


def draw(rows: RowList, row: SessionRow) -> dict[str, Any]:
    """Draw one."""
    rows.show([row], keep_selection=False)
    canvas: Any = rows.canvas
    texts = [(canvas.itemcget(item, "text"), *canvas.bbox(item)) for item in canvas.find_all()]
    return {
        "width": canvas.winfo_reqwidth(),
        "height": rows.height,
        "texts": [text for text in texts if text[0]],
    }


if __name__ == "__main__":
    main()
