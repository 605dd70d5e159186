"""`chatrecall reindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database
from core.search import index

if TYPE_CHECKING:
    import argparse


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """Rebuild the search index from the tables."""
    db = database.connect()
    try:
        number = index.rebuild(db)
    finally:
        db.close()
    return "1 session is indexed." if number == 1 else f"{number} sessions are indexed."
