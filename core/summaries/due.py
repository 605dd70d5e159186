"""Which sessions are due for a summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from core import times
from core.summaries.cues import is_small_talk
from core.summaries.summarizer import LOCAL

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from core.sessions import Exchange

PROVISIONAL = "provisional"
"""The kind of a turn whose own line has not come yet. It changes its number when it does, so it
doesn't make a session due: that would be for ever."""


_NEVER = "9999"  # behind every stored time


@dataclass(frozen=True)
class Due:
    """A session that a round has to look at."""

    session_id: str
    last_activity_at: str
    summarized_by: str
    has_new_turns: bool
    has_person: bool
    """Whether a person took part: a program's session (SDK, cron) is worth no money by itself."""

    @property
    def has_paid_summary(self) -> bool:
        """Whether a model wrote the summary that is there."""
        return self.summarized_by not in ("", LOCAL)


def due_sessions(
    db: sqlite3.Connection,
    now: datetime,
    quiet_minutes: float,
    *,
    local_since: str | None = None,
) -> list[Due]:
    """Quiet sessions with turns that no summary covers, the latest active first.

    With a model at hand, those with a local summary that were active since `local_since` too.

    A session that is being written now is left alone. One whose last activity lies in the future
    was written under a wrong clock and counts as quiet.
    """
    rows = db.execute(
        "SELECT session_id, coalesce(last_activity_at, ''), summarized_by,"
        " EXISTS (SELECT 1 FROM exchanges AS e WHERE e.session_id = s.session_id"
        " AND e.seq > s.summarized_to_seq AND e.kind <> ?) AS has_new_turns,"
        " EXISTS (SELECT 1 FROM exchanges AS e WHERE e.session_id = s.session_id"
        " AND e.role = 'user')"
        " FROM sessions AS s"
        " WHERE (has_new_turns OR (summarized_by = ? AND last_activity_at >= ?))"
        " AND (last_activity_at IS NULL OR last_activity_at <= ? OR last_activity_at > ?)"
        " ORDER BY last_activity_at DESC",
        (
            PROVISIONAL,
            LOCAL,
            local_since or _NEVER,
            times.stored(now - timedelta(minutes=quiet_minutes)),
            times.stored(now + timedelta(days=1)),
        ),
    )
    return [
        Due(session_id, last, written_by, bool(new), bool(person))
        for session_id, last, written_by, new, person in rows
    ]


def latest_session(db: sqlite3.Connection) -> str:
    """The id of the session that was active last; empty where there is none."""
    row = db.execute(
        "SELECT session_id FROM sessions WHERE EXISTS (SELECT 1 FROM exchanges"
        " WHERE exchanges.session_id = sessions.session_id)"
        " ORDER BY last_activity_at DESC LIMIT 1"
    ).fetchone()
    return row[0] if row else ""


def has_content(exchanges: Iterable[Exchange]) -> bool:
    """Whether somebody asked for something; greetings alone are worth no call."""
    return any(said.role != "assistant" and not is_small_talk(said.text) for said in exchanges)
