"""The page as a file, and its HTML."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.command_line import main
from core.display import page
from core.display.page import write_library, write_results, write_sessions
from core.search.results import Result
from tests.support import pages
from tests.support.memory import Said, remember

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

SNAPSHOTS = Path(__file__).parents[2] / "fixtures" / "pages"
UPDATE = "UPDATE_SNAPSHOTS"


def html(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def text_of(path: str) -> str:
    return " ".join(
        re.sub(
            r"<style>.*?</style>|<script.*?</script>|<[^>]+>", " ", html(path), flags=re.S
        ).split()
    )


def no_match(db: sqlite3.Connection) -> Result:
    pages.ordinary(db)
    return Result("kubernetes ingress", (), ("kubernetes", "ingress"), 3)


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("results", pages.ordinary),
        ("hostile", pages.hostile),
        ("no_match", no_match),
        ("empty", lambda _db: Result("x", (), ("x",), 0)),
    ],
)
def test_the_html_is_as_it_was(
    db: sqlite3.Connection,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    result: Callable[[sqlite3.Connection], Result],
) -> None:
    """After a wanted change: UPDATE_SNAPSHOTS=1, and look at the difference."""
    monkeypatch.setattr(sys, "platform", "linux")
    view = page.gather(db, "results", result(db))
    made = page.render(replace(view, made_at=datetime(2026, 11, 30, 14, 5, tzinfo=UTC)))
    made = re.sub(r"(<style>).*?(</style>)", r"\1…\2", made, flags=re.S)
    made = re.sub(r"(<script>)[^<].*?(</script>)", r"\1…\2", made, flags=re.S)
    made = re.sub(r"sha256-[\w+/=]+", "sha256-…", made)
    snapshot = SNAPSHOTS / f"{name}.html"
    if os.environ.get(UPDATE):
        snapshot.write_text(made, encoding="utf-8", newline="\n")
    assert made == snapshot.read_text(encoding="utf-8")


def test_an_empty_database_says_what_to_do(db: sqlite3.Connection) -> None:
    text = text_of(write_library(db))
    assert "Nothing remembered yet" in text
    assert "chatrecall sweep" in text


def test_no_match_and_not_indexed_yet_are_told_apart(db: sqlite3.Connection) -> None:
    result = no_match(db)
    assert "No session matches" in text_of(write_results(db, result))
    waiting = text_of(write_results(db, replace(result, not_indexed=2)))
    assert "2 sessions are still waiting for the index" in waiting
    assert "No session matches" not in waiting


def test_results_say_what_is_not_indexed_yet(db: sqlite3.Connection) -> None:
    result = replace(pages.ordinary(db), not_indexed=1)
    assert "1 session is not indexed yet" in text_of(write_results(db, result))


def test_corrected_words_are_named(db: sqlite3.Connection) -> None:
    result = replace(pages.ordinary(db), corrected=(("failovr", "failover"),))
    text = text_of(write_results(db, result))
    assert "Showing results for failover instead of failovr ." in text


def test_a_session_that_was_forgotten_just_now_is_not_shown(db: sqlite3.Connection) -> None:
    result = pages.ordinary(db)
    for table in ("exchanges", "sessions"):
        db.execute(f"DELETE FROM {table} WHERE session_id LIKE '6f1c2f8e%'")
    text = text_of(write_results(db, result))
    assert "2 sessions found" in text
    assert "Replica lag" not in text


def test_a_note_is_shown(db: sqlite3.Connection) -> None:
    result = replace(no_match(db), note="That query held no word.")
    assert "That query held no word." in text_of(write_results(db, result))


def test_without_any_summary_the_page_says_how_to_get_them(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "hello")])
    assert "chatrecall summarize --all" in text_of(write_library(db))


def test_a_local_summary_is_marked(db: sqlite3.Connection) -> None:
    text = text_of(write_results(db, pages.ordinary(db)))
    assert "summarized on this machine" in text
    assert "not summarized yet" in text


def test_an_untitled_session_is_called_by_its_first_prompt(db: sqlite3.Connection) -> None:
    remember(
        db, "one", [Said("user", "/clear", kind="slash_command"), Said("user", "fix\n the  login")]
    )
    assert "fix the login" in text_of(write_sessions(db, ["one"]))


def test_sessions_are_shown_in_the_order_asked_for(db: sqlite3.Connection) -> None:
    pages.ordinary(db)
    chosen = ["0b8d7a52-2f44-4a68-8a61-9d9b2f2f5d10", "6f1c2f8e-7f0f-4c3e-9d7e-2f6f3b0a1c11"]
    made = html(write_sessions(db, [*chosen, "unknown", chosen[0]]))
    assert re.findall(r'<dialog [^>]*data-session="(\S+)"', made) == chosen


def test_lone_surrogates_do_not_stop_a_page(db: sqlite3.Connection) -> None:
    pages.ordinary(db)
    assert html(write_results(db, Result("a\ud800b", (), (), 3)))


def test_the_library_command_prints_where_the_page_is(
    db: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    pages.ordinary(db)
    assert main(["library", "--no-open"], {}) == 0
    assert "All sessions" in text_of(capsys.readouterr().out.strip())
    assert main(["library", "--no-open", "6f1c2f8e"], {}) == 0
    assert "Replica lag after" in text_of(capsys.readouterr().out.strip())
    assert main(["library", "--no-open", "nothing"], {}) == 1
