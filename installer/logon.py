"""Launch at logon: the tray starts with the desktop. The tray's menu switches it, too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from installer import changes, layout, record
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "logon"
TITLE = "Launch at logon"
NEEDS_ENVIRONMENT = True

_ON, _OFF = "on", "off"


class Autostart(Protocol):
    """What starts programs with the desktop; one module each."""

    def is_on(self) -> bool:
        """Whether our entry is there and the person has not switched it off elsewhere."""

    def add(self, command: Sequence[str]) -> list[Change]:
        """Start `command` at logon; empty where that is so already."""

    def approve(self) -> list[Change]:
        """Undo what switches our entry off; empty where nothing does."""

    def remove(self) -> list[Change]:
        """Start it no more; empty where nothing is there."""


def install() -> list[Change]:
    """Start the tray at logon, unless the person has said no."""
    if record.of(NAME).get("choice") == _OFF:
        return []
    todo = _autostart().add(_command())
    if todo:
        todo.insert(0, changes.note(NAME, {"choice": _ON}))
    return todo


def remove() -> list[Change]:
    """Start the tray at logon no more."""
    todo = _autostart().remove()
    if record.of(NAME):
        todo.append(changes.note(NAME, None))
    return todo


def state() -> State:
    """Look whether the entry is there, right, and approved."""
    if not enabled():
        words = "switched off" if record.of(NAME) else ""
        return State("missing", words, "The tray's menu switches it on.")
    if install():
        words = "It starts another program than this installation's."
        return State("broken", words, "`chatrecall install --only logon` repairs it.")
    return State("works")


def enabled() -> bool:
    """Whether the tray starts at logon."""
    return _autostart().is_on()


def enable() -> None:
    """Start the tray at logon, because the person said so."""
    _note(_ON)
    autostart = _autostart()
    for change in autostart.approve():
        change.do()
    for change in autostart.add(_command()):
        change.do()


def disable() -> None:
    """Start it no more, because the person said so; installing again doesn't change that."""
    _note(_OFF)
    for change in _autostart().remove():
        change.do()


def _command() -> list[str]:
    return layout.current().quiet_command("tray", "--background")


def _note(choice: str) -> None:
    record.note(NAME, {"choice": choice})


def _autostart() -> Autostart:
    from installer import logon_macos, logon_windows, logon_xdg  # noqa: PLC0415

    if sys.platform == "win32":
        return logon_windows
    return logon_macos if sys.platform == "darwin" else logon_xdg
