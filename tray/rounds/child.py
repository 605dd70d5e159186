"""Commands of ours in a process of their own: what they load is gone from memory afterwards."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

from core import paths
from core.errors import ChatRecallError
from core.processes import end_tree

_MOST_SECONDS = 1800.0
_GRACE_SECONDS = 0.2


class Child:
    """Runs one command at a time, and can be stopped at any moment."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._changing = threading.Lock()
        self.stopped = False
        """Whether `stop` was called."""

    def run(self, *arguments: str) -> str:
        """Run `chatrecall` with these arguments and return what it printed.

        Raises `ChatRecallError` where it fails, is stopped or takes more than half an hour.
        """
        with self._changing:
            if self.stopped:
                raise ChatRecallError("The tray app is ending")
            process = self._process = _start(arguments)
        try:
            output, errors = process.communicate(timeout=_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            errors = f"It took more than half an hour. {errors}"
        if process.returncode != 0:
            raise _error(arguments[0], errors)
        return output

    def stop(self) -> None:
        """End the command that runs, if one does, with all that it started; no other can start.

        What it was doing is safe: each write is a transaction, and leases run out.
        """
        with self._changing:
            self.stopped = True
            if self._process:
                _end(self._process)


def _start(arguments: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-I", os.path.join(paths.ROOT, "__main__.py"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end(process: subprocess.Popen[str]) -> None:
    """End a command at once, and the Claude Code client that it may be waiting for."""
    if sys.platform == "win32":
        end_tree(process)
        return
    process.terminate()  # it ends what it started, which leads a session of its own
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_SECONDS)
    process.kill()


def _error(command: str, errors: str) -> ChatRecallError:
    """Make an error of what the command line said: `chatrecall: Title. Advice.`."""
    lines = errors.strip().splitlines() or ["no reason was given"]
    said = lines[-1].removeprefix("chatrecall: ")
    title, _, advice = said.partition(". ")
    return ChatRecallError(title or f"{command} failed", advice)
