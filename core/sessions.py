"""Sessions and their exchanges, as the rest of ChatRecall reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import ChatRecallError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


@dataclass(frozen=True)
class Session:
    """One session of Claude Code, with its summary once there is one. Times are UTC, ISO 8601."""

    session_id: str
    project_path: str
    project_name: str
    started_at: str
    last_activity_at: str
    title: str
    subagents: int
    summary: str
    topics: tuple[str, ...]
    decisions: tuple[str, ...]
    summarized_by: str
    """Which summarizer wrote the summary: `local`, `api:<model>`, `claude:<model>`, or empty."""


@dataclass(frozen=True)
class Exchange:
    """One turn of a conversation, as said by `user`, `assistant` or a `program`."""

    seq: int
    role: str
    kind: str
    text: str
    at: str


_SESSION_COLUMNS = (
    "session_id, project_path, project_name, coalesce(started_at, ''), "
    "coalesce(last_activity_at, ''), title, subagents, summary, topics, decisions, summarized_by"
)

NAME_OF_SESSION = """coalesce(
    nullif(title, ''),
    (SELECT substr(text, 1, 200) FROM exchanges WHERE session_id = sessions.session_id
        AND role <> 'assistant' AND kind NOT LIKE '%command' ORDER BY seq LIMIT 1),
    nullif(summary, ''),
    'Untitled session'
)"""
"""SQL, over `sessions`, for what to call a session that may have no title."""


def list_sessions(db: sqlite3.Connection) -> list[Session]:
    """All sessions, the latest active first."""
    rows = db.execute(f"SELECT {_SESSION_COLUMNS} FROM sessions ORDER BY last_activity_at DESC")
    return [_session(row) for row in rows]


def get_sessions(db: sqlite3.Connection, session_ids: Iterable[str]) -> dict[str, Session]:
    """The sessions of these ids that are known, by id."""
    wanted = json.dumps(list(session_ids))
    rows = db.execute(
        f"SELECT {_SESSION_COLUMNS} FROM sessions "
        "WHERE session_id IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    return {row[0]: _session(row) for row in rows}


def find_session(db: sqlite3.Connection, name: str) -> Session:
    """The session whose id is or begins with `name`.

    Raises `ChatRecallError` where there is none, or more than one.
    """
    pattern = name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = db.execute(
        f"SELECT {_SESSION_COLUMNS} FROM sessions WHERE session_id LIKE ? ESCAPE '\\' "
        "ORDER BY session_id <> ?, session_id LIMIT 2",
        (pattern, name),
    ).fetchall()
    if not rows or not name:
        raise ChatRecallError(
            f"No session {name}", "`chatrecall sessions` lists those that are known."
        )
    if len(rows) > 1 and rows[0][0] != name:
        raise ChatRecallError(f"More than one session begins with {name}", "Give more of its id.")
    return _session(rows[0])


def exchanges_of(db: sqlite3.Connection, session_id: str) -> list[Exchange]:
    """A session's exchanges in the order in which they were said."""
    rows = db.execute(
        "SELECT seq, role, kind, text, coalesce(at, '') FROM exchanges "
        "WHERE session_id = ? ORDER BY seq",
        (session_id,),
    )
    return [Exchange(*row) for row in rows]


def names_of(db: sqlite3.Connection, session_ids: Iterable[str]) -> dict[str, str]:
    """What to call these sessions: the title, else what was asked first, else the summary."""
    rows = db.execute(
        f"SELECT session_id, {NAME_OF_SESSION} FROM sessions"
        " WHERE session_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(session_ids)),),
    )
    return {session_id: " ".join(name.split()) for session_id, name in rows}


def _session(row: tuple[Any, ...]) -> Session:
    *plain, topics, decisions, summarized_by = row
    values = (*plain, tuple(json.loads(topics)), tuple(json.loads(decisions)), summarized_by)
    return Session(*values)
