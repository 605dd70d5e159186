from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths
from core.capture.sweep import sweep
from core.errors import ChatRecallError
from core.privacy import privacy
from tests.support.tray_app import write_sessions
from tray import present
from tray.icon.draw_icon import State
from tray.present import Present

if TYPE_CHECKING:
    import sqlite3

TROUBLE = ChatRecallError("The API key was refused", "Make a new one.")
LATER = datetime.now(UTC) + timedelta(hours=1)


@pytest.mark.parametrize(
    ("now", "state", "title"),
    [
        (Present(), State.IDLE, "ChatRecall"),
        (Present(working=True), State.WORKING, "ChatRecall: summarizing"),
        (Present(paused_until=LATER), State.PAUSED, "ChatRecall: capture is paused"),
        (
            Present(paused_until=LATER, working=True, trouble=TROUBLE),
            State.TROUBLE,
            "ChatRecall: The API key was refused",
        ),
    ],
)
def test_the_icon_tells_what_matters_most(now: Present, state: State, title: str) -> None:
    assert now.state is state
    assert now.title == title


def test_the_latest_sessions_come_with_their_names(
    claude_dir: Path, db: sqlite3.Connection
) -> None:
    write_sessions(claude_dir)
    sweep(db)
    now = present.read(working=False, trouble=None)
    assert {session.name for session in now.recent} >= {"Speed up the nightly CSV import"}
    assert len(now.recent) == 3


def test_a_pause_is_seen_whoever_began_it(db: sqlite3.Connection) -> None:
    privacy.pause(db, None)
    now = present.read(working=False, trouble=None)
    assert now.paused_until == privacy.UNTIL_RESUMED


def test_a_database_that_is_damaged_is_trouble_and_no_crash(db: sqlite3.Connection) -> None:
    db.close()
    Path(paths.database_file()).write_bytes(b"nothing of the kind" * 1000)
    now = present.read(working=False, trouble=None)
    assert now.state is State.TROUBLE
    assert now.recent == ()


def test_a_database_that_another_process_writes_is_read_all_the_same(
    db: sqlite3.Connection,
) -> None:
    db.execute("BEGIN IMMEDIATE")
    assert present.read(working=False, trouble=None).state is State.IDLE
