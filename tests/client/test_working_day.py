"""What happens in a working day with the real client: each thing that was said is stored once."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pytest

from core import database, paths
from tests.support.remembered import said, sessions, sweep_now

if TYPE_CHECKING:
    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = pytest.mark.client


def answer_to(prompt: str) -> str:
    return f"Mock answer to: {prompt}"


def exchange(prompt: str) -> list[tuple[str, str]]:
    return [("person", prompt), ("assistant", answer_to(prompt))]


def test_a_prompt_typed_while_claude_answers(claude: Claude, api: MockApi) -> None:
    api.script["Take your time."] = "[[slow 3]][[say Taken.]]"
    with claude.terminal() as terminal:
        terminal.type("Take your time.")
        terminal.wait_until(lambda: bool(api.requests), "the first request")
        terminal.type("Are you done?")
        terminal.wait_for(answer_to("Are you done?"))
        terminal.leave()

    assert said() == [
        ("person", "Take your time."),
        ("assistant", "Taken."),
        *exchange("Are you done?"),
    ]


def test_an_answer_that_is_interrupted(claude: Claude, api: MockApi) -> None:
    api.script["Look closely."] = (
        "[[say Looking.]][[bash printf '%s' looked-already]][[then]][[slow 20]][[say Never heard.]]"
    )
    with claude.terminal() as terminal:
        terminal.type("Look closely.")
        terminal.wait_until(lambda: "looked-already" in api.texts(), "the second request")
        terminal.press("Escape")
        terminal.wait_for("Interrupted")
        terminal.type("Something else, then.")
        terminal.wait_for(answer_to("Something else, then."))
        terminal.leave()

    assert said() == [
        ("person", "Look closely."),
        ("assistant", "Looking."),
        *exchange("Something else, then."),
    ]


def test_an_api_error(claude: Claude, api: MockApi) -> None:
    api.script["Will you fail?"] = "[[error 400]]"
    with claude.terminal() as terminal:
        terminal.type("Will you fail?")
        terminal.wait_for("mock error 400")
        terminal.type("Go on.")
        terminal.wait_for(answer_to("Go on."))
        terminal.leave()

    assert said() == [("person", "Will you fail?"), *exchange("Go on.")]


def test_a_compaction(claude: Claude) -> None:
    with claude.terminal() as terminal:
        terminal.type("A long story.")
        terminal.wait_for(answer_to("A long story."))
        terminal.type("A longer one.")
        terminal.wait_for(answer_to("A longer one."))
        terminal.type("/compact")
        terminal.wait_for("Compacted")
        terminal.type("And its end.")
        terminal.wait_for(answer_to("And its end."))
        terminal.leave()

    sweep_now()
    conversation = [words for words in said() if words[1] != "/compact"]
    assert conversation == [
        *exchange("A long story."),
        *exchange("A longer one."),
        *exchange("And its end."),
    ]


def test_a_cleared_session(claude: Claude) -> None:
    with claude.terminal() as terminal:
        terminal.type("The first matter.")
        terminal.wait_for(answer_to("The first matter."))
        terminal.type("/clear")
        terminal.wait_until(lambda: "first matter" not in terminal.screen(), "an empty screen")
        terminal.type("The second matter.")
        terminal.wait_for(answer_to("The second matter."))
        terminal.leave()

    conversation = [words for words in said() if words[1] != "/clear"]
    assert conversation == [*exchange("The first matter."), *exchange("The second matter.")]
    assert sessions() == 2


def test_a_fork(claude: Claude) -> None:
    claude.ask("The common part.")
    claude.ask("The branch.", "--continue", "--fork-session")

    sweep_now()
    assert said() == [*exchange("The common part."), *exchange("The branch.")]


def test_a_subagent(claude: Claude, api: MockApi) -> None:
    task = {
        "description": "look around",
        "prompt": "Look around. ((say Seen by the subagent.))",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    api.script["Send somebody."] = (
        f"[[say I will.]][[tool Agent {json.dumps(task)}]][[then]][[say Back again.]]"
    )
    claude.ask("Send somebody.")

    sweep_now()
    assert said() == [
        ("person", "Send somebody."),
        ("assistant", "I will."),
        ("assistant", "Back again."),
    ]
    with contextlib.closing(database.connect()) as db:
        assert db.execute("SELECT subagents FROM sessions").fetchall() == [(1,)]


def test_hooks_that_are_switched_off(claude: Claude) -> None:
    claude.ask("Nobody listens.", "--settings", '{"disableAllHooks": true}')

    assert said() == []
    sweep_now()
    assert said() == exchange("Nobody listens.")


def test_another_config_dir(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook follows the client, whatever folder it was installed for."""
    folder = claude.home / "other claude"
    folder.mkdir()
    settings = claude.home / ".claude" / "settings.json"
    (folder / "settings.json").write_bytes(settings.read_bytes())
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    claude.variables["CLAUDE_CONFIG_DIR"] = str(folder)

    claude.ask("Where am I?")

    assert paths.data_dir().startswith(str(folder))
    assert said() == exchange("Where am I?")
