"""The hourly task as a line in the person's crontab, where there is no systemd."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from core.errors import ChatRecallError
from installer import programs
from installer.changes import Change
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "cron"

_HOUR = 60


def add(command: Sequence[str], minutes: int) -> list[Change]:
    """Add the line, or replace an older one."""
    before = _crontab()
    after = with_line(before, line(command, minutes))
    return [] if after == before else [_change("Add a line to the crontab", after)]


def remove() -> list[Change]:
    """Take the line out."""
    before = _crontab()
    after = with_line(before, "")
    return [] if after == before else [_change("Take our line out of the crontab", after)]


def line(command: Sequence[str], minutes: int) -> str:
    """The crontab's line, its last word a comment by which it is found again.

    cron ends a command at `%` unless that is escaped (crontab(5)).
    """
    when = f"*/{minutes} * * * *" if minutes < _HOUR else f"7 */{min(23, minutes // _HOUR)} * * *"
    return f"{when} {shlex.join(command)} >/dev/null 2>&1 {_mark()}\n".replace("%", "\\%")


def with_line(crontab: str, line: str) -> str:
    """The crontab with this line in place of an older one of ours; empty takes ours out."""
    lines = crontab.splitlines(keepends=True)
    foreign = "".join(line for line in lines if not line.rstrip("\n").endswith(_mark()))
    if line and foreign and not foreign.endswith("\n"):
        foreign += "\n"
    return foreign + line


def _mark() -> str:
    return f"# {instance()}"


def _crontab() -> str:
    try:
        return programs.run(["crontab", "-l"])
    except ChatRecallError as error:
        if "no crontab" in error.advice:
            return ""
        raise


def _change(words: str, crontab: str) -> Change:
    if not crontab:
        return Change(words, partial(programs.run, ["crontab", "-r"]), "crontab -r")
    return Change(words, partial(programs.run, ["crontab", "-"], told=crontab), crontab)
