"""`chatrecall library`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database, sessions
from core.display import page

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Session ids are optional."""
    parser.add_argument(
        "sessions", nargs="*", metavar="SESSION", help="show these, with their conversations"
    )
    parser.add_argument(
        "--no-open", action="store_true", help="write the page and only print where it is"
    )


def run(arguments: argparse.Namespace) -> str:
    """Write the page of all sessions, or of some, and open it. Returns where it is."""
    db = database.connect()
    try:
        chosen = [sessions.find_session(db, name).session_id for name in arguments.sessions]
        path = page.write_sessions(db, chosen) if chosen else page.write_library(db)
    finally:
        db.close()
    if not arguments.no_open:
        page.open_page(path)
    return path
