"""`/save-recall` and `/search-chats`, given to the real client."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

import pytest

from core import database, paths
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = pytest.mark.client

ANSWERED = "Mock answer to: "
HOSTILE_WORDS = "it's C++; echo pwned"
QUESTION = "Why does it's destructor in parser.cpp run twice in C++?"
SUMMARY: dict[str, Any] = {
    "summary": "The deploy key was put into the blue vault.",
    "topics": ["deploy key", "blue vault"],
    "decisions": ["The key is kept in the blue vault."],
    "project_name": "shop",
    "search_terms": ["secret", "credentials", "password store"],
}


@pytest.fixture
def past_session(claude_dir: Path) -> Transcript:
    """Last week's session, that no hook has seen."""
    session = Transcript(claude_dir / "projects" / "-home-dev-shop")
    session.user(QUESTION)
    session.assistant("The rule of five: std::move left the raw pointer in the source.")
    return session


@pytest.fixture(params=["print", "terminal"])
def give(request: pytest.FixtureRequest, claude: Claude) -> Iterator[Callable[[str], None]]:
    """Gives a prompt or command to the client, and waits for the answer.

    With a permission prompt it would wait in vain.
    """
    if request.param == "print":
        given: list[str] = []

        def ask(text: str) -> None:
            claude.ask(text, *(["--continue"] if given else []))
            given.append(text)

        yield ask
        return
    with claude.terminal() as terminal:

        def type_and_wait(text: str) -> None:
            before = terminal.screen().count(ANSWERED)
            terminal.type(text)
            terminal.wait_until(lambda: terminal.screen().count(ANSWERED) > before, "an answer")

        yield type_and_wait


def test_search_chats_takes_any_words(
    give: Callable[[str], None], past_session: Transcript, api: MockApi
) -> None:
    give(f"/search-chats {HOSTILE_WORDS}")

    assert QUESTION in api.texts()
    assert past_session.session_id in api.texts()
    assert "\npwned" not in api.texts()
    assert [name for name in os.listdir(paths.pages_dir()) if name.endswith(".html")]


def test_search_chats_says_when_nothing_was_found(
    give: Callable[[str], None], past_session: Transcript, api: MockApi
) -> None:
    give("/search-chats xylophone")

    assert QUESTION not in api.texts()
    assert "No session holds “xylophone”" in api.texts()


def test_save_recall_summarizes_the_session(
    give: Callable[[str], None], past_session: Transcript, api: MockApi
) -> None:
    api.structured_answer = SUMMARY
    give("Remember that the deploy key is in the blue vault.")
    give("/save-recall")

    assert SUMMARY["summary"] in api.texts()
    with contextlib.closing(database.connect()) as db:
        rows = db.execute("SELECT summary, session_id FROM sessions WHERE summary <> ''").fetchall()
    assert [summary for summary, _ in rows] == [SUMMARY["summary"]]
    assert rows[0][1] != past_session.session_id
