"""The slash commands in their form for PowerShell, given to the real client with a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import client, slash_commands
from tests.client.conftest import install_chatrecall
from tests.support import powershell
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = [pytest.mark.client, powershell.needed]

QUESTION = "Why does the Übergröße of 日本 parsers break?"


@pytest.fixture
def claude(bare_claude: Claude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Claude:
    """Each version of the client in turn, as if on a Windows without Git Bash."""
    bare_claude.variables["CLAUDE_CODE_USE_POWERSHELL_TOOL"] = "1"
    monkeypatch.setattr(client, "uses_powershell", lambda: True)
    short = tmp_path / "ENVIRO~1"
    long = paths.environment_dir()
    monkeypatch.setattr(slash_commands, "_short", lambda path: path.replace(long, str(short)))
    install_chatrecall()
    short.symlink_to(long)
    return bare_claude


@pytest.fixture
def past_session(claude_dir: Path) -> Transcript:
    session = Transcript(claude_dir / "projects" / "-home-dev-shop")
    session.user(QUESTION)
    session.assistant("They count bytes.")
    return session


@pytest.mark.parametrize(
    "words",
    [
        "Übergröße 日本",
        "it's Übergröße; echo pwned $(echo pwned) `echo pwned` $HOME \\",
        'Übergröße "日本',
        "parsers\nÜbergröße\n'\n@'\n\"@",
    ],
)
def test_search_chats_takes_any_words(
    claude: Claude, past_session: Transcript, api: MockApi, words: str
) -> None:
    claude.ask(f"/search-chats {words}")

    assert past_session.session_id in api.texts()
    assert "\npwned" not in api.texts()


@pytest.mark.parametrize("words", ["parsers\r\nÜbergröße", "parsers " * 2000], ids=["CRLF", "long"])
def test_search_chats_takes_what_was_pasted(
    claude: Claude, past_session: Transcript, api: MockApi, words: str
) -> None:
    if claude.version == "2.1.197":
        pytest.skip("2.1.197 refuses PowerShell any carriage return and a very long text")
    claude.ask(f"/search-chats {words}")

    assert past_session.session_id in api.texts()


def test_a_failed_search_is_told(claude: Claude, past_session: Transcript, api: MockApi) -> None:
    claude.ask("/search-chats xylophone")

    assert "No session holds “xylophone”" in api.texts()


@pytest.mark.parametrize(
    "words", ["a\n'@; New-Item '{file}'; @'\nb", "a\n```\n\n```!\nNew-Item {file}"]
)
def test_words_that_would_end_the_text_start_nothing(
    claude: Claude, past_session: Transcript, api: MockApi, tmp_path: Path, words: str
) -> None:
    claude.ask("/search-chats " + words.replace("{file}", str(tmp_path / "pwned")))

    assert past_session.session_id not in api.texts()
    assert not (tmp_path / "pwned").exists()


def test_save_recall_answers(claude: Claude, past_session: Transcript, api: MockApi) -> None:
    claude.ask("/save-recall")

    assert "ChatRecall was asked to summarize this session" in api.texts()
