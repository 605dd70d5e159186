"""Whether a tray app runs: the lock tells, which a process can't leave behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import presence
from core.commands.status import read_status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
BE_THE_ONE = """
import time
from core import single_instance
claim = single_instance.claim()
print("claimed" if claim else "another runs", flush=True)
time.sleep(600)
"""


@pytest.fixture
def app(db: sqlite3.Connection) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the tray app's lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", BE_THE_ONE], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "claimed\n"
    yield process
    process.kill()
    process.communicate()


def test_where_none_runs_status_says_so(db: sqlite3.Connection) -> None:
    assert read_status(db).tray == "not running"


@pytest.mark.usefixtures("app")
def test_status_says_since_when_the_tray_app_runs_and_why_it_shows_no_icon(
    db: sqlite3.Connection,
) -> None:
    presence.started(db, no_icon="")
    assert read_status(db).tray.startswith("runs since 20")
    presence.started(db, no_icon="There is no display.")
    assert read_status(db).tray.endswith("; no icon: There is no display.")


@pytest.mark.usefixtures("app")
def test_one_that_has_written_nothing_down_yet_runs_nevertheless(db: sqlite3.Connection) -> None:
    assert read_status(db).tray == "runs"


def test_one_that_was_killed_does_not_run_whatever_it_has_written_down(
    db: sqlite3.Connection, app: subprocess.Popen[str]
) -> None:
    presence.started(db, no_icon="")
    app.kill()
    app.wait()
    assert read_status(db).tray == "not running"


@pytest.mark.usefixtures("app")
def test_one_that_ends_says_so(db: sqlite3.Connection) -> None:
    presence.started(db, no_icon="There is no display.")
    presence.ended(db)
    assert read_status(db).tray == "runs"
