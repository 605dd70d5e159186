"""What capture has stored, in the order of the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.capture.sweep import sweep
from tests.support.transcript import SESSION

if TYPE_CHECKING:
    import sqlite3


def rows(db: sqlite3.Connection, session_id: str = SESSION) -> list[tuple[object, ...]]:
    return db.execute(
        "SELECT seq, role, kind, text FROM exchanges WHERE session_id = ? ORDER BY seq",
        (session_id,),
    ).fetchall()


def texts(db: sqlite3.Connection, session_id: str = SESSION) -> list[object]:
    return [text for *_, text in rows(db, session_id)]


def swept(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    sweep(db)
    return rows(db)
