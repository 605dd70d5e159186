"""The main job, from a fresh machine to last week's session found again, with nothing stood in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths
from tests.support.client import VERSIONS
from tests.support.remembered import said, sessions
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = pytest.mark.client

# Task, logon and tray belong to the machine and not to the test's home.
PARTS = ("environment", "database", "hooks", "slash-commands", "history")
REAL_PIP_CACHE = Path.home() / ".cache" / "pip"


def installer(*options: str) -> str:
    done = subprocess.run(
        [sys.executable, os.path.join(paths.ROOT, "installer"), *options],
        env={**os.environ, "PIP_CACHE_DIR": str(REAL_PIP_CACHE)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if "can't be installed" in done.stdout:
        pytest.skip(f"the dependencies can't be downloaded: {done.stdout[-300:]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("bare_claude", VERSIONS[:1], indirect=True)
def test_last_weeks_session_is_found_again(
    bare_claude: Claude, claude_dir: Path, api: MockApi
) -> None:
    settings = claude_dir / "settings.json"
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    last_week = Transcript(claude_dir / "projects" / "-home-dev-shop")
    last_week.user("Why does the checkout charge twice?")
    last_week.assistant("The webhook is retried, and the handler is not idempotent.")

    installer("--only", *PARTS)
    assert sessions() == 1
    bare_claude.ask("Remember that the deploy key is in the blue vault.")
    bare_claude.ask("/search-chats double charge", "--continue")

    assert ("person", "Remember that the deploy key is in the blue vault.") in said()
    assert "the handler is not idempotent" in api.texts()
    assert [name for name in os.listdir(paths.pages_dir()) if name.endswith(".html")]

    installer("--remove")
    assert settings.read_text(encoding="utf-8") == '{"model": "opus"}'
    assert os.path.exists(paths.database_file())
    bare_claude.ask("Is anybody still listening?", "--continue")
    assert ("person", "Is anybody still listening?") not in said()
