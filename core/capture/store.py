"""Storing turns: each line once, whatever file it was read from, in the order of the conversation.

All functions work in the caller's transaction.
"""

from __future__ import annotations

import json

from core.capture.transcripts import Withdrawal
from core.capture.watermark import UNDECIDED
from core.privacy import privacy
from core.projects import project_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from core.capture.transcripts import Event, Reader, Turn
    from core.capture.watermark import Watermark

# A hook can be late: by the time it looks, the next exchange may stand behind its answer.
_LATEST = 5

_COPIES = 20
"""So many exchanges with a message's id are looked at, the latest: copies in forks and resumes.
Where a provider gives all messages one id, looking at all would take longer with each."""


def store(db: sqlite3.Connection, mark: Watermark, reader: Reader, events: Sequence[Event]) -> None:
    """Store the events of one bite and the watermark behind them.

    Of what is not to be remembered, only the watermark and the lines' keys are kept.
    """
    events = _wanted(db, mark.session_id, reader, events)
    if events:
        if mark.first_seq == UNDECIDED:
            mark.first_seq = _last_seq(db, mark.session_id)
        waiting = _take_provisional(db, mark.session_id)
        stored = [event for event in events if _apply(db, mark, event)]
        turns = [event for event in stored if not isinstance(event, Withdrawal)]
        _put_back(db, mark.session_id, waiting, turns)
        if stored:
            _touch_session(db, mark.session_id, reader.project_path, [turn.at for turn in turns])
    if reader.title:
        db.execute(
            "UPDATE sessions SET title = ?, title_is_custom = ?, revision = revision + 1"
            " WHERE session_id = ? AND title <> ? AND title_is_custom <= ?",
            (reader.title, reader.title_is_custom, mark.session_id, reader.title,
             reader.title_is_custom),
        )  # fmt: skip
    mark.state = json.dumps(reader.dump())
    mark.save(db)


def keep_answer(
    db: sqlite3.Connection, mark: Watermark, project_path: str, text: str, at: str
) -> None:
    """Keep an answer that the transcript doesn't hold yet, until its own line takes its place.

    `text` is the Stop payload's `last_assistant_message`: the last text block, trimmed.
    """
    latest = db.execute(
        "SELECT text FROM exchanges WHERE session_id = ? AND role = 'assistant'"
        " ORDER BY seq DESC LIMIT ?",
        (mark.session_id, _LATEST),
    )
    if any(said.rstrip().endswith(text) for (said,) in latest):
        return
    if not text or privacy.said_while_paused(db, at):
        return
    if not privacy.is_captured(db, mark.session_id, project_path):
        return
    seq = _free_seq(db, mark.session_id, max(mark.first_seq, 0) + mark.line + 1)
    _insert_provisional(db, mark.session_id, seq, text, at)
    _touch_session(db, mark.session_id, project_path, [at])


def _wanted(
    db: sqlite3.Connection, session_id: str, reader: Reader, events: Sequence[Event]
) -> list[Event]:
    """The events that are to be remembered. Of the others, no copy in a fork is to be either."""
    is_captured = privacy.is_captured(db, session_id, reader.project_path)
    wanted: list[Event] = []
    for event in events:
        if isinstance(event, Withdrawal) or (
            is_captured and not privacy.said_while_paused(db, event.at)
        ):
            wanted.append(event)
        else:
            db.execute(
                "INSERT OR IGNORE INTO lines (key, session_id, seq) VALUES (?, ?, 0)",
                (event.key, session_id),
            )
    if not is_captured or len(wanted) < len(events):
        reader.forget_words()
    return wanted


def _apply(db: sqlite3.Connection, mark: Watermark, event: Event) -> bool:
    """Store one event; False where that was done before."""
    if isinstance(event, Withdrawal):
        return _withdraw(db, event.key)
    if db.execute("SELECT 1 FROM lines WHERE key = ?", (event.key,)).fetchone():
        return False
    for session_id, seq, text, is_open in _same_message(db, event):
        if f"\n{event.text}\n" in f"\n{text}\n":
            _know_line(db, event.key, session_id, seq)
            return False
        if session_id == mark.session_id and is_open:
            db.execute(
                "UPDATE exchanges SET text = ? WHERE session_id = ? AND seq = ?",
                (f"{text}\n{event.text}", session_id, seq),
            )
            _know_line(db, event.key, session_id, seq)
            return True
    seq = _insert(db, mark, event)
    _know_line(db, event.key, mark.session_id, seq)
    return True


def _same_message(db: sqlite3.Connection, turn: Turn) -> list[tuple[str, int, str, int]]:
    """The exchanges with other lines of the same API message, and whether each is still open.

    The client writes one line a content block; a resume may write them again with new uuids. Some
    providers give every message the same id: where somebody else has spoken since, a message is
    closed.
    """
    if not turn.message_id:
        return []
    latest_first = db.execute(
        "SELECT session_id, seq, text, NOT EXISTS (SELECT 1 FROM exchanges AS later"
        " WHERE later.session_id = said.session_id AND later.seq > said.seq"
        " AND later.role <> 'assistant')"
        " FROM exchanges AS said WHERE message_id = ? ORDER BY rowid DESC LIMIT ?",
        (turn.message_id, _COPIES),
    ).fetchall()
    return latest_first[::-1]


def _insert(db: sqlite3.Connection, mark: Watermark, turn: Turn) -> int:
    seq = _free_seq(db, mark.session_id, mark.first_seq + turn.line)
    db.execute(
        "INSERT INTO exchanges (session_id, seq, role, kind, text, at, uuid, message_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''))",
        (mark.session_id, seq, turn.role, turn.kind, turn.text, turn.at, turn.key, turn.message_id),
    )
    return seq


def _know_line(db: sqlite3.Connection, key: str, session_id: str, seq: int) -> None:
    db.execute("INSERT INTO lines (key, session_id, seq) VALUES (?, ?, ?)", (key, session_id, seq))


def _withdraw(db: sqlite3.Connection, key: str) -> bool:
    row = db.execute("SELECT session_id, seq FROM lines WHERE key = ?", (key,)).fetchone()
    if row is None:
        return False
    # The key stays known: a second read of the same file must not bring the words back.
    db.execute("UPDATE lines SET seq = 0 WHERE key = ?", (key,))
    return db.execute("DELETE FROM exchanges WHERE session_id = ? AND seq = ?", row).rowcount > 0


def _free_seq(db: sqlite3.Connection, session_id: str, wanted: int) -> int:
    """`wanted`, or the next free number: two records can stand on one line."""
    while db.execute(
        "SELECT 1 FROM exchanges WHERE session_id = ? AND seq = ?", (session_id, wanted)
    ).fetchone():
        wanted += 1
    return wanted


def _last_seq(db: sqlite3.Connection, session_id: str) -> int:
    row = db.execute(
        "SELECT coalesce(max(seq), 0) FROM exchanges"
        " WHERE session_id = ? AND kind <> 'provisional'",
        (session_id,),
    ).fetchone()
    return int(row[0])


def _touch_session(
    db: sqlite3.Connection, session_id: str, project_path: str, times: Iterable[str]
) -> None:
    known = [at for at in times if at]
    first, last = min(known, default=None), max(known, default=None)
    changed = db.execute(
        "UPDATE sessions SET revision = revision + 1,"
        " project_path = coalesce(nullif(project_path, ''), ?4),"
        " project_name = coalesce(nullif(project_name, ''), ?5),"
        " started_at = min(coalesce(started_at, ?2), coalesce(?2, started_at)),"
        " last_activity_at = max(coalesce(last_activity_at, ?3), coalesce(?3, last_activity_at))"
        " WHERE session_id = ?1",
        (session_id, first, last, project_path, project_name(project_path)),
    ).rowcount
    if not changed:
        db.execute(
            "INSERT INTO sessions (session_id, project_path, project_name, started_at,"
            " last_activity_at, revision) VALUES (?, ?, ?, ?, ?, 1)",
            (session_id, project_path, project_name(project_path), first, last),
        )


def _take_provisional(db: sqlite3.Connection, session_id: str) -> list[tuple[int, str, str]]:
    """Take provisional answers out of the way of the lines to come."""
    rows = db.execute(
        "SELECT seq, text, coalesce(at, '') FROM exchanges"
        " WHERE session_id = ? AND kind = 'provisional' ORDER BY seq",
        (session_id,),
    ).fetchall()
    if rows:
        db.execute(
            "DELETE FROM exchanges WHERE session_id = ? AND kind = 'provisional'", (session_id,)
        )
    return rows


def _put_back(
    db: sqlite3.Connection,
    session_id: str,
    waiting: Sequence[tuple[int, str, str]],
    turns: Sequence[Turn],
) -> None:
    """Put back those answers whose own lines have not come; they keep their place."""
    for seq, text, at in waiting:
        if any(turn.role == "assistant" and turn.text.rstrip().endswith(text) for turn in turns):
            continue
        # A line that came since may hold the number. Just before it is mostly a line without words.
        free_before = _free_seq(db, session_id, seq - 1) == seq - 1
        place = seq if _free_seq(db, session_id, seq) == seq or not free_before else seq - 1
        _insert_provisional(db, session_id, _free_seq(db, session_id, place), text, at)


def _insert_provisional(
    db: sqlite3.Connection, session_id: str, seq: int, text: str, at: str
) -> None:
    db.execute(
        "INSERT INTO exchanges (session_id, seq, role, kind, text, at)"
        " VALUES (?, ?, 'assistant', 'provisional', ?, ?)",
        (session_id, seq, text, at),
    )
