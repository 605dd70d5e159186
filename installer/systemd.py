"""The hourly task as a timer of systemd's user instance."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from installer import changes, programs
from installer.changes import Change
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "systemd"

_SYSTEMCTL = ("systemctl", "--user")


def is_there() -> bool:
    """Whether this user has a systemd instance that answers."""
    return programs.works([*_SYSTEMCTL, "show-environment"])


def add(command: Sequence[str], minutes: int) -> list[Change]:
    """Write the two units, start the timer."""
    todo = []
    for file, content in units(command, minutes).items():
        todo += changes.write_file(os.path.join(_folder(), file), content.encode())
    timer = f"{instance()}.timer"
    if todo or not programs.works([*_SYSTEMCTL, "is-active", "--quiet", timer]):
        todo.append(_change("Read the units", "daemon-reload"))
        todo.append(_change(f"Start {timer}", "enable", "--now", timer))
    return todo


def remove() -> list[Change]:
    """Stop the timer, delete the two units."""
    todo = []
    for suffix in ("timer", "service"):
        todo += changes.remove_file(os.path.join(_folder(), f"{instance()}.{suffix}"))
    if not todo:
        return []
    timer = f"{instance()}.timer"
    stop = _change(f"Stop {timer}", "disable", "--now", timer)
    return [stop, *todo, _change("Read the units", "daemon-reload")]


def units(command: Sequence[str], minutes: int) -> dict[str, str]:
    """The unit files by name."""
    service = f"""\
[Unit]
Description=ChatRecall takes in and summarizes Claude Code's sessions

[Service]
Type=oneshot
ExecStart={" ".join(map(quoted, command))}
Nice=10
TimeoutStartSec=30min
"""
    timer = f"""\
[Unit]
Description=ChatRecall's hourly work

[Timer]
OnStartupSec=2min
OnUnitActiveSec={minutes}min

[Install]
WantedBy=timers.target
"""
    return {f"{instance()}.service": service, f"{instance()}.timer": timer}


def quoted(word: str) -> str:
    """A word of a command line as systemd.service(5) reads it: `%` and `$` are doubled."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _folder() -> str:
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(config, "systemd", "user")


def _change(words: str, *arguments: str) -> Change:
    command = [*_SYSTEMCTL, *arguments]
    return Change(words, partial(programs.run, command), " ".join(command))
