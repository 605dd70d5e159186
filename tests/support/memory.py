"""Fills a database with sessions by hand, for tests that only read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


class Said(NamedTuple):
    """One exchange: who, what, when."""

    role: str
    text: str
    at: str = "2026-11-12T09:30:00.000Z"
    kind: str = ""


def remember(
    db: sqlite3.Connection,
    session_id: str,
    exchanges: Sequence[Said] = (),
    *,
    title: str = "",
    project: str = "/home/lena/src/shop",
    at: str = "2026-11-12T09:30:00.000Z",
    summary: str = "",
    topics: Sequence[str] = (),
    decisions: Sequence[str] = (),
    by: str = "",
) -> str:
    """Store a session with its exchanges, seq 1, 2, 3 …, and return its id."""
    name = project.replace("\\", "/").rsplit("/", 1)[-1]
    db.execute(
        "INSERT INTO sessions (session_id, project_path, project_name, started_at, "
        "last_activity_at, title, summary, topics, decisions, summarized_by) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(session_id, project, name, at, at, title, summary),
            *(json.dumps(list(topics)), json.dumps(list(decisions)), by),
        ),
    )
    db.executemany(
        "INSERT INTO exchanges (session_id, seq, role, kind, text, at) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                *(session_id, seq, said.role),
                said.kind or ("assistant_text" if said.role == "assistant" else "human"),
                *(said.text, said.at),
            )
            for seq, said in enumerate(exchanges, 1)
        ],
    )
    return session_id
