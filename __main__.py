"""Runs ChatRecall from its own folder, be it a checkout or `chatrecall/` in site-packages.

The rooms import each other by bare names (`from core.settings import read`). This folder goes first
on `sys.path` so that those names are ours, and PYTHONPATH's folders leave it: the projects in which
Claude Code runs have a `core` or `json.py` of their own.
"""

from __future__ import annotations

import os
import signal
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_PYTHONPATH = os.environ.get("PYTHONPATH")
_FOREIGN = {os.path.abspath(f) for f in _PYTHONPATH.split(os.pathsep)} if _PYTHONPATH else set()
sys.path[:] = [_HERE, *(folder for folder in sys.path if os.path.abspath(folder) not in _FOREIGN)]

MORE_COMMANDS = {
    "tray": ("tray.command", "start the tray app"),
    "round": ("tray.round", "sweep, index and summarize what is due, as the timer does"),
    "install": ("installer.commands.install", "put ChatRecall on this machine"),
    "uninstall": ("installer.commands.uninstall", "take ChatRecall off this machine"),
    "doctor": ("installer.commands.doctor", "check each part and say what to do"),
}


def main() -> int:
    """The `chatrecall` command."""
    from core.command_line import main as run  # noqa: PLC0415  only now does the path hold our rooms

    # An end like that by Ctrl-C: what was started is ended, too.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    return run(sys.argv[1:], MORE_COMMANDS)


def tray() -> int:
    """The `chatrecall-tray` command: the tray app without a console."""
    from core.command_line import main as run  # noqa: PLC0415

    return run(["tray", *sys.argv[1:]], MORE_COMMANDS)


if __name__ == "__main__":
    sys.exit(main())
