"""Running the operating system's own programs."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from core.errors import ChatRecallError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECONDS = 60


def run(command: Sequence[str], *, told: str | None = None) -> str:
    """Run a program without a window, `told` on its standard input; returns what it printed.

    Raises `ChatRecallError` with the program's own words where it fails.
    """
    try:
        done = subprocess.run(
            command,
            input=told,
            stdin=subprocess.DEVNULL if told is None else None,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ChatRecallError(f"{command[0]} can't be run", str(error)) from error
    if done.returncode:
        words = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise ChatRecallError(f"{command[0]} failed", words)
    return done.stdout


def works(command: Sequence[str]) -> bool:
    """Whether the program is there and ends well."""
    try:
        run(command)
    except ChatRecallError:
        return False
    return True
