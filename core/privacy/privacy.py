"""What is not to be remembered: forgotten sessions and projects, excluded projects, pauses.

The hook asks here before it stores anything. Forgetting itself is in `core.rescue.forget`.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from core import database, folders, paths, times
from core.privacy import exclusions
from core.projects import project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

UNTIL_RESUMED = datetime(2999, 1, 1, tzinfo=UTC)
"""The end of a pause that has none. Windows has no local times after the year 3000."""

_TOLERANCE = timedelta(minutes=10)


def is_captured(db: sqlite3.Connection, session_id: str, project_path: str) -> bool:
    """Whether a session's turns may be stored, were they not said during a pause.

    Raises `ChatRecallError` where the settings can't be read: what is excluded isn't known then.
    """
    # The data folder is where the summarizer runs Claude Code: its own runs are nobody's sessions.
    own = (paths.data_dir(), folders.real(paths.data_dir()))
    if project_path in own or exclusions.is_excluded(project_path):
        return False
    forgotten = db.execute(
        "SELECT 1 FROM forgotten WHERE (kind = 'session' AND value = ?)"
        " OR (kind = 'project' AND value IN (SELECT value FROM json_each(?)))",
        (session_id, json.dumps(projects_around(project_path))),
    )
    return forgotten.fetchone() is None


def projects_around(path: str) -> list[str]:
    """Keys of the folders whose forgetting forgets what was said in `path`.

    These are its project and the folders around that, but neither the home folder nor a root:
    somebody who forgets what was said right there does not mean all projects.
    """
    if not path:
        return []
    root = project_root(path)
    around = (
        folder
        for folder in folders.upwards(root)
        if folder == root or (folder != folders.home() and folders.last(folder))
    )
    return [folders.key(folder) for folder in around]


def pause(db: sqlite3.Connection, until: datetime | None) -> None:
    """Remember nothing of what is said from now on, up to an aware time or (None) until resumed."""
    moment = times.now()
    with database.transaction(db):
        pauses = _ended(_pauses(db), moment)
        _store(db, [*pauses, (moment, times.stored(until or UNTIL_RESUMED))])


def resume(db: sqlite3.Connection) -> None:
    """Remember what is said from now on. What was said during the pause stays unremembered."""
    with database.transaction(db):
        _store(db, _ended(_pauses(db), times.now()))


def paused_until(db: sqlite3.Connection) -> datetime | None:
    """When the present pause ends, local time or `UNTIL_RESUMED`; None where there is none.

    A pause never takes longer than was asked for: where the clock was set back meanwhile, it ends.
    """
    pauses = _pauses(db)
    if not pauses:
        return None
    began, ends = (times.parse(at) for at in pauses[-1])
    now = datetime.now(UTC)
    if began is None or ends is None or ends <= now:
        return None
    if ends >= UNTIL_RESUMED:
        return UNTIL_RESUMED
    if ends - now > ends - began + _TOLERANCE:
        resume(db)
        return None
    return ends


def said_while_paused(db: sqlite3.Connection, at: str) -> bool:
    """Whether something was said during any pause. Without a time, it is taken as said now.

    This makes it the same whether the hook captures it at once, or a sweep days later.
    """
    return any(began <= (at or times.now()) < ends for began, ends in _pauses(db))


def _ended(pauses: list[tuple[str, str]], moment: str) -> list[tuple[str, str]]:
    """The pauses, none of which goes on beyond this moment."""
    return [(began, min(ends, moment)) for began, ends in pauses if began < moment]


def _pauses(db: sqlite3.Connection) -> list[tuple[str, str]]:
    row = db.execute("SELECT value FROM state WHERE key = 'pauses'").fetchone()
    return [(began, ends) for began, ends in json.loads(row[0])] if row else []


def _store(db: sqlite3.Connection, pauses: list[tuple[str, str]]) -> None:
    db.execute(
        "INSERT OR REPLACE INTO state (key, value) VALUES ('pauses', ?)", (json.dumps(pauses),)
    )
