"""`chatrecall resume`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database
from core.privacy import privacy

if TYPE_CHECKING:
    import argparse


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """End a pause."""
    db = database.connect()
    try:
        if privacy.paused_until(db) is None:
            return "Capture is not paused."
        privacy.resume(db)
    finally:
        db.close()
    return "Capture goes on. What was said during the pause stays unremembered."
