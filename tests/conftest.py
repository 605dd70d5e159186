"""Fixtures for all rooms: each test gets a home of its own, and none can reach the real one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import database

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

REAL_CLAUDE_DIR = os.path.join(os.path.expanduser("~"), ".claude")

# Variables that change what ChatRecall or Claude Code does. A developer's shell, above all one
# inside Claude Code, has some of them set.
FOREIGN_PREFIXES = ("CLAUDE", "CHATRECALL_", "ANTHROPIC_", "XDG_", "SUDO_")

# Far from UTC, with a half hour and with summer time: mistaking UTC for local time shows.
TIME_ZONE = "America/St_Johns"

PATH_EVENTS = {"open", "sqlite3.connect", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


def _refuse_the_real_home(event: str, arguments: tuple[object, ...]) -> None:
    if event in PATH_EVENTS and str(arguments[0]).startswith(REAL_CLAUDE_DIR + os.sep):
        raise AssertionError(f"A test touches the real home: {event} {arguments[0]}")


sys.addaudithook(_refuse_the_real_home)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own, with a name that trips careless quoting and encoding."""
    folder = tmp_path / "First Last Ünï 日本"
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith(FOREIGN_PREFIXES):
            monkeypatch.delenv(name)
    # No test may find the developer's own API key.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.fixture(autouse=True, scope="session")
def _time_zone() -> None:
    os.environ["TZ"] = TIME_ZONE
    if sys.platform != "win32":
        time.tzset()


@pytest.fixture
def claude_dir(home: Path) -> Path:
    """The home's `.claude` folder, there and empty, as before the first start of Claude Code."""
    folder = home / ".claude"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def db(home: Path) -> Iterator[sqlite3.Connection]:
    """The home's database, freshly made and open."""
    connection = database.connect()
    yield connection
    connection.close()
