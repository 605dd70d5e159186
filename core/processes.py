"""Ending a process of ours with all that it has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys


def end_tree(process: subprocess.Popen[str]) -> None:
    """End a process at once, with its children and theirs.

    Outside Windows it has to lead a session of its own, and what it started has to be in it.
    """
    if sys.platform == "win32":
        subprocess.run(
            ["taskkill", "/T", "/F", "/PID", str(process.pid)],
            capture_output=True,
            check=False,
            creationflags=subprocess.CREATE_NO_WINDOW,
        )
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
