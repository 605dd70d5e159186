"""Failures of summaries, as they stand in the database: how often, and when the next try is due.

A session is given up after a few attempts, because each may cost money. The state survives
restarts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core import times
from core.summaries import ledger
from core.summaries.reasons import HANDLING, Reason, SummaryError

if TYPE_CHECKING:
    import sqlite3

MOST_PATIENCE = timedelta(days=1)
"""No wait is longer, whatever a server's Retry-After says."""

_CLOCKS_DIFFER = timedelta(minutes=1)


@dataclass(frozen=True)
class Failure:
    """What stands in the database about one session, or about a back end as a whole."""

    key: str
    reason: Reason
    detail: str
    attempts: int
    next_attempt_at: str
    """Empty when it was given up."""

    def as_error(self) -> SummaryError:
        """The failure in words for a person."""
        return SummaryError(self.reason, self.detail)

    @property
    def given_up(self) -> bool:
        """Whether only a person's own command tries again."""
        return not self.next_attempt_at


def key_of(failed: SummaryError, session_id: str, account: str) -> str:
    """The key under which a failure is to stand: the session's or the back end's."""
    return key_of_backend(account) if failed.concerns_all else session_id


def key_of_backend(account: str) -> str:
    """The key under which failures of a whole back end stand; no session id begins with `*`."""
    return f"*{account}"


def record(
    db: sqlite3.Connection, key: str, failed: SummaryError, *, now: datetime | None = None
) -> Failure:
    """Write a failed attempt down and decide when the next one is due. Part of a transaction."""
    known = get(db, key)
    same = known is not None and known.reason is failed.reason
    attempts = known.attempts + 1 if known and same else 1
    wait = _wait(failed, attempts)
    next_at = times.stored((now or datetime.now(UTC)) + wait) if wait is not None else None
    db.execute(
        "INSERT INTO failures (session_id, reason, detail, attempts, next_attempt_at) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET reason = excluded.reason, "
        "detail = excluded.detail, attempts = excluded.attempts, "
        "next_attempt_at = excluded.next_attempt_at, shown = shown AND ?",
        (key, failed.reason, failed.detail, attempts, next_at, same),
    )
    return Failure(key, failed.reason, failed.detail, attempts, next_at or "")


def clear(db: sqlite3.Connection, key: str) -> None:
    """Forget a failure: it worked, or a person wants another try."""
    db.execute("DELETE FROM failures WHERE session_id = ?", (key,))


def forget_other_backends(db: sqlite3.Connection, key: str) -> None:
    """Forget failures of back ends, models and keys that are not in use any more."""
    db.execute("DELETE FROM failures WHERE session_id LIKE '*%' AND session_id <> ?", (key,))


def get(db: sqlite3.Connection, key: str) -> Failure | None:
    """The failure that stands under `key`."""
    row = db.execute(f"{_SELECT} WHERE session_id = ?", (key,)).fetchone()
    return _failure(row) if row else None


def standing(db: sqlite3.Connection) -> list[Failure]:
    """All failures that stand, those of whole back ends first. A cap was reached today only."""
    rows = db.execute(f"{_SELECT} ORDER BY session_id NOT LIKE '*%'")
    midnight = times.stored(ledger.midnight())
    return [
        failure
        for failure in map(_failure, rows)
        if failure.reason is not Reason.DAILY_CAP or failure.next_attempt_at >= midnight
    ]


def may_try(failure: Failure | None, now: datetime) -> bool:
    """Whether the timer may try again. A time further off than any wait was a wrong clock's."""
    if failure is None:
        return True
    if failure.given_up:
        return False
    too_far = times.stored(now + MOST_PATIENCE + _CLOCKS_DIFFER)
    return failure.next_attempt_at <= times.stored(now) or failure.next_attempt_at > too_far


def tell_once(db: sqlite3.Connection, key: str) -> bool:
    """True the first time only: a failure is shown once, not each hour."""
    told = db.execute("UPDATE failures SET shown = 1 WHERE session_id = ? AND shown = 0", (key,))
    return told.rowcount == 1


_SELECT = "SELECT session_id, reason, detail, attempts, coalesce(next_attempt_at, '') FROM failures"


def _failure(row: tuple[str, str, str, int, str]) -> Failure:
    key, reason, detail, attempts, next_attempt_at = row
    return Failure(key, Reason(reason), detail, attempts, next_attempt_at)


def _wait(failed: SummaryError, attempts: int) -> timedelta | None:
    handling = HANDLING[failed.reason]
    if attempts <= len(handling.waits):
        wait = handling.waits[attempts - 1]
    elif handling.endless:
        wait = handling.waits[-1]
    else:
        return None
    return min(max(wait, failed.retry_after or wait), MOST_PATIENCE)
