"""The present state, as the icon and its menu show it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import database
from core.errors import ChatRecallError
from core.privacy import privacy
from core.sessions import NAME_OF_SESSION
from core.summaries import ledger
from tray.icon.draw_icon import State
from tray.log import log
from tray.trouble import in_words

if TYPE_CHECKING:
    from datetime import datetime

_RECENT = 8
_BUSY_SECONDS = 0.5  # a menu must not wait for a writer


@dataclass(frozen=True)
class RecentSession:
    """A session as the menu names it."""

    session_id: str
    name: str
    project: str


@dataclass(frozen=True)
class Present:
    """What is going on."""

    recent: tuple[RecentSession, ...] = ()
    paused_until: datetime | None = None
    """`privacy.UNTIL_RESUMED` where no time was given; None while nothing is paused."""
    spent_today: float = 0.0
    spent_this_month: float = 0.0
    at_logon: bool = False
    working: bool = False
    trouble: ChatRecallError | None = None

    @property
    def state(self) -> State:
        """The state that the icon tells: the one that matters most."""
        if self.trouble:
            return State.TROUBLE
        if self.paused_until:
            return State.PAUSED
        return State.WORKING if self.working else State.IDLE

    @property
    def title(self) -> str:
        """The state in words, for when the pointer rests on the icon."""
        if self.trouble:
            title = self.trouble.title
            return title if title.startswith("ChatRecall") else f"ChatRecall: {title}"
        if self.paused_until:
            return "ChatRecall: capture is paused"
        return "ChatRecall: summarizing" if self.working else "ChatRecall"


def read(*, working: bool, trouble: ChatRecallError | None) -> Present:
    """Look at everything; a database that can't be read is the trouble then."""
    at_logon = _at_logon()
    try:
        db = database.connect(wait_seconds=_BUSY_SECONDS)
    except (ChatRecallError, sqlite3.DatabaseError) as error:
        return Present(at_logon=at_logon, working=working, trouble=trouble or in_words(error))
    try:
        return Present(
            recent=_recent(db),
            paused_until=privacy.paused_until(db),
            spent_today=ledger.spent_today(db),
            spent_this_month=ledger.spent_this_month(db),
            at_logon=at_logon,
            working=working,
            trouble=trouble,
        )
    except sqlite3.DatabaseError as error:
        return Present(at_logon=at_logon, working=working, trouble=trouble or in_words(error))
    finally:
        db.close()


def _recent(db: sqlite3.Connection) -> tuple[RecentSession, ...]:
    rows = db.execute(
        f"SELECT session_id, {NAME_OF_SESSION}, project_name FROM sessions "
        "ORDER BY last_activity_at DESC LIMIT ?",
        (_RECENT,),
    )
    return tuple(RecentSession(*row) for row in rows)


def _at_logon() -> bool:
    from installer import logon  # noqa: PLC0415

    try:
        return logon.enabled()
    except Exception:
        log.warning("Launch at logon can't be read", exc_info=True)
        return False
