"""Putting conversations into the database without a transcript, and looking at their calls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core import times

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

AN_HOUR_AGO = datetime.now(UTC) - timedelta(hours=1)

LOGIN_BUG = (
    ("user", "The login test in auth_test.py is flaky since we use pytest-xdist. Find out why."),
    ("assistant", "I'll look at the fixtures first."),
    ("assistant", "The root cause is a shared Redis database: all workers flush it in `teardown`."),
    ("user", "Let's give each worker a database of its own instead of locking."),
    ("assistant", "Done. Each worker now uses its own Redis database, and auth_test.py passed 50 "
     "times in a row. One thing is open: CI still runs with --dist loadscope."),
)  # fmt: skip


def say(
    db: sqlite3.Connection,
    session_id: str,
    turns: Iterable[tuple[str, str]] = LOGIN_BUG,
    *,
    at: datetime = AN_HOUR_AGO,
    project_name: str = "shop",
) -> str:
    """Add turns of (role, text) to a session, which is made if needed; returns its id."""
    db.execute(
        "INSERT INTO sessions (session_id, project_path, project_name, started_at) "
        "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (session_id, f"/home/dev/{project_name}", project_name, times.stored(at)),
    )
    last = db.execute(
        "SELECT coalesce(max(seq), 0) FROM exchanges WHERE session_id = ?", (session_id,)
    ).fetchone()[0]
    for seq, (role, text) in enumerate(turns, last + 1):
        kind = {"user": "human", "assistant": "assistant_text"}.get(role, "program_prompt")
        db.execute(
            "INSERT INTO exchanges (session_id, seq, role, kind, text, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (session_id, seq, role, kind, text, times.stored(at)),
        )
    db.execute(
        "UPDATE sessions SET revision = revision + 1, last_activity_at = ? WHERE session_id = ?",
        (times.stored(at), session_id),
    )
    return session_id


def outcomes(db: sqlite3.Connection) -> list[str]:
    """How the calls to a model ended, in their order."""
    return [row[0] for row in db.execute("SELECT outcome FROM calls ORDER BY id")]
