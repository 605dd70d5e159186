"""The tray app that runs now: started by installing, ended by an update and by removing."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from core.errors import ChatRecallError
from installer import layout, programs
from installer.changes import Change
from installer.parts import NotHereError, State

NAME = "tray"
TITLE = "Tray app"
NEEDS_ENVIRONMENT = True

_PATIENCE_SECONDS = 10.0


def install() -> list[Change]:
    """Start it where there is a desktop; one that runs already stays."""
    if not _has_desktop():
        raise NotHereError("There is no desktop", "ChatRecall works without the tray app, too.")
    return [Change("Start the tray app", _start, " ".join(_command()))]


def remove() -> list[Change]:
    """End it."""
    if not os.path.exists(layout.current().hook):
        return []
    return [Change("End the tray app if it runs", end)]


def state() -> State:
    """Whether there is a desktop for it; it tells by its icon that it runs."""
    if not _has_desktop():
        return State("unknown", "There is no desktop.")
    return State("unknown", "Look for its icon.", f"`{' '.join(_command())}` starts it.")


def end() -> None:
    """Ask the tray app to end, and wait until it has."""
    quit_it = layout.current().command("tray", "--quit")
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while "does not run" not in programs.run(quit_it):
        if time.monotonic() > deadline:
            raise ChatRecallError("The tray app does not end", "Quit it by its menu.")
        time.sleep(0.2)


def _start() -> None:
    detached = getattr(subprocess, "DETACHED_PROCESS", 0)
    subprocess.Popen(
        _command(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=detached,
        close_fds=True,
    )


def _command() -> list[str]:
    return layout.current().quiet_command("tray", "--background")


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
