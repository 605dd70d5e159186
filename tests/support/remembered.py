"""What the database of the test's home holds, as a conversation."""

from __future__ import annotations

import contextlib

from core import database
from core.capture.sweep import sweep


def said() -> list[tuple[str, str]]:
    """All exchanges, session after session in their order: who, and what.

    Without `/exit`, which the older client writes down or not, as it happens to end.
    """
    with contextlib.closing(database.connect()) as db:
        rows = db.execute(
            "SELECT role, text FROM exchanges JOIN sessions USING (session_id)"
            " WHERE text <> '/exit' ORDER BY started_at, session_id, seq"
        ).fetchall()
    return [("assistant" if role == "assistant" else "person", text) for role, text in rows]


def sessions() -> int:
    """How many sessions are known."""
    with contextlib.closing(database.connect()) as db:
        return int(db.execute("SELECT count(*) FROM sessions").fetchone()[0])


def sweep_now() -> None:
    """Take in whatever the hook has missed."""
    with contextlib.closing(database.connect()) as db:
        sweep(db)
