"""`chatrecall init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database, paths

if TYPE_CHECKING:
    import argparse


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """Create the database or bring an older one up to date."""
    database.connect().close()
    return f"The database is ready: {paths.database_file()}"
