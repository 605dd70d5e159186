"""`chatrecall forget`."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from core import database, folders
from core.display.visible import one_line
from core.errors import ChatRecallError
from core.projects import project_name, project_root
from core.rescue import forget, repair
from core.sessions import find_session

if TYPE_CHECKING:
    import argparse
    import sqlite3
    from collections.abc import Sequence

_SHOWN = 10  # files

_EPILOG = (
    "What is forgotten is deleted from the database, its backups and all written pages, with the "
    "last searches, and never captured again, even if the session or project goes on. Claude "
    "Code's own transcripts stay as they are."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare what is forgotten, `--undo` and `--yes`."""
    parser.epilog = _EPILOG
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("session", metavar="SESSION", nargs="?", help="a session's id or its start")
    what.add_argument(
        "--project", metavar="PATH", help="all sessions of the project in this folder"
    )
    what.add_argument(
        "--searches", action="store_true", help="the last searches that the search box offers"
    )
    parser.add_argument("--undo", action="store_true", help="capture it again, from now on")
    parser.add_argument("--yes", action="store_true", help="don't ask")


def run(arguments: argparse.Namespace) -> str:
    """Forget a session or a project, after a question."""
    db = database.connect()
    try:
        if arguments.searches:
            if arguments.undo:
                raise ChatRecallError("Forgotten searches stay forgotten")
            return _searches(db, arguments.yes)
        if arguments.project is not None:
            path = folders.real(folders.absolute(arguments.project))
            return _undo_project(db, path) if arguments.undo else _project(db, path, arguments.yes)
        if arguments.undo:
            return _undo_session(db, arguments.session)
        return _session(db, arguments.session, arguments.yes)
    finally:
        db.close()


def _session(db: sqlite3.Connection, name: str, sure: bool) -> str:
    if forget.is_forgotten(db, name):
        forget.forget_session(db, name)
        return "It was forgotten before; its traces are wiped again."
    session = find_session(db, name)
    title = one_line(session.title or session.session_id)
    _ask(f"Forget “{title}” of {session.last_activity_at[:10]} for good?", sure)
    forget.forget_session(db, session.session_id)
    return f"Forgotten: {title}." + _left_behind(db, [session.session_id])


def _project(db: sqlite3.Connection, path: str, sure: bool) -> str:
    sessions = forget.sessions_of(db, path)
    where = f"{project_name(path)} ({project_root(path)})"
    _ask(f"Forget {_counted(len(sessions))} of {where} for good, and capture no more?", sure)
    forget.forget_project(db, path)
    return (
        f"Forgotten: {_counted(len(sessions))} of {where}. Nothing is captured there any more."
        + _left_behind(db, sessions)
    )


def _searches(db: sqlite3.Connection, sure: bool) -> str:
    _ask("Forget the last searches for good?", sure)
    forget.forget_queries(db)
    return "Forgotten: the last searches."


def _undo_session(db: sqlite3.Connection, session_id: str) -> str:
    if not forget.remember_session(db, session_id):
        raise ChatRecallError(f"No session {session_id} was forgotten", "Give its whole id.")
    return "What is said in it from now on is captured. What was forgotten stays forgotten."


def _undo_project(db: sqlite3.Connection, path: str) -> str:
    if not forget.remember_project(db, path):
        raise ChatRecallError(f"The project {project_root(path)} was not forgotten")
    return "What is said there from now on is captured. What was forgotten stays forgotten."


def _ask(question: str, sure: bool) -> None:
    """Go on only with a yes. Raises `ChatRecallError` else, and where nobody can be asked."""
    if sure:
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise ChatRecallError("Nothing was forgotten", "Say --yes where nobody can be asked.")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise ChatRecallError("Nothing was forgotten")


def _left_behind(db: sqlite3.Connection, session_ids: Sequence[str]) -> str:
    """Which files may still hold it that are not ours to delete."""
    rows = db.execute(
        "SELECT path FROM transcripts WHERE session_id IN (SELECT value FROM json_each(?))",
        (json.dumps(session_ids),),
    )
    transcripts = [path for (path,) in rows if os.path.exists(path)]
    return _listed("Claude Code still has its own transcripts", transcripts) + _listed(
        "Damaged databases that were set aside may still hold it", repair.set_aside_files()
    )


def _listed(heading: str, files: Sequence[str]) -> str:
    shown = "".join(f"\n  {file}" for file in files[:_SHOWN])
    more = f"\n  and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    return f"\n{heading}:{shown}{more}" if files else ""


def _counted(sessions: int) -> str:
    return f"{sessions} session{'' if sessions == 1 else 's'}"
