"""A search's answer as text, for a person and for Claude."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.display.terminal import FOR_CLAUDE, MOST_FOR_CLAUDE, for_claude, for_person
from core.search.results import Match, Result
from core.sessions import Session

SESSION = Session(
    session_id="0f3e1b2c-1111-4222-8333-444455556666",
    project_path="/home/lena/My Shop",
    project_name="My Shop",
    started_at="2026-11-12T09:30:00.000Z",
    last_activity_at="2026-11-12T23:50:00.000Z",
    title="Failover",
    subagents=0,
    summary="The replica lagged.\nDeletes come in batches now.",
    topics=("failover",),
    decisions=("Delete in batches", "Fail over after 120 s"),
    summarized_by="local",
)
MATCH = Match(SESSION, 3.0, "raise the failover timeout", 4)
RESULT = Result("failover", (MATCH,), ("failover",), 12)
NAMES = {SESSION.session_id: "Failover of the replica"}


def without_colours(result: Result) -> str:
    return for_person(result, NAMES, colours=False)


def test_a_person_reads_date_project_name_excerpt_and_how_to_resume() -> None:
    assert without_colours(RESULT) == (
        "1 of 12 sessions:\n\n"
        "2026-11-12  My Shop  Failover of the replica\n"
        "   raise the failover timeout\n"
        "   cd -- '/home/lena/My Shop' && claude --resume 0f3e1b2c-1111-4222-8333-444455556666"
    )


def test_on_windows_the_command_is_powershells() -> None:
    text = for_person(RESULT, NAMES, colours=False, windows=True)
    assert "cd -LiteralPath '/home/lena/My Shop'" in text


def test_with_colours_the_words_are_marked() -> None:
    text = for_person(RESULT, NAMES, colours=True)
    assert "the \x1b[1;33mfailover\x1b[0m timeout" in text
    assert "\x1b" not in without_colours(RESULT)


def test_what_was_corrected_and_noted_stands_first() -> None:
    result = replace(RESULT, corrected=(("faliover", "failover"),), note="A note.")
    first = "Showing results for “failover” for “faliover”. A note. 1 of 12 sessions:"
    assert without_colours(result).startswith(first)
    assert for_claude(result, NAMES).startswith(first)


def test_without_matches_the_note_is_the_answer() -> None:
    result = Result("x", (), (), 12, note="No session holds “x”.")
    assert without_colours(result) == for_claude(result, NAMES) == "No session holds “x”."


@pytest.mark.parametrize("trick", ["\x1b]0;owned\x07", "\x1b[2J", "\u202e", "\x9b31m", "\r"])
def test_nothing_that_was_said_steers_the_terminal(trick: str) -> None:
    session = replace(
        SESSION, project_name=f"p{trick}", project_path=f"/x{trick}", summary=f"s{trick}"
    )
    match = replace(MATCH, session=session, excerpt=f"e{trick}e")
    result = replace(RESULT, matches=(match,), note=f"n{trick}n")
    names = {SESSION.session_id: f"name{trick}"}

    assert trick not in for_person(result, names, colours=False)
    assert trick not in for_claude(result, names)


def test_claude_reads_enough_to_answer_from() -> None:
    assert for_claude(RESULT, NAMES) == (
        "1 of 12 sessions:\n\n"
        "## Failover of the replica\n"
        "Session 0f3e1b2c-1111-4222-8333-444455556666, 2026-11-12, in /home/lena/My Shop\n"
        "Summary: The replica lagged. Deletes come in batches now.\n"
        "Excerpt: raise the failover timeout\n"
        "Decided: Delete in batches\n"
        "Decided: Fail over after 120 s"
    )


def test_an_excerpt_of_the_summary_is_not_said_twice() -> None:
    match = replace(MATCH, excerpt="The replica lagged.", seq=None)
    assert "Excerpt" not in for_claude(replace(RESULT, matches=(match,)), NAMES)


@pytest.mark.parametrize("number", [1, 5, 12, 100])
def test_claude_gets_no_more_than_it_can_bear(number: int) -> None:
    long = replace(SESSION, summary="so " * 3000, decisions=("and " * 300,) * 20)
    result = replace(RESULT, matches=(replace(MATCH, session=long),) * number)

    text = for_claude(result, NAMES)
    assert FOR_CLAUDE * 0.9 < len(text) <= FOR_CLAUDE
    assert text.count("## Failover") == min(number, MOST_FOR_CLAUDE)


def test_a_short_match_leaves_its_room_to_the_others() -> None:
    long = replace(MATCH, session=replace(SESSION, summary="so " * 3000))
    text = for_claude(replace(RESULT, matches=(MATCH, long)), NAMES)
    assert "Decided: Fail over after 120 s\n\n##" in text
    assert len(text) > FOR_CLAUDE * 0.9
