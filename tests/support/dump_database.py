"""Writes a database of the present schema as `tests/fixtures/databases/v<version>.sql`.

Run `python -m tests.support.dump_database` after a change of the schema. The files of released
versions stay as they are for ever; the tests bring each of them up to date.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from core import database

if TYPE_CHECKING:
    import sqlite3

FOLDER = Path(__file__).parents[1] / "fixtures" / "databases"

_SESSION = "11111111-2222-4333-8444-555555555555"
_PROMPT, _ANSWER = (f"{letter * 8}-2222-4333-8444-555555555555" for letter in "ab")
_AT = "2026-11-03T10:00:00.000Z"

# A row of each table; what is not said is the column's default.
_ROWS: tuple[tuple[str, dict[str, object]], ...] = (
    (
        "sessions",
        {
            "id": 1,
            "session_id": _SESSION,
            "project_path": "C:\\Users\\Ann\\shop",
            "project_name": "shop",
            "started_at": _AT,
            "last_activity_at": _AT,
            "title": "Wrong till",
            "summary": "They fixed the till.",
            "topics": '["till", "rounding"]',
            "decisions": '["Round once, at the end."]',
            "search_terms": '["cash desk"]',
            "summarized_by": "local",
            "summarized_at": _AT,
            "summarized_to_seq": 2,
            "revision": 2,
            "indexed_revision": 2,
        },
    ),
    (
        "exchanges",
        {
            "session_id": _SESSION,
            "seq": 1,
            "role": "user",
            "kind": "human",
            "text": "Why is the till wrong?",
            "at": _AT,
            "uuid": _PROMPT,
        },
    ),
    (
        "exchanges",
        {
            "session_id": _SESSION,
            "seq": 2,
            "role": "assistant",
            "kind": "assistant_text",
            "text": "A rounding error: Ünï 日本.",
            "at": _AT,
            "uuid": _ANSWER,
            "message_id": "msg_1",
        },
    ),
    ("lines", {"key": _PROMPT, "session_id": _SESSION, "seq": 1}),
    ("lines", {"key": _ANSWER, "session_id": _SESSION, "seq": 2}),
    (
        "transcripts",
        {
            "path": f"C:\\Users\\Ann\\.claude\\projects\\C--Users-Ann-shop\\{_SESSION}.jsonl",
            "session_id": _SESSION,
            "offset": 900,
            "line": 2,
            "first_seq": 0,
            "fingerprint": "900:00000000:00000000",
            "state": "",
            "size": 900,
            "mtime_ns": 1_793_700_000_000_000_000,
        },
    ),
    (
        "calls",
        {
            "at": _AT,
            "session_id": _SESSION,
            "backend": "api",
            "model": "claude-haiku-5-5",
            "input_tokens": 900,
            "output_tokens": 90,
            "cost_usd": 0.002,
            "outcome": "ok",
        },
    ),
    ("forgotten", {"kind": "project", "value": "/srv/client", "at": _AT}),
    ("state", {"key": "history_ends_at", "value": _AT}),
    (
        "sessions_fts",
        {
            "rowid": 1,
            "session_id": _SESSION,
            "summary": "They fixed the till.",
            "conversation": "Why is the till wrong?",
        },
    ),
)


def dump() -> str:
    """The present schema with a session in it, as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "new.db")
        with closing(database.connect(file)) as db:
            statements = [*_schema(db), *(_insert(db, table, row) for table, row in _ROWS)]
    return ";\n\n".join(statements) + ";\n"


def _schema(db: sqlite3.Connection) -> list[str]:
    """Each statement as it was written, but for the tables that FTS5 makes itself."""
    rows = db.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sessions_fts_%'"
        " ORDER BY rowid"
    )
    return [sql.replace("\n        ", "\n    ").replace("\n    )", "\n)") for (sql,) in rows]


def _insert(db: sqlite3.Connection, table: str, row: dict[str, object]) -> str:
    values = (db.execute("SELECT quote(?)", (value,)).fetchone()[0] for value in row.values())
    return f"INSERT INTO {table} ({', '.join(row)})\nVALUES ({', '.join(map(str, values))})"


if __name__ == "__main__":
    file = FOLDER / f"v{database.SCHEMA_VERSION}.sql"
    file.write_text(dump(), encoding="utf-8", newline="\n")
    print(file)
