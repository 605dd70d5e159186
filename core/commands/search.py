"""`chatrecall search`."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from core import database, log
from core.capture.sweep import sweep
from core.display import browser, terminal
from core.errors import ChatRecallError
from core.search.query import OPERATORS
from core.search.search import search
from core.sessions import names_of

if TYPE_CHECKING:
    from core.search.results import Match, Result

CATCH_UP_SECONDS = 1.0
"""How long a search reads transcripts before it answers from what there is."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the words, and how the answer is given."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "Any text is a query. It may hold\n" + "\n".join(
        f"  {written:<20}{meaning}" for written, meaning in OPERATORS
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what you remember")
    parser.add_argument(
        "--limit", type=_positive, default=5, metavar="N", help="at most so many (5)"
    )
    parser.add_argument("--stdin", action="store_true", help="read the words from standard input")
    parser.add_argument("--json", action="store_true", help="print a JSON list, write no page")
    parser.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        help="open the page in the browser or not; on a terminal, a found session is opened",
    )


def run(arguments: argparse.Namespace) -> str:
    """Find the sessions that the words bring back; write them as a page and as text."""
    text = _query(arguments)
    db = database.connect()
    try:
        not_read = _catch_up(db)
        result = search(db, text, limit=arguments.limit)
        if not_read:
            result = replace(result, note=f"{result.note} {not_read}".strip())
        if arguments.json:
            found = [_as_json(match) for match in result.matches]
            return json.dumps(found, indent=2, ensure_ascii=False)
        return _answer(db, result, show=arguments.open)
    finally:
        db.close()


def _catch_up(db: sqlite3.Connection) -> str:
    """Take in what was said since; returns a sentence where that is not all."""
    try:
        left = sweep(db, seconds=CATCH_UP_SECONDS).left
    except sqlite3.OperationalError as error:  # locked or read-only: there is still an answer
        log.write(f"search: {error}")
        return ""
    return f"{left} transcripts are not read yet; `chatrecall sweep` reads them." if left else ""


def _query(arguments: argparse.Namespace) -> str:
    """The words as one text."""
    if not arguments.stdin:
        return " ".join(arguments.words)
    if sys.stdin is None:
        raise ChatRecallError("There is no standard input", "Give the words as arguments.")
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace").strip()


def _answer(db: sqlite3.Connection, result: Result, *, show: bool | None) -> str:
    from core.display import page  # noqa: PLC0415  templates take a tenth of a second to import

    names = names_of(db, [match.session.session_id for match in result.matches])
    path = page.write_results(db, result)
    for_person = bool(sys.stdout and sys.stdout.isatty())
    if show is None:
        show = for_person and bool(result.matches)
    opened = show and browser.open_page(path)
    if for_person:
        colours, windows = terminal.can_colour(), sys.platform == "win32"
        text = terminal.for_person(result, names, colours=colours, windows=windows)
    else:
        text = terminal.for_claude(result, names)
    return f"{text}\n\n{'Opened in the browser' if opened else 'As a page'}: {path}"


def _as_json(match: Match) -> dict[str, object]:
    session = match.session
    return {
        "session_id": session.session_id,
        "project_name": session.project_name,
        "project_path": session.project_path,
        "started_at": session.started_at,
        "summary": session.summary,
        "topics": list(session.topics),
        "decisions": list(session.decisions),
        "score": match.score,
        "excerpt": match.excerpt,
    }


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number
