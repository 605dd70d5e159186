"""The last queries of the search box, remembered in the database until they are cleared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

KEPT = 8
_KEY = "recent_queries"


def read(db: sqlite3.Connection) -> list[str]:
    """Read the last queries, the newest first."""
    row = db.execute("SELECT value FROM state WHERE key = ?", (_KEY,)).fetchone()
    return [str(query) for query in json.loads(row[0])] if row else []


def add(db: sqlite3.Connection, query: str) -> None:
    """Remember a query; one that is known moves to the front."""
    query = " ".join(query.split())
    if query:
        others = [known for known in read(db) if known.casefold() != query.casefold()]
        _write(db, [query, *others][:KEPT])


def clear(db: sqlite3.Connection) -> None:
    """Clear them all."""
    db.execute("DELETE FROM state WHERE key = ?", (_KEY,))


def _write(db: sqlite3.Connection, queries: list[str]) -> None:
    db.execute(
        "INSERT INTO state (key, value) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_KEY, json.dumps(queries, ensure_ascii=False)),
    )
