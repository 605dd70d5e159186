"""`chatrecall exclude`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import database, folders
from core.errors import ChatRecallError
from core.privacy import exclusions
from core.sessions import list_sessions

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the glob and `--remove`."""
    parser.epilog = (
        "A glob fits a folder and all below it: `*` and `?` within one name, `**` across names, "
        "`~` for the home folder; one without a root (`private`) fits anywhere. What is said in an "
        "excluded project is not captured later either. What is already remembered stays: see "
        "`chatrecall forget --project`."
    )
    parser.add_argument("glob", metavar="GLOB", nargs="?", help="which folders; without it, a list")
    parser.add_argument("--remove", action="store_true", help="capture there again, from now on")


def run(arguments: argparse.Namespace) -> str:
    """Exclude projects from capture, or list those that are."""
    if arguments.glob is None:
        return "\n".join(exclusions.all_globs()) or "No project is excluded."
    glob = folders.absolute(arguments.glob) if arguments.glob[:1] == "." else arguments.glob
    if not arguments.remove:
        exclusions.exclude(glob)
        return f"Nothing is captured any more in {glob}." + _still_remembered()
    if not exclusions.include(glob):
        raise ChatRecallError(f"{glob} was not excluded", "`chatrecall exclude` lists what is.")
    return f"What is said in {glob} from now on is captured."


def _still_remembered() -> str:
    db = database.connect()
    try:
        sessions = list_sessions(db)
    finally:
        db.close()
    excluded = sum(exclusions.is_excluded(session.project_path) for session in sessions)
    if not excluded:
        return ""
    return (
        f"\nRemembered sessions of excluded projects: {excluded}. "
        "`chatrecall forget --project PATH` deletes them."
    )
