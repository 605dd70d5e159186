"""Failures of summaries as a state with a reason: what happened, whom it concerns, when to retry.

Some concern everything (no credit, offline): the round stops and tries again later. The others
concern one session: the round goes on with the next, and that session is given up after a few
attempts, because each may cost money. The state is in the database, so it survives restarts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from core import times
from core.errors import ChatRecallError
from core.summaries import ledger

if TYPE_CHECKING:
    import sqlite3

    from core.summaries.ledger import Usage

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

MOST_PATIENCE = _DAY
"""No wait is longer, whatever a server's Retry-After says."""


class Reason(StrEnum):
    """Why there is no summary."""

    NO_KEY = "no key"
    KEY_REFUSED = "key refused"
    NO_CREDIT = "no credit"
    UNKNOWN_MODEL = "unknown model"
    OVERLOADED = "overloaded"
    OFFLINE = "offline"
    CERTIFICATE = "certificate"
    NOT_INSTALLED = "not installed"
    NOT_LOGGED_IN = "not logged in"
    DAILY_CAP = "daily cap"
    REFUSED = "refused by the model"
    INVALID_ANSWER = "invalid answer"
    REJECTED = "request rejected"
    SEVERAL = "several failures"


@dataclass(frozen=True)
class _Handling:
    title: str
    advice: str
    waits: tuple[timedelta, ...]
    """How long after each failed attempt the next one is due; after the last it is given up."""
    concerns_all: bool = True
    endless: bool = False
    """The last wait is repeated: it passes by itself and an attempt costs nothing."""


_NEEDS_A_PERSON = (_HOUR, 6 * _HOUR, _DAY, _DAY, _DAY)
_PASSES = (10 * _MINUTE, 30 * _MINUTE, _HOUR, 2 * _HOUR, 6 * _HOUR)

_HANDLING = {
    Reason.NO_KEY: _Handling(
        "There is no API key",
        "Store one with `chatrecall key set`, or choose another summarizer in the settings.",
        (timedelta(),),
        endless=True,  # looking for a key again asks nobody
    ),
    Reason.KEY_REFUSED: _Handling(
        "The API key was refused",
        "Make a new one on platform.claude.com and store it with `chatrecall key set`.",
        _NEEDS_A_PERSON,
    ),
    Reason.NO_CREDIT: _Handling(
        "The API account has no credit",
        "Buy credits on platform.claude.com, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.UNKNOWN_MODEL: _Handling(
        "The model is not available",
        "Set another one in the settings (`model`) or in CHATRECALL_MODEL.",
        _NEEDS_A_PERSON,
    ),
    Reason.OVERLOADED: _Handling(
        "The API is overloaded or a limit is reached",
        "ChatRecall tries again later.",
        _PASSES,
        endless=True,
    ),
    Reason.OFFLINE: _Handling(
        "The API can't be reached",
        "ChatRecall tries again later. Behind a proxy, HTTPS_PROXY has to name it.",
        _PASSES,
        endless=True,
    ),
    Reason.CERTIFICATE: _Handling(
        "The API's certificate is not trusted",
        "A proxy or security software seems to sign the connection. Install its root certificate "
        "in the operating system's trust store, or name its file in SSL_CERT_FILE.",
        _NEEDS_A_PERSON,
    ),
    Reason.NOT_INSTALLED: _Handling(
        "The summarizer is not installed",
        "Install it, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.NOT_LOGGED_IN: _Handling(
        "Claude Code is not logged in to a plan",
        "Run `claude` and log in, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.DAILY_CAP: _Handling(
        "The daily cap is reached",
        "The rest follows tomorrow. `daily_cap_usd` in the settings changes the cap.",
        (timedelta(),),
        endless=True,  # the ledger decides, not the clock
    ),
    Reason.SEVERAL: _Handling(
        "Several summaries failed in a row",
        "`chatrecall status` tells more; another model may do better (`model` in the settings).",
        _NEEDS_A_PERSON,
    ),
    Reason.REFUSED: _Handling(
        "The model refused to summarize a session",
        "Its local summary stays; `chatrecall summarize --session` tries once more.",
        (),  # asking again is refused again, and billed
        concerns_all=False,
    ),
    Reason.INVALID_ANSWER: _Handling(
        "The model's answer was not usable",
        "It is asked again later, three times at most.",
        (_HOUR, 6 * _HOUR),
        concerns_all=False,
    ),
    Reason.REJECTED: _Handling(
        "The API rejected the request for a session",
        "Its local summary stays; `chatrecall summarize --session` tries once more.",
        (),  # the same request is rejected again
        concerns_all=False,
    ),
}


class SummaryError(ChatRecallError):
    """A summary that did not come about. `detail` is what the other side said.

    `usage` is what was billed nevertheless; None where nobody knows (the connection broke).
    """

    def __init__(
        self,
        reason: Reason,
        detail: str = "",
        *,
        usage: Usage | None = None,
        retry_after: timedelta | None = None,
    ) -> None:
        handling = _HANDLING[reason]
        said = f"{detail.rstrip('.')}. " if detail else ""
        super().__init__(handling.title, f"{said}{handling.advice}")
        self.reason = reason
        self.detail = detail
        self.usage = usage
        self.retry_after = retry_after
        self.concerns_all = handling.concerns_all

    def key(self, session_id: str, account: str) -> str:
        """Under which key it is recorded: the session's or the back end's."""
        return key_of_backend(account) if self.concerns_all else session_id


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
    too_far = times.stored(now + MOST_PATIENCE + _MINUTE)
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
    handling = _HANDLING[failed.reason]
    if attempts <= len(handling.waits):
        wait = handling.waits[attempts - 1]
    elif handling.endless:
        wait = handling.waits[-1]
    else:
        return None
    return min(max(wait, failed.retry_after or wait), MOST_PATIENCE)
