"""The slash commands `/save-recall` and `/search-chats`, as files in Claude Code's folder."""

from __future__ import annotations

import ctypes
import json
import os
import re
import secrets
import shlex
import sys
from typing import TYPE_CHECKING

from core import paths
from core.errors import ChatRecallError
from installer import changes, client, files, layout, record
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "slash-commands"
TITLE = "Slash commands"
NEEDS_ENVIRONMENT = True

COMMANDS = {
    "save-recall": ("summarize", "--session", "${CLAUDE_SESSION_ID}"),
    "search-chats": ("search", "--open", "--stdin"),
}
_SIGN = "ChatRecall"
"""What each of our files says, and a person's own command of the same name hardly would."""
_BARE = re.compile(r"[\w.:\\/~+=-]+")
"""A path that PowerShell takes for a command as it stands."""
_LONGEST_PATH = 32767
"""In characters; Windows' own limit."""


def install() -> list[Change]:
    """Write both files."""
    end_mark = record.of(NAME).get("end_mark") or new_end_mark()
    todo = []
    for name, content in _contents(end_mark).items():
        file = _file(paths.commands_dir(), name)
        if (found := files.read(file)) and _SIGN.encode() not in found:
            raise ChatRecallError(
                f"There is a slash command /{name} already that isn't ChatRecall's",
                f"It was left alone. Rename {file}, then run the installer again.",
            )
        todo += changes.write_file(file, content.encode("utf-8"))
    folders = {*record.of(NAME).get("folders", []), paths.commands_dir()}
    facts = {"end_mark": end_mark, "folders": sorted(folders)}
    if record.of(NAME) != facts:
        todo.insert(0, changes.note(NAME, facts))
    return todo


def remove() -> list[Change]:
    """Delete both files, wherever they were written."""
    noted = record.of(NAME)
    todo = []
    for folder in sorted({*noted.get("folders", []), paths.commands_dir()}):
        for name in COMMANDS:
            content = files.read(_file(folder, name))
            if content is None or _SIGN.encode() in content:
                todo += changes.remove_file(_file(folder, name))
    if noted:
        todo.append(changes.note(NAME, None))
    return todo


def state() -> State:
    """Compare the files with what they should say."""
    found = [files.read(_file(paths.commands_dir(), name)) for name in COMMANDS]
    if not any(found):
        if client.has_plugin():
            return State("works", f"those of the plugin {client.PLUGIN}")
        return State("missing", advice="`chatrecall install --only slash-commands` writes them.")
    if install():
        words = "They are not what this installation needs."
        return State("broken", words, "`chatrecall install --only slash-commands` repairs them.")
    return State(
        "works", f"{' and '.join('/' + name for name in COMMANDS)}, {paths.commands_dir()}"
    )


def new_end_mark() -> str:
    """The line that ends the typed words in the shell's text.

    Drawn anew for each installation: text that a person pastes must not be able to hold it.
    """
    return f"CHATRECALL_{secrets.token_hex(16)}"


def render(name: str, command: Sequence[str], end_mark: str, *, powershell: bool = False) -> str:
    """The file of one slash command that runs `command`.

    Claude Code pastes what the person typed into the shell's text as it is. Between the lines of a
    quoted here-document it stays mere text, whatever it holds. PowerShell's here-string has no end
    mark to choose: a typed line that begins with `'@` ends it. What follows would be a command of
    its own; Claude Code refuses the whole then, unless the person lets any command pass.
    """
    typed = "--stdin" in command
    fixed = command[: len(command) - len(COMMANDS[name]) + 1]
    if powershell:
        end = _powershell_line([command[0], "-I", "-c", "pass"])
        run = _powershell_line([word for word in command if word != "--stdin"])
        # As an argument: Windows PowerShell 5.1 of itself pipes nothing but ASCII to a program.
        run += " -- @'\n$ARGUMENTS\n'@" if typed else ""
        rules = [f"PowerShell({_pattern(_powershell_line(fixed))} *)", f"PowerShell({end})"]
    else:
        end = "true"
        run = _shell_line(command)
        run += f" <<'{end_mark}'\n$ARGUMENTS\n{end_mark}" if typed else ""
        rules = [f"Bash({_pattern(_shell_line(fixed))} *)"]
    run += f"\n{end}"  # any other exit code than 0 would hide the error's words from everyone
    allowed = "\n  - ".join(json.dumps(rule, ensure_ascii=False) for rule in rules)
    with open(paths.asset(f"commands/{name}.md"), encoding="utf-8") as stream:
        text = stream.read().replace("{rule}", allowed)
    if powershell:
        text = text.replace("---\n", "---\nshell: powershell\n", 1)
    return text.replace("{run}", run)


def _contents(end_mark: str) -> dict[str, str]:
    here = layout.current()
    powershell = client.uses_powershell()
    return {
        name: render(name, here.command(*words), end_mark, powershell=powershell)
        for name, words in COMMANDS.items()
    }


def _file(folder: str, name: str) -> str:
    return os.path.join(folder, f"{name}.md")


def _shell_line(command: Sequence[str]) -> str:
    # Git Bash takes backslashes for escapes; Windows takes slashes as well.
    return shlex.join(word.replace("\\", "/") for word in command)


def _powershell_line(command: Sequence[str]) -> str:
    """The same for PowerShell.

    Claude Code lets a program's path pass by a rule only where it stands bare, without `&` and
    quotes (seen with 2.1.197 and 2.1.332). Windows' short names make most paths fit for that.
    """
    program, *words = command
    if not _BARE.fullmatch(program):
        program = _short(program)
    if not _BARE.fullmatch(program):
        program = "& '" + program.replace("'", "''") + "'"
    return " ".join([program, *words])


def _short(path: str) -> str:
    r"""The same file by Windows' short names (`C:\Users\FIRSTL~1`), where its drive has them."""
    if sys.platform != "win32":
        return path
    name = ctypes.create_unicode_buffer(_LONGEST_PATH)
    ctypes.windll.kernel32.GetShortPathNameW(path, name, _LONGEST_PATH)
    return name.value or path


def _pattern(line: str) -> str:
    """A permission rule's form of a command line: it can't hold brackets, a star stands for them.

    Seen with Claude Code 2.1.197 and 2.1.332.
    """
    return line.replace("(", "*").replace(")", "*")
