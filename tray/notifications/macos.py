"""Notifications on macOS: the system's own, without a click. Not seen on a Mac."""

from __future__ import annotations

import subprocess

# The words are arguments, not part of the script: nothing in them can become a command.
_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


def show(title: str, body: str, _seconds: float) -> bool:
    """Show a notification; never clicked, as AppleScript does not tell."""
    script = [part for line in _SCRIPT for part in ("-e", line)]
    command = ["/usr/bin/osascript", *script, title, body]
    subprocess.run(command, check=True, timeout=30, stdin=subprocess.DEVNULL)
    return False
