"""Whether the tray app runs, as `status` tells it: the tray writes it down, anyone may read it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import single_instance, times

if TYPE_CHECKING:
    import sqlite3

_KEY = "tray"


@dataclass(frozen=True)
class Presence:
    """A tray app that runs."""

    since: str
    """UTC, as it is stored; empty where the app has not written it down yet."""
    no_icon: str
    """Why it shows no icon, as a sentence; empty where it shows one."""


def started(db: sqlite3.Connection, *, no_icon: str) -> None:
    """Write down that the tray app runs from now on."""
    value = json.dumps({"since": times.now(), "no_icon": no_icon})
    db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (_KEY, value))


def ended(db: sqlite3.Connection) -> None:
    """Write down that it runs no longer."""
    db.execute("DELETE FROM state WHERE key = ?", (_KEY,))


def read(db: sqlite3.Connection) -> Presence | None:
    """Find the tray app that runs; None where none does, whatever one that was killed has left."""
    if not single_instance.is_running():
        return None
    row = db.execute("SELECT value FROM state WHERE key = ?", (_KEY,)).fetchone()
    return Presence(**json.loads(row[0])) if row else Presence(since="", no_icon="")
