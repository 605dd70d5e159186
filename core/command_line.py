"""The command line: picks the verb, prints what it returns, turns errors into words."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sqlite3
import sys
from typing import TYPE_CHECKING

from core import VERSION
from core.environment import disown_project_settings
from core.errors import ChatRecallError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

# Verb: module and one line of help. Only the chosen verb's module is imported.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("core.commands.init", "create the database"),
    "search": ("core.commands.search", "find the sessions that a few words bring back"),
    "sessions": ("core.commands.sessions", "list the sessions that are remembered"),
    "library": ("core.commands.library", "open the page of all sessions, or of some"),
    "show": ("core.commands.show", "print one session's conversation"),
    "summarize": ("core.commands.summarize", "summarize sessions now"),
    "key": ("core.commands.key", "store, remove or name the API key that pays for summaries"),
    "cost": ("core.commands.cost", "say what summaries have cost"),
    "sweep": ("core.commands.sweep", "take in what the transcripts hold and the hook has missed"),
    "reindex": ("core.commands.reindex", "rebuild the search index from the tables"),
    "status": ("core.commands.status", "say what is captured, who summarizes and what it costs"),
    "settings": ("core.commands.settings", "print the settings or change one"),
    "pause": ("core.commands.pause", "remember nothing of what is said for a while"),
    "resume": ("core.commands.resume", "end a pause"),
    "exclude": ("core.commands.exclude", "leave projects out of capture"),
    "forget": ("core.commands.forget", "delete a session or a project, for good"),
}


def main(argv: Sequence[str], more: Mapping[str, tuple[str, str]]) -> int:
    """Run one command line and return its exit code: 0, 1 (an error that is told) or 2 (usage).

    `more` adds the verbs of the rooms above `core`, which `core` itself doesn't know.
    """
    _speak_utf8()
    disown_project_settings()
    commands = {**COMMANDS, **more}
    chosen = next((word for word in argv if not word.startswith("-")), "")
    parser = argparse.ArgumentParser(
        prog="chatrecall", description="A memory for Claude Code.", allow_abbrev=False
    )
    parser.add_argument("-V", "--version", action="version", version=f"ChatRecall {VERSION}")
    verbs = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, help_line) in commands.items():
        verb = verbs.add_parser(
            name, help=help_line, description=_sentence(help_line), allow_abbrev=False
        )
        if name == chosen:
            importlib.import_module(module).configure(verb)
    arguments, others = parser.parse_known_args(argv)
    if others and "words" not in arguments:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    if others:  # `-word` and `--no-verify` are something to look for
        arguments.words += others
    try:
        text = _run(importlib.import_module(commands[arguments.command][0]), arguments)
    except ChatRecallError as error:
        return _fail(error)
    except sqlite3.DatabaseError as error:
        from core import database  # noqa: PLC0415  rarely needed

        return _fail(database.trouble(error))
    except KeyboardInterrupt:
        return _fail(ChatRecallError("Interrupted", "Run it again to go on where it was."))
    if text and sys.stdout:
        # A reader that has seen enough (`| head`) closes the pipe: no error of ours.
        with contextlib.suppress(BrokenPipeError):
            print(text, flush=True)
    return 0


def _run(command: ModuleType, arguments: argparse.Namespace) -> str:
    """Run a command; where the database proves to be damaged, repair it and run it once more."""
    try:
        return str(command.run(arguments))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        import traceback  # noqa: PLC0415  rarely needed, like the others

        from core import database  # noqa: PLC0415
        from core.rescue import integrity, repair  # noqa: PLC0415

        # A cursor in the command's frames keeps the file open, and Windows renames no open file.
        traceback.clear_frames(error.__traceback__)
        if not integrity.may_be_damage(error) or not repair.repair():
            raise
        if sys.stderr:
            # Where no person is looking, the tray app tells it as well.
            tell = repair.take_notice if sys.stderr.isatty() else repair.notice
            with contextlib.closing(database.connect()) as db:
                print(f"chatrecall: {tell(db) or 'The search index is new.'}", file=sys.stderr)
    return str(command.run(arguments))


def _fail(error: ChatRecallError) -> int:
    if sys.stderr:
        print(f"chatrecall: {error}", file=sys.stderr)
    return 1


def _speak_utf8() -> None:
    """Print any script's characters, whatever code page the console has.

    Under `pythonw` the streams are None.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."
