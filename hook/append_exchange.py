"""The hook that Claude Code starts at Stop and SessionEnd: captures the exchange that has ended.

It never waits, never speaks and always exits with 0: with 2, Claude would go on working; what it
printed could reach the model. What it can't do is written to the log, and the next sweep does it.

Started as `python -I -S append_exchange.py`, with the standard library alone.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

GUARD = "CHATRECALL_NO_CAPTURE"
"""Set for the summarizer's own runs of Claude Code, which are never captured."""

WAIT_SECONDS = 2.0
"""How long a locked database is waited for before the sweep is left to do it."""

SHORT_LOG = 256 * 1024
"""Bytes of write-ahead log that the next process reads in less than a millisecond."""

_left_open: list[sqlite3.Connection] = []


def append_exchange(payload: dict[str, object]) -> None:
    """Capture what stands behind the watermark of the payload's transcript.

    The last answer may not be on disk yet: in the terminal UI it comes up to 0.2 s later. It is
    kept from the payload until then.
    """
    # Only now, so that an import that fails is logged like any other trouble.
    from core import database, paths, times  # noqa: PLC0415
    from core.capture.capture import capture  # noqa: PLC0415
    from core.capture.store import keep_answer  # noqa: PLC0415
    from core.capture.transcripts import clean  # noqa: PLC0415
    from core.capture.watermark import Watermark  # noqa: PLC0415
    from core.privacy.redact import redact  # noqa: PLC0415

    path = os.path.abspath(os.path.expanduser(str(payload["transcript_path"])))
    if not os.path.exists(path):
        # A session that the person keeps off disk (`--no-session-persistence`), or the first turn
        # of `claude -p` 2.1.197, whose file comes up to 0.05 s later: SessionEnd finds it then.
        # Nothing tells them apart now, so nothing is kept.
        return
    db = database.connect(wait_seconds=WAIT_SECONDS)
    try:
        capture(db, path)
        answer = payload.get("last_assistant_message")
        if isinstance(answer, str) and answer.strip():
            mark = Watermark.load(db, path)
            with database.transaction(db):
                keep_answer(
                    db,
                    mark,
                    clean(str(payload.get("cwd", ""))),
                    redact(clean(answer)).strip(),
                    times.now(),
                )
    finally:
        _leave(db, paths.database_file())


def _leave(db: sqlite3.Connection, file: str) -> None:
    """Close the database, unless its write-ahead log is short.

    Closing the last connection writes the log into the database and waits for the disk twice: a
    quarter of the hook's time. A short log is left as a kill would leave it, for the next process
    to read; the sweep, or a hook that finds it longer, closes in order.
    """
    if os.path.exists(f"{file}-wal") and os.path.getsize(f"{file}-wal") < SHORT_LOG:
        _left_open.append(db)  # so that it isn't closed when the last name for it goes
    else:
        db.close()


def main() -> None:
    """Read the payload from standard input, do the work, log what goes wrong."""
    try:
        if not os.environ.get(GUARD):
            with open(0, "rb", closefd=False) as stdin:  # under pythonw, sys.stdin can be None
                append_exchange(json.loads(stdin.read().decode("utf-8", "replace")))
    except BaseException as error:  # nothing may reach Claude Code
        _log(error)


def _log(error: BaseException) -> None:
    try:
        from core import log  # noqa: PLC0415

        log.write(f"hook: {type(error).__name__}: {error}")
    except BaseException:
        pass


if __name__ == "__main__":
    main()
    # An orderly shutdown of the interpreter takes as long as the capture; nothing is left to do.
    os._exit(0)
