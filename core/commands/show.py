"""`chatrecall show`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core import database, times
from core.display.visible import one_line, visible
from core.sessions import Exchange, exchanges_of, find_session

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the session and `--json`."""
    parser.add_argument("session", metavar="SESSION", help="a session's id, or how it begins")
    parser.add_argument("--json", action="store_true", help="print a JSON list")


def run(arguments: argparse.Namespace) -> str:
    """Print a session's exchanges in order."""
    db = database.connect()
    try:
        session = find_session(db, arguments.session)
        exchanges = exchanges_of(db, session.session_id)
    finally:
        db.close()
    if arguments.json:
        return json.dumps([_as_json(said) for said in exchanges], indent=2, ensure_ascii=False)
    heading = f"{one_line(session.title or session.session_id)}\n{one_line(session.project_path)}\n"
    return heading + "".join(f"\n{_heading(said)}\n{visible(said.text)}\n" for said in exchanges)


def _as_json(said: Exchange) -> dict[str, object]:
    return {
        "seq": said.seq,
        "role": said.role,
        "kind": said.kind,
        "text": said.text,
        "at": said.at,
    }


def _heading(said: Exchange) -> str:
    moment = times.parse(said.at)
    speaker = {"user": "You", "assistant": "Claude"}.get(said.role, "A program")
    return f"── {speaker}, {moment:%Y-%m-%d %H:%M}" if moment else f"── {speaker}"
