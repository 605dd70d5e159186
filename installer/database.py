"""The database: created or brought up to date; kept when ChatRecall goes, unless told otherwise."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core import database, paths
from core.errors import ChatRecallError
from core.rescue import integrity
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "database"
TITLE = "Database"
NEEDS_ENVIRONMENT = False

_REPAIR = "`chatrecall sweep` rebuilds it from a backup and the transcripts."


def install() -> list[Change]:
    """Create the database, or bring an older one up to date."""
    file = paths.database_file()
    if not os.path.exists(file):
        return [Change(f"Create the database {file}", _create)]
    with _trouble_in_words():
        version = _version(file)
    if version < database.SCHEMA_VERSION:
        return [Change(f"Bring the database {file} up to date", _create)]
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
    except ChatRecallError as error:
        return State("broken", error.title, error.advice)
    except integrity.UNREADABLE as error:
        is_damage = integrity.may_be_damage(error)
        advice = _REPAIR if is_damage else "Close ChatRecall's tray and look again."
        return State("broken", str(error), advice)
    if verdict != "ok":
        return State("broken", verdict, _REPAIR)
    return State("works", f"{sessions} sessions, {file}")


def _create() -> None:
    with _trouble_in_words():
        database.connect().close()


@contextmanager
def _trouble_in_words() -> Iterator[None]:
    try:
        yield
    except integrity.UNREADABLE as error:
        if isinstance(error, sqlite3.DatabaseError) and not integrity.may_be_damage(error):
            raise database.trouble(error) from error
        raise ChatRecallError("The database is damaged", _REPAIR) from error


def _version(file: str) -> int:
    db = sqlite3.connect(file)
    try:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    finally:
        db.close()
