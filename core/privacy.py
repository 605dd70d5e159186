"""What is not to be remembered: forgotten sessions and projects (first cut by the lead)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3


def is_captured(db: sqlite3.Connection, session_id: str, project_path: str) -> bool:
    """Whether a session's turns may be stored."""
    return not db.execute(
        "SELECT 1 FROM forgotten WHERE (kind, value) IN (VALUES ('session', ?), ('project', ?))",
        (session_id, project_path),
    ).fetchone()
