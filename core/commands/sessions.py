"""`chatrecall sessions`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core import database, times
from core.display.visible import one_line
from core.sessions import Session, list_sessions

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`."""
    parser.add_argument("--json", action="store_true", help="print a JSON list")


def run(arguments: argparse.Namespace) -> str:
    """List the sessions, the latest first."""
    db = database.connect()
    try:
        sessions = list_sessions(db)
    finally:
        db.close()
    if arguments.json:
        return json.dumps([as_json(session) for session in sessions], indent=2, ensure_ascii=False)
    if not sessions:
        return "No session is remembered yet. `chatrecall sweep` reads the transcripts."
    return "\n".join(_line(session) for session in sessions)


def as_json(session: Session) -> dict[str, object]:
    """A session as JSON names its fields."""
    return {
        "session_id": session.session_id,
        "project_name": session.project_name,
        "project_path": session.project_path,
        "started_at": session.started_at,
        "last_activity_at": session.last_activity_at,
        "title": session.title,
        "summary": session.summary,
        "topics": list(session.topics),
        "decisions": list(session.decisions),
        "summarized_by": session.summarized_by,
        "subagents": session.subagents,
    }


def _line(session: Session) -> str:
    moment = times.parse(session.last_activity_at)
    day = moment.strftime("%Y-%m-%d %H:%M") if moment else "unknown date    "
    words = session.title or session.summary.partition("\n")[0] or "(not summarized yet)"
    named = one_line(f"{session.project_name}: {words[:100]}")
    return f"{day}  {one_line(session.session_id[:8])}  {named}"
