"""Works off the parts' changes and says what happens."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from core import VERSION, paths
from core.display import lines
from core.errors import ChatRecallError
from installer import changes, command, environment, files, layout, record
from installer.inventory import PARTS, REMOVAL
from installer.parts import NotHereError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from installer.changes import Change
    from installer.parts import Part

_TROUBLE = (ChatRecallError, OSError, subprocess.SubprocessError)


def install(names: Collection[str], *, dry_run: bool = False) -> int:
    """Install the parts of these names; one that fails leaves the others to go on.

    Returns the exit code.
    """
    _refuse_anothers_home()
    _say(f"ChatRecall {VERSION} in {paths.data_dir()}")
    chosen = [part for part in PARTS if part.NAME in names]
    failed = [part for part in chosen if not _install_part(part, dry_run)]
    if dry_run:
        _say("\nNothing was changed: this was a dry run.")
    elif failed:
        titles = ", ".join(part.TITLE.lower() for part in failed)
        advice = "Run the installer again when that is mended."
        _say("\n" + lines.fitted(f"Not installed: {titles}. {advice}", ""))
    elif len(chosen) == len(PARTS):
        _say(_what_next())
    return 1 if failed else 0


def remove(names: Collection[str], *, purge: bool = False, dry_run: bool = False) -> int:
    """Remove the parts of these names: what points to the files first, the files last.

    With `purge`, or when a person at a terminal agrees, what is remembered goes too. Returns the
    exit code.
    """
    _refuse_anothers_home()
    chosen = [part for part in REMOVAL if part.NAME in names]
    for part in chosen:
        if not _work_off(part, part.remove, dry_run):
            _say("\nStopped here, so that nothing points to a missing file. Mend it and try again.")
            return 1
    if len(chosen) < len(REMOVAL):
        return 0
    if dry_run:
        fate = "deleted" if purge else "kept"
        _say("\nNothing was changed: this was a dry run.")
        if os.path.exists(paths.data_dir()):
            _say(f"What ChatRecall remembers would be {fate}: {paths.data_dir()}")
        return 0
    _leave(purge=purge or _agrees_to_purge())
    return 0


def _refuse_anothers_home() -> None:
    """Under `sudo` files would become root's, or be in root's home, where nobody uses them."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    home = os.path.expanduser("~")
    if os.path.exists(home) and os.stat(home).st_uid != 0:
        raise ChatRecallError(f"{home} is another user's", "Run the installer without sudo.")
    if os.environ.get("SUDO_USER", "root") != "root" and not os.path.exists(paths.claude_dir()):
        raise ChatRecallError("Root has no Claude Code here", "Run the installer without sudo.")


def _install_part(part: Part, dry_run: bool) -> bool:
    if part.NEEDS_ENVIRONMENT and not dry_run and not os.path.exists(layout.current().hook):
        _say(f"{part.TITLE}: waits for the {environment.TITLE.lower()}")
        return False
    return _work_off(part, part.install, dry_run)


def _work_off(part: Part, listed: Callable[[], list[Change]], dry_run: bool) -> bool:
    try:
        todo = listed()
        _say(part.TITLE + (":" if any(change.words for change in todo) else ": nothing to do"))
        for change in todo:
            _say(f"  {change.words}" if change.words else "")
            if dry_run:
                _say("\n".join(f"    | {line}" for line in change.detail.splitlines()))
            else:
                change.do()
    except NotHereError as error:
        _say(lines.fitted(f"{part.TITLE}: not here. {error}", "  ", ""))
    except _TROUBLE as error:
        _say(lines.fitted(f"{part.TITLE}: failed. {error}", "  ", ""))
        return False
    return True


def _leave(*, purge: bool) -> None:
    folder = paths.data_dir()
    if not os.path.exists(folder):
        _say("\nThere is nothing of ChatRecall here.")
    elif purge:
        folders = record.made_folders()
        for change in changes.remove_folder(folder):
            change.do()
        files.remove_if_empty(folders)
        _say(f"\nChatRecall is gone, and so is all that it remembered ({folder}).")
    else:
        record.remove_empty_folders()
        _say(f"\nChatRecall is gone. What it remembered is kept in {folder}.")


def _agrees_to_purge() -> bool:
    if not (sys.stdin and sys.stdin.isatty() and os.path.exists(paths.database_file())):
        return False
    question = f"Delete what ChatRecall remembers, too ({paths.database_file()})? [y/N] "
    return input(question).strip().lower() in ("y", "yes")


def _what_next() -> str:
    return (
        "\nChatRecall is ready. Work with Claude Code as you always do."
        "\n  /search-chats WORDS   in Claude Code finds past sessions and opens them as a page"
        "\n  /save-recall          summarizes the present session at once"
        "\nIn a terminal, this checks that everything works:"
        f"\n  {command.to_type('doctor')}"
    )


def _say(text: str) -> None:
    if text:
        print(text, flush=True)
