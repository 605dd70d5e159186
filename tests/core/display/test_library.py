"""All sessions as data for the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.display.library import library_json
from tests.support import pages
from tests.support.memory import remember

if TYPE_CHECKING:
    import sqlite3


def data_of(db: sqlite3.Connection, *, windows: bool = False) -> str:
    return library_json(db, windows=windows)


def test_a_session_is_a_row_that_names_its_project_once(db: sqlite3.Connection) -> None:
    for name in ("one", "two"):
        remember(db, name, title=name.title(), summary="S", topics=("t", "u"))
    data: dict[str, Any] = json.loads(data_of(db))
    assert data["projects"] == [["shop", "/home/lena/src/shop", "cd -- /home/lena/src/shop && "]]
    assert sorted(data["sessions"]) == [
        ["one", 0, 1794475800, "One", "S", ["t", "u"]],
        ["two", 0, 1794475800, "Two", "S", ["t", "u"]],
    ]


def test_a_session_without_a_date_has_null(db: sqlite3.Connection) -> None:
    remember(db, "one", at="")
    assert json.loads(data_of(db))["sessions"][0][2] is None


def test_no_text_can_leave_the_script_element(db: sqlite3.Connection) -> None:
    pages.hostile(db)
    data = data_of(db)
    assert not set("<>&") & set(data)
    assert json.loads(data)["sessions"][0][3] == pages.HOSTILE[3]


def test_long_texts_are_cut(db: sqlite3.Connection) -> None:
    remember(db, "one", title="構" * 1000, summary="é" * 1000)
    _, _, _, title, summary, _ = json.loads(data_of(db))["sessions"][0]
    assert title == "構" * 150
    assert summary == "é" * 480 + "…"


def test_five_thousand_long_chinese_summaries_stay_small(db: sqlite3.Connection) -> None:
    pages.many(db, 5_000)
    db.execute("UPDATE sessions SET summary = replace(summary, 'a', '構')")
    db.execute("UPDATE sessions SET summary = summary || summary || summary")
    data = data_of(db)
    assert len(data.encode()) < 5_000_000
    assert len(json.loads(data)["sessions"]) == 5_000
