from __future__ import annotations

from typing import TYPE_CHECKING

from core import settings
from core.capture.rename_projects import rename_projects
from core.capture.sweep import sweep
from core.search import index
from tests.support.memory import Said, remember

if TYPE_CHECKING:
    import sqlite3


def names(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT project_name FROM sessions ORDER BY session_id")]


def test_remembered_sessions_take_on_a_new_name(db: sqlite3.Connection) -> None:
    remember(db, "a", [Said("user", "hello")], project="/srv/shop")
    remember(db, "b", [Said("user", "hello")], project="/srv/other")
    index.bring_up_to_date(db)
    settings.write({"project_names": {"/srv/shop": "Corner shop"}})
    sweep(db)
    assert names(db) == ["Corner shop", "other"]
    assert index.pending(db) == 1


def test_nothing_changes_where_all_names_fit(db: sqlite3.Connection) -> None:
    remember(db, "a", [Said("user", "hello")], project="/srv/shop")
    settings.write({"project_names": {"/srv/shop": "Corner shop"}})
    assert rename_projects(db) == 1
    assert rename_projects(db) == 0


def test_a_project_without_given_name_keeps_its_name(db: sqlite3.Connection) -> None:
    remember(db, "a", [Said("user", "hello")], project="/srv/shop-fix")
    db.execute("UPDATE sessions SET project_name = 'shop'")
    assert rename_projects(db) == 0
    assert names(db) == ["shop"]
