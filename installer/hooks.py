"""The Stop and SessionEnd hooks in Claude Code's settings."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from core import paths
from core.errors import ChatRecallError
from installer import changes, client, files, json_edit, layout, record
from installer.changes import Change, remove_file
from installer.json_tree import BrokenJsonError
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "hooks"
TITLE = "Hooks"
NEEDS_ENVIRONMENT = True

# The last is the first in the file. Both events are old: one that a client doesn't know makes it
# open a dialog at each start.
EVENTS = ("SessionEnd", "Stop")
TIMEOUT_SECONDS = 10

# Not `python …/append_exchange.py`: where that file is gone (settings shared between machines, an
# update under way) Python exits with 2, which tells Claude Code to go on working. A failed import
# exits with 1, which does no harm.
_START = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); "
    "from hook.append_exchange import main; main(); os._exit(0)"
)
_OURS = re.compile(r"append_exchange.*site-packages/+chatrecall", re.DOTALL)


def install() -> list[Change]:
    """Write both hooks into the settings, in place of older ones of ours."""
    file = paths.claude_settings_file()
    before = _read(file)
    handler = hook_handler(layout.current(), exec_form=client.knows_exec_form())
    noted = _noted().get(file, {})
    with _readable(file):
        if _handlers(before) == {event: [handler] for event in EVENTS}:
            return []
        clean = json_edit.take_out(before, noted.get("pieces", []), is_ours)
        edited = _put_in(clean, handler)
    created = noted.get("created", not os.path.exists(file))
    facts = {"created": created, "pieces": list(edited.pieces)}
    words = f"Register the Stop and SessionEnd hooks in {file}"
    write = partial(_write, file, clean, before, edited.text, facts)
    return [Change(words, write, _diff(before, edited.text))]


def remove() -> list[Change]:
    """Take our entries out of the settings, and delete the backup."""
    noted = _noted()
    todo = []
    for file in {**noted, paths.claude_settings_file(): {}}:
        todo += _remove_from(file, noted.get(file, {}))
    if noted:
        todo.append(changes.note(NAME, None))
    return todo


def _remove_from(file: str, facts: dict[str, Any]) -> list[Change]:
    before = _read(file)
    with _readable(file):
        after = json_edit.take_out(before, facts.get("pieces", []), is_ours)
        left = json_edit.values(after)
    if after == before:
        todo = []
    elif facts.get("created") and not left:
        todo = remove_file(os.path.realpath(file))  # a link that led nowhere leads nowhere again
    else:
        words = f"Take the hooks out of {file}"
        todo = [Change(words, partial(_replace, file, before, after), _diff(before, after))]
    return [*changes.remove_leftovers(file), *todo, *remove_file(_backup(file))]


def state() -> State:
    """Compare the settings with what should stand there."""
    file = paths.claude_settings_file()
    if not registered(file):
        if client.has_plugin():
            return State("works", f"those of the plugin {client.PLUGIN}")
        return State("missing", advice="`chatrecall install --only hooks` registers them.")
    if install():
        words = "They are not what this installation needs."
        return State("broken", words, "`chatrecall install --only hooks` repairs them.")
    return State("works", f"Stop and SessionEnd, {file}")


def registered(file: str) -> list[dict[str, Any]]:
    """Our handlers in a settings file, those of Stop first."""
    before = _read(file)
    with _readable(file):
        found = _handlers(before)
    return [handler for event in reversed(found) for handler in found[event]]


def hook_handler(here: layout.Layout, *, exec_form: bool) -> dict[str, Any]:
    """What Claude Code is to start, as it stands in the settings.

    The base interpreter is started: an environment's own is a launcher of it on Windows, a second
    process for each hook.
    """
    program, *arguments = [here.windowless, "-I", "-S", "-c", _START, here.package]
    if exec_form:
        told: dict[str, Any] = {"command": program, "args": arguments}
    else:
        told = {"command": _shell_line([program, *arguments], powershell=client.uses_powershell())}
    return {"type": "command", **told, "timeout": TIMEOUT_SECONDS}


def is_ours(value: Any) -> bool:
    """Whether this is a hook handler that the installer wrote, or a group of such handlers only."""
    if not isinstance(value, dict):
        return False
    if isinstance(group := value.get("hooks"), list) and group:
        return all(is_ours(handler) for handler in group)
    arguments = value.get("args")
    words = [value.get("command"), *(arguments if isinstance(arguments, list) else [])]
    text = " ".join(word for word in words if isinstance(word, str))
    return bool(_OURS.search(text.replace("\\", "/")))


def _shell_line(words: list[str], *, powershell: bool) -> str:
    if powershell:
        quoted = ["'" + word.replace("'", "''") + "'" for word in words]
        return "& " + " ".join(quoted)
    # Git Bash takes backslashes for escapes (anthropics/claude-code#22449).
    return " ".join(shlex.quote(word.replace("\\", "/")) for word in words)


def _put_in(text: str, handler: dict[str, Any]) -> json_edit.Edited:
    pieces: tuple[str, ...] = ()
    for event in EVENTS:
        added = json_edit.add_to_list(text, ("hooks", event), {"hooks": [handler]})
        text, pieces = added.text, pieces + added.pieces
    return json_edit.Edited(text, pieces)


def _handlers(text: str) -> dict[str, list[Any]]:
    """Our handlers in the settings, by event; events of ours that have none are there as well."""
    settings = json_edit.values(text)
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    found: dict[str, list[Any]] = {event: [] for event in EVENTS}
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            ours = [h for h in handlers if is_ours(h)] if isinstance(handlers, list) else []
            if ours:
                found.setdefault(event, []).extend(ours)
    return found


def _noted() -> dict[str, Any]:
    """What was done to which settings file; there are several where Claude Code has several."""
    noted: dict[str, Any] = record.of(NAME).get("settings", {})
    return noted


def _read(file: str) -> str:
    with _readable(file):
        return (files.read(file) or b"").decode("utf-8")


@contextmanager
def _readable(file: str) -> Iterator[None]:
    try:
        yield
    except (BrokenJsonError, UnicodeDecodeError) as error:
        raise ChatRecallError(
            "Claude Code's settings can't be read, so they were left alone",
            f"{file}: {error}. Mend the file, then run the installer again.",
        ) from error


def _write(file: str, clean: str, before: str, after: str, facts: dict[str, Any]) -> None:
    record.note(NAME, {"settings": {**_noted(), file: facts}})
    record.make_folders(os.path.dirname(file))
    if clean:
        shutil.copy(file, _backup(file))  # with its permissions: it may hold keys
        files.replace(_backup(file), clean.encode("utf-8"))  # without older hooks of ours
    _replace(file, before, after)


def _replace(file: str, before: str, after: str) -> None:
    if _read(file) != before:
        raise ChatRecallError(
            "Claude Code's settings were changed at this moment", "Run the installer again."
        )
    try:
        files.replace(file, after.encode("utf-8"))
    except OSError as error:
        raise ChatRecallError(
            "Claude Code's settings can't be written",
            f"{os.path.realpath(file)}: {error.strerror}. Let your user write there, or change the "
            "file yourself as the installer's --dry-run shows.",
        ) from error


def _backup(file: str) -> str:
    return file + ".before-chatrecall"


def _diff(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return "\n".join(lines)
