"""What sessions with the real client leave in the database: printed ones and typed ones."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.support.remembered import said, sweep_now

if TYPE_CHECKING:
    from tests.support.client import Claude, Terminal
    from tests.support.mock_api import MockApi

pytestmark = pytest.mark.client

VAULT = "Remember that the deploy key is stored in the blue vault."
FILES = "Which files are there?"
THANKS = 'Thanks for it\'s C++; echo "done".'

SCRIPT = {
    VAULT: "[[say I will remember the blue vault.]]",
    FILES: "[[say Let me look.]][[bash printf 'alpha\\nbeta\\n']][[then]][[say Alpha and beta.]]",
    THANKS: "[[think Nothing left.]][[say You are welcome.]][[say Good night, 日本.]]",
}
CONVERSATION = [
    ("person", VAULT),
    ("assistant", "I will remember the blue vault."),
    ("person", FILES),
    ("assistant", "Let me look."),
    ("assistant", "Alpha and beta."),
    ("person", THANKS),
    ("assistant", "You are welcome.\nGood night, 日本."),
]


@pytest.fixture(autouse=True)
def _script(api: MockApi) -> None:
    api.script.update(SCRIPT)


def talk(terminal: Terminal, *prompts: str) -> None:
    """Type prompts, each after the last words of the answer to the one before."""
    for prompt in prompts:
        terminal.type(prompt)
        last_words = SCRIPT[prompt].rsplit("[[say ", 1)[-1].removesuffix("]]")
        terminal.wait_for(last_words)


def test_a_session_in_print_mode_is_stored_once(claude: Claude) -> None:
    claude.ask(VAULT)
    claude.ask(FILES, "--continue")
    claude.ask(THANKS, "--continue")

    assert said() == CONVERSATION
    sweep_now()
    assert said() == CONVERSATION


def test_a_session_that_is_kept_off_disk_is_not_remembered(claude: Claude) -> None:
    claude.ask(VAULT, "--no-session-persistence")

    assert said() == []
    sweep_now()
    assert said() == []


def test_a_session_in_the_terminal_is_stored_once(claude: Claude) -> None:
    with claude.terminal() as terminal:
        talk(terminal, VAULT, FILES, THANKS)
        terminal.leave()

    assert said() == CONVERSATION
    sweep_now()
    assert said() == CONVERSATION


def test_the_last_answer_is_there_before_the_session_ends(claude: Claude) -> None:
    with claude.terminal() as terminal:
        talk(terminal, VAULT)
        terminal.wait_until(lambda: CONVERSATION[1] in said(), "the answer in the database")


def test_a_resumed_session_adds_only_new_rows(claude: Claude) -> None:
    with claude.terminal() as terminal:
        talk(terminal, VAULT, FILES)
        terminal.leave()
    assert said() == CONVERSATION[:5]

    session_id = claude.transcripts()[0].stem
    with claude.terminal("--resume", session_id) as terminal:
        talk(terminal, THANKS)
        terminal.leave()

    assert said() == CONVERSATION


def test_a_kill_after_the_answer_loses_nothing(claude: Claude) -> None:
    with claude.terminal() as terminal:
        talk(terminal, VAULT, FILES)
        os.kill(terminal.process_id(), signal.SIGKILL)
        terminal.wait_until(terminal.has_ended, "the client to die")

    sweep_now()
    on_disk = claude.transcripts()[0].read_text(encoding="utf-8")
    known = said()
    assert known in (CONVERSATION[:4], CONVERSATION[:5])
    assert known == CONVERSATION[:5] or "Alpha and beta." not in on_disk
