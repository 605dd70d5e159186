"""The database: created or brought up to date; kept when ChatRecall goes, unless told otherwise."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from core import database, paths
from core.errors import ChatRecallError
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "database"
TITLE = "Database"
NEEDS_ENVIRONMENT = False


def install() -> list[Change]:
    """Create the database, or bring an older one up to date."""
    file = paths.database_file()
    create: Callable[[], None] = lambda: database.connect().close()  # noqa: E731
    if not os.path.exists(file):
        return [Change(f"Create the database {file}", create)]
    if _version(file) < database.SCHEMA_VERSION:
        return [Change(f"Bring the database {file} up to date", create)]
    return []


def remove() -> list[Change]:
    """Nothing: what is remembered stays. `--purge` deletes the data folder whole."""
    return []


def state() -> State:
    """Open the database and let SQLite check it."""
    file = paths.database_file()
    if not os.path.exists(file):
        return State("missing", advice="`chatrecall init` creates it.")
    try:
        db = database.connect(wait_seconds=1.0)
        try:
            verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            sessions = db.execute("SELECT count(*) FROM sessions").fetchone()[0]
        finally:
            db.close()
    except (ChatRecallError, sqlite3.DatabaseError) as error:
        return State("broken", str(error), "Close ChatRecall's tray and look again.")
    if verdict != "ok":
        return State("broken", verdict, "`chatrecall sweep` rebuilds it from the transcripts.")
    return State("works", f"{sessions} sessions, {file}")


def _version(file: str) -> int:
    db = sqlite3.connect(file)
    try:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    finally:
        db.close()
