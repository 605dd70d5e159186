"""`chatrecall summarize`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core import database
from core.capture.sweep import sweep
from core.display.visible import visible
from core.errors import ChatRecallError
from core.progress import Progress
from core.sessions import find_session
from core.summaries.due import latest_session
from core.summaries.history import estimate
from core.summaries.money import counted, dollars
from core.summaries.summarize import summarize_all, summarize_due, summarize_session
from core.summaries.summarizer import LOCAL

if TYPE_CHECKING:
    import argparse
    import sqlite3

    from core.summaries.history import Estimate
    from core.summaries.summarize import Round
    from core.summaries.write_summary import Done


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare what is to be summarized; without arguments, whatever is due."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--session", metavar="ID", help="this session, quiet or not")
    which.add_argument("--latest", action="store_true", help="the session that was active last")
    which.add_argument(
        "--all", action="store_true", help="all that no model has summarized; tells the price first"
    )
    parser.add_argument("--yes", action="store_true", help="with --all: spend that price")


def run(arguments: argparse.Namespace) -> str:
    """Take in what is new, then summarize."""
    db = database.connect()
    try:
        sweep(db)
        if arguments.session or arguments.latest:
            return _session(db, summarize_session(db, arguments.session or _latest(db)))
        if arguments.all and not arguments.yes:
            return _price(estimate(db))
        summarize = summarize_all if arguments.all else summarize_due
        with Progress(sys.stderr, _line) as progress:
            done = summarize(db, report=progress)
        return _round(done)
    finally:
        db.close()


def _line(done: int, total: int, _seconds: float) -> str:
    return f"Summarizing: {done + 1:,} of {counted(total, 'session')}"


def _latest(db: sqlite3.Connection) -> str:
    session_id = latest_session(db)
    if not session_id:
        raise ChatRecallError("There is no session yet", "Talk with Claude Code first.")
    return session_id


def _price(estimate: Estimate) -> str:
    """What `--all` would cost, before anything is spent."""
    if not estimate.sessions:
        return "No session is without a summary by a model."
    sessions = counted(estimate.sessions, "session")
    if estimate.written_by == LOCAL:
        return (
            f"{sessions} without a summary by a model, and none is set up. "
            "`chatrecall key set` stores an API key."
        )
    how = "as a batch at half the price, done within a day" if estimate.batched else "at once"
    return (
        f"{estimate.written_by} would summarize {sessions} "
        f"({estimate.tokens:,} tokens) for at most about {dollars(estimate.dollars)}, {how}. "
        "Nothing was spent. `chatrecall summarize --all --yes` does it."
    )


def _session(db: sqlite3.Connection, done: Done) -> str:
    """The summary as text, short enough for Claude to relay."""
    session = find_session(db, done.session_id)
    lines = [
        f"Title:     {session.title}" if session.title else "",
        f"Project:   {session.project_name}" if session.project_name else "",
        f"Summary:   {session.summary}",
        f"Topics:    {', '.join(session.topics)}" if session.topics else "",
        *(f"Decided:   {decision}" for decision in session.decisions),
        f"Written by {_who(done)}.",
        str(done.problem or ""),
    ]
    return "\n".join(visible(line) for line in lines if line)


def _who(done: Done) -> str:
    if not done.is_new:
        return f"{done.written_by} earlier" + ("" if done.problem else "; nothing is new since")
    if not done.cost_usd:
        return f"{done.written_by}, at no cost"
    return f"{done.written_by} for {dollars(done.cost_usd)}"


def _round(done: Round) -> str:
    if done.busy:
        return "Another process is summarizing just now."
    if done.batched:
        return f"Handed in: {counted(done.batched, 'session')}. The summaries come within a day."
    summarized = counted(len(done.summarized), "session")
    price = f"for {dollars(done.cost_usd)}" if done.cost_usd else "at no cost"
    lines = [f"{summarized} summarized {price}." if done.summarized else "No session was due."]
    if done.problem:
        lines.append(f"{done.problem}")
    if done.waiting:
        lines.append(f"Waiting for a model's summary: {counted(done.waiting, 'session')}.")
    return "\n".join(lines)
