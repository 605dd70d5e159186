"""`chatrecall pause`."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from core import database
from core.errors import ChatRecallError
from core.privacy import privacy

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare how long."""
    parser.epilog = (
        "What is said during a pause is never captured, not even by a later sweep. Summaries wait."
    )
    parser.add_argument(
        "how_long",
        metavar="HOW-LONG",
        nargs="?",
        default="",
        help="an hour (`hour`), `tomorrow`, `90m`, `3h`; without it, until `chatrecall resume`",
    )


def run(arguments: argparse.Namespace) -> str:
    """Pause capture."""
    until = _until(arguments.how_long)
    db = database.connect()
    try:
        privacy.pause(db, until)
    finally:
        db.close()
    when = f"until {until:%Y-%m-%d %H:%M}" if until else "until `chatrecall resume`"
    return f"Capture is paused {when}. What is said meanwhile is not remembered."


def _until(how_long: str) -> datetime | None:
    """The local end of a pause; None where it has none."""
    now = datetime.now().astimezone()
    if not how_long:
        return None
    if how_long == "hour":
        return now + timedelta(hours=1)
    if how_long == "tomorrow":
        return datetime.combine(now.date() + timedelta(days=1), time()).astimezone()
    length = re.fullmatch(r"([1-9][0-9]{0,3})([mh])", how_long)
    if not length:
        raise ChatRecallError(
            f"A pause can't be “{how_long}” long", "Say `hour`, `tomorrow`, `90m`, `3h` or nothing."
        )
    number = int(length[1])
    return now + (timedelta(minutes=number) if length[2] == "m" else timedelta(hours=number))
