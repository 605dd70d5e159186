"""The real client on a mock API, with ChatRecall set up in its home."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from core import paths
from tests.support.client import VERSIONS, Claude, ClientMissingError
from tests.support.mock_api import MockApi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOOK = os.path.join(paths.ROOT, "hook", "append_exchange.py")


@pytest.fixture
def api() -> Iterator[MockApi]:
    with MockApi() as server:
        yield server


@pytest.fixture(params=VERSIONS)
def claude(request: pytest.FixtureRequest, home: Path, api: MockApi) -> Claude:
    """Each version of the client in turn, with ChatRecall's hooks and commands."""
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed")
    try:
        client = Claude(request.param, home, api.url)
    except ClientMissingError as error:
        pytest.skip(str(error))
    _set_up(home)
    return client


def _set_up(home: Path) -> None:
    hook = {
        "type": "command",
        "command": sys.executable,
        "args": ["-I", "-S", HOOK],
        "timeout": 30,
    }
    settings = {"hooks": {event: [{"hooks": [hook]}] for event in ("Stop", "SessionEnd")}}
    (home / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
