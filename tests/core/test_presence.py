from __future__ import annotations

from typing import TYPE_CHECKING

from core import presence
from core.commands.status import read_status

if TYPE_CHECKING:
    import sqlite3


def test_a_tray_app_that_was_started_is_known_until_it_ends(db: sqlite3.Connection) -> None:
    assert presence.read(db) is None
    presence.started(db, no_icon="")
    assert presence.read(db) is not None
    presence.ended(db)
    assert presence.read(db) is None


def test_status_says_whether_the_tray_app_runs_and_why_it_shows_no_icon(
    db: sqlite3.Connection,
) -> None:
    assert read_status(db).tray == "not running"
    presence.started(db, no_icon="")
    assert read_status(db).tray.startswith("started 20")
    presence.started(db, no_icon="There is no display.")
    assert read_status(db).tray.endswith("; no icon: There is no display.")
