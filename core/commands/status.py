"""`chatrecall status`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import database, paths, presence, settings, times
from core.errors import ChatRecallError
from core.search import index
from core.summaries import failures, keys, ledger
from core.summaries.money import dollars
from core.summaries.summarizer import LOCAL
from core.summaries.summarizers import choose

if TYPE_CHECKING:
    import argparse
    import sqlite3


@dataclass(frozen=True)
class Status:
    """What is captured, who summarizes and what it costs."""

    database: str
    bytes: int
    sessions: int
    exchanges: int
    latest_at: str
    summarized_by_model: int
    summarized_locally: int
    not_indexed: int
    summarizer: str
    """Which summarizer is used and who pays, in words."""
    spent_today: float
    spent_this_month: float
    daily_cap: float
    tray: str
    """Since when the tray app runs, and why it shows no icon, in words."""
    troubles: tuple[str, ...]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`."""
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(arguments: argparse.Namespace) -> str:
    """Say how things stand."""
    db = database.connect()
    try:
        status = read_status(db)
    finally:
        db.close()
    if arguments.json:
        return json.dumps(vars(status), indent=2, ensure_ascii=False)
    return "\n".join(f"{name:<13}{value}" for name, value in _rows(status))


def read_status(db: sqlite3.Connection) -> Status:
    """How things stand now. Raises `ChatRecallError` where the settings can't be read."""
    sessions, by_model, locally, latest_at = db.execute(
        "SELECT count(*), total(summarized_by NOT IN ('', ?1)), total(summarized_by = ?1),"
        " coalesce(max(last_activity_at), '') FROM sessions",
        (LOCAL,),
    ).fetchone()
    file = paths.database_file()
    return Status(
        database=file,
        bytes=os.path.getsize(file),
        sessions=sessions,
        exchanges=db.execute("SELECT count(*) FROM exchanges").fetchone()[0],
        latest_at=latest_at,
        summarized_by_model=int(by_model),
        summarized_locally=int(locally),
        not_indexed=index.pending(db),
        summarizer=_summarizer(),
        spent_today=ledger.spent_today(db),
        spent_this_month=ledger.spent_this_month(db),
        daily_cap=settings.number("daily_cap_usd"),
        tray=_tray(db),
        troubles=tuple(str(failure.as_error()) for failure in failures.standing(db)),
    )


def _summarizer() -> str:
    try:
        writer = choose().written_by
    except ChatRecallError as error:
        return str(error)
    backend, _, model = writer.partition(":")
    if backend == LOCAL:
        return "local: on this machine, without network and cost"
    if backend == "claude":
        return f"claude: {model} through Claude Code, on your plan"
    key = keys.find()
    return f"api: {model}, paid with the key from {key.source}" if key else writer


def _tray(db: sqlite3.Connection) -> str:
    tray = presence.read(db)
    if tray is None:
        return "not running"
    since = times.parse(tray.since)
    started = f"runs since {since:%Y-%m-%d %H:%M}" if since else "runs"
    return f"{started}; no icon: {tray.no_icon}" if tray.no_icon else started


def _rows(status: Status) -> list[tuple[str, str]]:
    waiting = status.sessions - status.summarized_by_model - status.summarized_locally
    latest = times.parse(status.latest_at)
    last = f", the latest {latest:%Y-%m-%d %H:%M}" if latest else ""
    return [
        ("Database", f"{status.database} ({status.bytes / 1e6:.1f} MB)"),
        ("Remembered", f"{status.sessions} sessions, {status.exchanges} exchanges{last}"),
        (
            "Summaries",
            f"{status.summarized_by_model} by a model, {status.summarized_locally} local, "
            f"{waiting} waiting",
        ),
        ("Index", f"{status.not_indexed} sessions waiting" if status.not_indexed else "up to date"),
        ("Summarizer", status.summarizer),
        (
            "Spent",
            f"{dollars(status.spent_today)} today of at most {dollars(status.daily_cap)}, "
            f"{dollars(status.spent_this_month)} this month",
        ),
        ("Tray app", status.tray),
        *(("Trouble", trouble) for trouble in dict.fromkeys(status.troubles)),
    ]
