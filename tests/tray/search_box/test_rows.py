from __future__ import annotations

import pytest

from core.search.results import Match, Result
from core.sessions import Session
from tray.search_box import rows
from tray.search_box.rows import ClearRow, NoteRow, QueryRow, SessionRow

SESSION = Session(
    session_id="1",
    project_path="/src/shop",
    project_name="shop",
    started_at="2026-11-03T10:00:00.000Z",
    last_activity_at="2026-11-04T02:00:00.000Z",
    title="",
    subagents=0,
    summary="The cookie lacked SameSite.",
    topics=(),
    decisions=(),
    summarized_by="local",
)


def result(*matches: Match, **fields: object) -> Result:
    return Result("login", matches, ("login",), **{"sessions": 3, **fields})  # type: ignore[arg-type]


def test_a_session_shows_name_project_local_day_and_excerpt() -> None:
    match = Match(SESSION, 1.0, "the login\nloops", 4)
    (row,) = rows.of_result(result(match), {"1": "Fix the login"})
    assert row == SessionRow(match, "Fix the login", "shop", "2026-11-03", "the login loops")


def test_without_an_excerpt_the_summary_stands_there() -> None:
    (row,) = rows.of_result(result(Match(SESSION, 1.0, "", None)), {"1": "Fix"})
    assert isinstance(row, SessionRow)
    assert row.excerpt == "The cookie lacked SameSite."


def test_an_excerpt_that_only_says_the_name_again_makes_room_for_the_summary() -> None:
    match = Match(SESSION, 1.0, "Fix the login", 1)
    (row,) = rows.of_result(result(match), {"1": "Fix the login"})
    assert isinstance(row, SessionRow)
    assert row.excerpt == "The cookie lacked SameSite."


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "Nothing found"),
        ({"sessions": 0}, "No sessions are remembered yet"),
        ({"not_indexed": 2}, "Nothing found so far; 2 sessions are not indexed yet"),
    ],
)
def test_nothing_found_says_why(fields: dict[str, object], text: str) -> None:
    assert rows.of_result(result(**fields), {}) == [NoteRow(text)]


def test_queries_of_the_past_come_with_a_line_to_clear_them() -> None:
    assert rows.of_queries(["a", "b"]) == [QueryRow("a"), QueryRow("b"), ClearRow()]
    assert rows.of_queries([]) == []


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        ({"not_indexed": 1}, "1 session is not indexed yet"),
        ({"corrected": (("lgoin", "login"),)}, "Searched for “login” for “lgoin”"),
        ({"note": "The query\nheld no word."}, "The query held no word."),
    ],
)
def test_the_foot_says_what_the_list_cannot(fields: dict[str, object], text: str) -> None:
    assert rows.foot(result(**fields)) == text
