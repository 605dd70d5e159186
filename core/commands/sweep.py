"""`chatrecall sweep`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core import database
from core.progress import Progress
from core.sweep import sweep

if TYPE_CHECKING:
    import argparse


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """Capture whatever the transcripts hold that is not in the database yet."""
    db = database.connect()
    try:
        with Progress(sys.stderr) as progress:
            swept = sweep(db, progress)
    finally:
        db.close()
    text = f"{swept.read} transcripts had something new."
    if swept.unreadable:
        listed = "".join(f"\n  {path}" for path in swept.unreadable)
        text += f"\n{len(swept.unreadable)} could not be read and are tried again:{listed}"
    return text
