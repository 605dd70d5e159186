"""`chatrecall sweep`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core import database
from core.capture.sweep import sweep
from core.progress import Progress, bar
from core.summaries.money import counted

if TYPE_CHECKING:
    import argparse


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """Capture whatever the transcripts hold that is not in the database yet."""
    db = database.connect()
    try:
        with Progress(sys.stderr, bar) as progress:
            swept = sweep(db, progress)
    finally:
        db.close()
    lines = ["Nothing new was there to read."]
    if swept.read:
        lines = [f"{counted(swept.read, 'transcript')} with something new, read."]
    if swept.unreadable:
        lines.append("These could not be read and are tried again next time:")
        lines += [f"  {path}" for path in swept.unreadable]
    return "\n".join(lines)
