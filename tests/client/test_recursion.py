"""The real client as the summarizer, with our hooks installed: its runs leave no session behind."""

from __future__ import annotations

import contextlib
import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from core import database, settings
from installer import layout
from tests.client.test_slash_commands import SUMMARY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = pytest.mark.client


@pytest.fixture
def logged_in(claude_dir: Path) -> None:
    """A login to a plan, as the client keeps it; the summarizer passes no API key on."""
    login = {
        "accessToken": "sk-ant-oat01-fake",
        "refreshToken": "sk-ant-ort01-fake",
        "expiresAt": 4_000_000_000_000,
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "pro",
    }
    (claude_dir / ".credentials.json").write_text(
        json.dumps({"claudeAiOauth": login}), encoding="utf-8"
    )


@pytest.mark.usefixtures("logged_in")
def test_one_session_in_is_one_summary_out(claude: Claude, api: MockApi) -> None:
    settings.write({"summarizer": "claude"})
    api.structured_answer = SUMMARY
    claude.ask("Remember that the deploy key is in the blue vault.")
    transcripts = claude.transcripts()

    done = subprocess.run(
        layout.current().command("summarize", "--latest"),
        env=claude.environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    subprocess.run(layout.current().command("sweep"), env=claude.environment(), check=True)

    with contextlib.closing(database.connect()) as db:
        rows = db.execute("SELECT session_id, summary, summarized_by FROM sessions").fetchall()
    assert len(rows) == 1
    assert rows[0][1] == SUMMARY["summary"]
    assert rows[0][2].startswith("claude:")
    assert claude.transcripts() == transcripts
