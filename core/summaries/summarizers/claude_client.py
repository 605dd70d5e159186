"""The Claude Code client as a child process: found, run, and ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.processes import end_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLACES = ("~/.local/bin", "~/.claude/local", "/opt/homebrew/bin", "/usr/local/bin")
"""Where the client's own installers put it, for a PATH that leaves these out."""

_NPM_PACKAGE = ("node_modules", "@anthropic-ai", "claude-code", "bin", "claude.exe")


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int
    output: str
    errors: str


def find() -> str | None:
    """The path of the `claude` program; None where there is none.

    On Windows npm puts a `claude.cmd` on the path. Such a script runs in `cmd.exe`, which mangles
    quotes in arguments, so the program that it starts is taken.
    """
    places = os.pathsep.join(os.path.expanduser(place) for place in _PLACES)
    found = shutil.which("claude") or shutil.which("claude", path=places)
    if not found or not found.lower().endswith((".cmd", ".bat")):
        return found
    program = os.path.join(os.path.dirname(found), *_NPM_PACKAGE)
    return program if os.path.isfile(program) else None


def run(
    command: Sequence[str],
    *,
    stdin: str,
    environment: Mapping[str, str],
    folder: str,
    seconds: float,
) -> Ended:
    """Run a command to its end and return what it said.

    Raises `subprocess.TimeoutExpired` after `seconds`, when the command and all that it started
    have been ended, and `OSError` where it can't be started.
    """
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=folder,
        encoding="utf-8",
        errors="replace",
        start_new_session=sys.platform != "win32",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        output, errors = child.communicate(stdin, timeout=seconds)
    except BaseException:
        _end(child)
        raise
    return Ended(child.returncode, output, errors)


def _end(child: subprocess.Popen[str]) -> None:
    """End a child and its children, and take it off the list of processes."""
    end_tree(child)
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    child.wait()
