"""The command `chatrecall` for a terminal.

Elsewhere than on Windows a link in `~/.local/bin`, where systemd and the XDG base directories have
a person's own programs. On Windows a folder of ours on the person's PATH, with the program in it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import partial

from core import paths
from core.errors import ChatRecallError
from installer import changes, files, layout, naming, record, registry
from installer.changes import Change
from installer.parts import NotHereError, State

NAME = "command"
TITLE = "Command chatrecall"
NEEDS_ENVIRONMENT = True


def install() -> list[Change]:
    """Put the command where terminals find it."""
    return _install_on_path() if sys.platform == "win32" else _install_link()


def remove() -> list[Change]:
    """Take the command away."""
    if not (noted := record.of(NAME)):
        return []
    if sys.platform == "win32":
        todo = _remove_from_path(noted["folder"])
    else:
        todo = changes.remove_file(noted["link"]) if _points_to_us(noted["link"]) else []
    return [*todo, changes.note(NAME, None)]


def state() -> State:
    """Whether a terminal finds our command."""
    try:
        if install():
            return State("missing", advice=f"`{naming.INSTALLER} --only command` adds it.")
    except NotHereError as error:
        return State("unknown", error.title, error.advice)
    if not is_found():
        words = f"{os.path.dirname(_link())} is not on your PATH yet."
        return State("unknown", words, "Open a new terminal, or add it to the PATH.")
    return State("works")


def is_found() -> bool:
    """Whether this process's PATH leads to the command."""
    return shutil.which("chatrecall") is not None


def to_type(*words: str) -> str:
    """What a person types into their next terminal to run `chatrecall WORDS…`."""
    if not record.of(NAME):
        whole = layout.current().command(*words)
        return subprocess.list2cmdline(whole) if sys.platform == "win32" else shlex.join(whole)
    if is_found() or sys.platform == "win32":  # there, a new terminal knows the new PATH
        return shlex.join(["chatrecall", *words])
    return shlex.join([_link(), *words])


def _install_link() -> list[Change]:
    link = _link()
    if _points_to_us(link):
        return []
    if os.path.lexists(link) and record.of(NAME).get("link") != link:
        raise NotHereError("There is another command chatrecall", f"{link} was left alone.")
    make = partial(_make_link, link)
    return [changes.note(NAME, {"link": link}), Change(f"Link {link} to our program", make)]


def _make_link(link: str) -> None:
    record.make_folders(os.path.dirname(link))
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(_program(), link)


def _points_to_us(link: str) -> bool:
    return os.path.islink(link) and os.readlink(link) == _program()


def _link() -> str:
    if sys.platform == "win32":
        return os.path.join(_folder(), "chatrecall.exe")
    return os.path.join(os.path.expanduser("~"), ".local", "bin", "chatrecall")


def _program() -> str:
    folder = os.path.dirname(layout.current().python)
    return os.path.join(folder, "chatrecall.exe" if sys.platform == "win32" else "chatrecall")


def _install_on_path() -> list[Change]:
    if (program := files.read(_program())) is None:
        raise ChatRecallError(f"{_program()} is missing", f"Run `{naming.INSTALLER}` again.")
    todo = changes.write_file(_link(), program)
    if not registry.is_on_path(_folder()):
        words = f"Add {_folder()} to your PATH"
        todo.append(Change(words, partial(registry.add_to_path, _folder())))
    return [changes.note(NAME, {"folder": _folder()}), *todo] if todo else []


def _remove_from_path(folder: str) -> list[Change]:
    todo = changes.remove_folder(folder)
    if registry.is_on_path(folder):
        words = f"Take {folder} off your PATH"
        todo.append(Change(words, partial(registry.remove_from_path, folder)))
    return todo


def _folder() -> str:
    """A folder with nothing but our command: the environment's own holds other programs too."""
    return os.path.join(paths.data_dir(), "bin")
