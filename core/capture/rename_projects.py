"""Giving remembered sessions the project names that the settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database, settings
from core.projects import given_name

if TYPE_CHECKING:
    import sqlite3


def rename_projects(db: sqlite3.Connection) -> int:
    """Apply the settings' `project_names` to what is remembered; returns how many paths changed.

    A project that has no given name (any more) keeps the name that it has: its folder may be gone,
    and with it the knowledge of whose worktree it was. Raises `ChatRecallError` where the settings
    can't be read.
    """
    if not settings.read()["project_names"]:
        return 0
    known = db.execute("SELECT DISTINCT project_path, project_name FROM sessions").fetchall()
    changed = []
    for path, name in known:
        given = given_name(path)
        if given and given != name:
            changed.append((given, path))
    if changed:
        with database.transaction(db):
            db.executemany(
                "UPDATE sessions SET project_name = ?1, revision = revision + 1"
                " WHERE project_path = ?2 AND project_name <> ?1",
                changed,
            )
    return len(changed)
