from __future__ import annotations

import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from core import paths, settings
from core.sessions import find_session
from core.summaries import ledger
from core.summaries.ledger import NO_USAGE
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarize import summarize_due, summarize_session
from core.summaries.summarizers import claude as claude_module
from core.summaries.summarizers import claude_client
from core.summaries.summarizers.claude import ClaudeSummarizer
from hook import append_exchange
from tests.core.summaries.summarizers.test_api import CONVERSATION
from tests.support import claude_stand_in
from tests.support.conversations import say
from tests.support.processes import has_ended

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from tests.support.claude_stand_in import Claude

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a script can't stand in for an exe"
)


@pytest.fixture
def claude(home: Path, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> Claude:
    stand_in = claude_stand_in.make(home / "bin")
    monkeypatch.setenv("PATH", claude_stand_in.on_path(stand_in))
    return stand_in


def failure() -> SummaryError:
    with pytest.raises(SummaryError) as caught:
        ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)
    return caught.value


def test_an_answer_becomes_a_summary(claude: Claude) -> None:
    summary = ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    assert summary.topics == ("auth_test.py", "pytest-xdist", "Redis")
    assert (summary.usage.input_tokens, summary.usage.output_tokens) == (1_000, 250)
    assert summary.usage.cost_usd == pytest.approx(0.000225)


def test_an_answer_in_a_fence_is_read_too(claude: Claude) -> None:
    fenced = f"```json\n{claude_stand_in.success()['result']}\n```"
    claude.plays(claude_stand_in.success(structured_output=None, result=fenced))

    assert ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION).topics


def test_the_run_has_no_hooks_no_tools_and_leaves_no_transcript(claude: Claude) -> None:
    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    arguments = claude.note()["arguments"]
    pairs = list(pairwise(arguments))
    assert "--no-session-persistence" in arguments
    assert ("--settings", '{"disableAllHooks":true}') in pairs
    assert ("--setting-sources", "") in pairs
    assert "--strict-mcp-config" in arguments
    assert arguments[-2:] == ["--tools", ""]
    assert ("--model", "claude-haiku-5-5") in pairs


def test_the_conversation_goes_by_standard_input(claude: Claude) -> None:
    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    note = claude.note()
    assert "pytest-xdist" in note["stdin"]
    assert "pytest-xdist" not in str(note["arguments"])


def test_the_guard_is_the_one_that_the_hook_knows(claude: Claude) -> None:
    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    assert claude.note()["environment"][append_exchange.GUARD] == "1"


def test_the_client_does_not_try_again_by_itself(claude: Claude) -> None:
    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    assert claude.note()["environment"]["CLAUDE_CODE_MAX_RETRIES"] == "0"


def test_no_key_is_billed_in_place_of_the_plan(
    claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-env")
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "outer")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "token")
    monkeypatch.setenv("CLAUDE_CODE_GIT_BASH_PATH", "D:/bash.exe")

    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    environment = claude.note()["environment"]
    assert "ANTHROPIC_API_KEY" not in environment
    assert "CLAUDECODE" not in environment
    assert "CLAUDE_CODE_SESSION_ID" not in environment
    assert environment["CLAUDE_CODE_OAUTH_TOKEN"] == "token"
    assert environment["CLAUDE_CODE_GIT_BASH_PATH"] == "D:/bash.exe"


def test_it_runs_in_our_own_folder(
    claude: Claude, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    ClaudeSummarizer("claude-haiku-5-5").summarize(CONVERSATION)

    assert os.path.samefile(claude.note()["folder"], paths.data_dir())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Not logged in · Please run /login", Reason.NOT_LOGGED_IN),
        ("Credit balance is too low", Reason.NO_CREDIT),
        ("Claude usage limit reached. Your limit will reset at 5pm.", Reason.OVERLOADED),
        ("API Error: 529 Overloaded", Reason.OVERLOADED),
        ("Failed to authenticate. API Error: 401 OAuth token expired", Reason.NOT_LOGGED_IN),
        ("API Error: Connection error. ECONNREFUSED", Reason.OFFLINE),
        ("API Error: self signed certificate in certificate chain", Reason.CERTIFICATE),
        ("There's an issue with the selected model (claude-x).", Reason.UNKNOWN_MODEL),
    ],
)
def test_an_error_is_seen_though_its_subtype_is_success(
    claude: Claude, said: str, reason: Reason
) -> None:
    claude.plays(claude_stand_in.success(is_error=True, result=said), code=1)

    failed = failure()

    assert failed.reason is reason
    assert failed.concerns_all
    assert said.rstrip(".") in failed.advice


def test_a_run_that_says_nothing_is_a_failure(claude: Claude) -> None:
    claude.plays("", errors="Segmentation fault", code=139)

    assert "Segmentation fault" in failure().advice


def test_an_answer_without_the_fields_is_invalid_and_paid_for(claude: Claude) -> None:
    claude.plays(claude_stand_in.success(structured_output=None, result="It went well."))

    failed = failure()

    assert failed.reason is Reason.INVALID_ANSWER
    assert failed.usage
    assert failed.usage.cost_usd == pytest.approx(0.000225)


def test_without_the_client_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(claude_client, "_PLACES", ())

    failed = failure()

    assert failed.reason is Reason.NOT_INSTALLED
    assert failed.usage == NO_USAGE


def test_a_run_that_hangs_is_ended_with_its_children(
    claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_module, "SECONDS", 4.0)
    claude.plays(seconds=60, child=True)

    failed = failure()

    assert failed.reason is Reason.OFFLINE
    assert failed.usage is None
    assert has_ended(claude.child())


def test_npm_s_script_on_windows_is_replaced_by_its_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "claude.CMD"
    program = tmp_path / "node_modules" / "@anthropic-ai" / "claude-code" / "bin" / "claude.exe"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setattr("shutil.which", lambda *_, **__: str(script))

    assert claude_client.find() == str(program)


def test_it_summarizes_only_when_it_is_chosen(db: sqlite3.Connection, claude: Claude) -> None:
    say(db, "s1")
    assert summarize_session(db, "s1").written_by == "local"

    settings.write({"summarizer": "claude"})

    assert summarize_session(db, "s1").written_by == "claude:claude-haiku-5-5"
    assert ledger.spent_today(db) == pytest.approx(0.000225)


def test_a_failing_client_is_asked_once_a_round(db: sqlite3.Connection, claude: Claude) -> None:
    db.execute("INSERT INTO state VALUES ('history_ends_at', '2000-01-01T00:00:00.000Z')")
    settings.write({"summarizer": "claude"})
    claude.plays(claude_stand_in.success(is_error=True, result="Not logged in"), code=1)
    say(db, "s1")
    say(db, "s2")

    done = summarize_due(db)

    assert done.problem
    assert done.problem.title == "Claude Code is not logged in to a plan"
    assert db.execute("SELECT count(*) FROM calls").fetchone()[0] == 1
    assert find_session(db, "s2").summarized_by == "local"
