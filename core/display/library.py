"""All known sessions as data for the page's filter: small, whatever their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from core.display.resume import go_there
from core.display.visible import visible
from core.sessions import NAME_OF_SESSION

if TYPE_CHECKING:
    import sqlite3

LARGEST = 4_500_000
"""Bytes; above it, summaries are cut shorter."""

_LONGEST_SUMMARY = 480
_BESIDES = 250  # bytes of a session beside its summary, about

# One session as JSON, made by SQLite: ten times as fast as by way of Python objects.
_ROWS = f"""
SELECT json_array(
    session_id,
    dense_rank() OVER (ORDER BY project_name, project_path) - 1,
    CAST(strftime('%s', started_at) AS INTEGER),
    substr({NAME_OF_SESSION}, 1, 150),
    CASE WHEN length(summary) > :most THEN substr(summary, 1, :most) || '…' ELSE summary END,
    json(topics)
) FROM sessions ORDER BY last_activity_at DESC
"""


def library_json(db: sqlite3.Connection, *, windows: bool) -> str:
    """Write `{"projects": […], "sessions": […]}`, safe inside a `<script>` element.

    A project is `[name, path, cd …]`, a session `[id, project, started, name, summary, topics]`:
    `project` is a place in `projects`, `started` seconds since 1970 or null. The latest active
    session comes first.
    """
    (number,) = db.execute("SELECT count(*) FROM sessions").fetchone()
    most = max(0, min(_LONGEST_SUMMARY, LARGEST // max(1, number) - _BESIDES))
    sessions = _sessions(db, most)
    while most and len(sessions.encode(errors="replace")) > LARGEST:  # a script of wide characters
        most //= 2
        sessions = _sessions(db, most)
    projects = db.execute(
        "SELECT DISTINCT project_name, project_path FROM sessions ORDER BY 1, 2"
    ).fetchall()
    named = orjson.dumps(
        [(*project, go_there(project[1], windows=windows)) for project in projects]
    )
    return _inert(visible(f'{{"projects":{named.decode()},"sessions":[{sessions}]}}'))


def _sessions(db: sqlite3.Connection, most: int) -> str:
    return ",".join(row for (row,) in db.execute(_ROWS, {"most": most}))


def _inert(json: str) -> str:
    """JSON that an HTML parser can't leave: no tag, no comment and no entity begins in it."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
