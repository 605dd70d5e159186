"""Leases in the database: one worker at a time across tray, scheduled task and slash commands.

A holder that crashes loses its lease when the time runs out; nobody has to clean up.
"""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core import database, times

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

SECONDS = 300.0
"""Longer than any one call to a model may take."""


@dataclass(frozen=True)
class Lease:
    """The right to do the work called `name` until it runs out."""

    db: sqlite3.Connection
    name: str
    holder: str
    seconds: float

    def renew(self) -> bool:
        """Hold it for another while; False where it ran out and somebody else has it now."""
        with database.transaction(self.db):
            renewed = self.db.execute(
                "UPDATE leases SET expires_at = ? WHERE name = ? AND holder = ?",
                (_in(self.seconds), self.name, self.holder),
            )
        return renewed.rowcount == 1


@contextmanager
def hold(db: sqlite3.Connection, name: str, *, seconds: float = SECONDS) -> Iterator[Lease | None]:
    """Hold the lease `name` during the block, or None where another holds it."""
    lease = _take(db, name, seconds)
    try:
        yield lease
    finally:
        if lease:
            db.execute(
                "DELETE FROM leases WHERE name = ? AND holder = ?", (lease.name, lease.holder)
            )


def _take(db: sqlite3.Connection, name: str, seconds: float) -> Lease | None:
    holder = f"{os.getpid()}-{secrets.token_hex(4)}"
    with database.transaction(db):
        # One that ends later than any lease can was written under a clock that was wrong.
        taken = db.execute(
            "INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, "
            "expires_at = excluded.expires_at WHERE expires_at <= ? OR expires_at > ?",
            (name, holder, _in(seconds), times.now(), _in(max(seconds, SECONDS) + 1)),
        )
    return Lease(db, name, holder, seconds) if taken.rowcount == 1 else None


def _in(seconds: float) -> str:
    return times.stored(datetime.now(UTC) + timedelta(seconds=seconds))
