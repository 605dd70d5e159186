"""The hourly task: takes in what is new and summarizes, whether the tray runs or not."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Protocol

from core import settings
from installer import changes, layout, record
from installer.changes import Change
from installer.parts import NotHereError, State

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "task"
TITLE = "Hourly task"
NEEDS_ENVIRONMENT = True

WORK = ("round", "--notify")
"""The command that the task runs."""


class Scheduler(Protocol):
    """What starts programs by the clock; one module each."""

    NAME: str

    def add(self, command: Sequence[str], minutes: int) -> list[Change]:
        """Run `command` every so many minutes; empty where that is so already."""

    def remove(self) -> list[Change]:
        """Run it no more; empty where nothing is there."""


def install() -> list[Change]:
    """Give the work to the system's scheduler."""
    scheduler = _scheduler()
    minutes = max(1, round(settings.number("interval_minutes")))
    todo = scheduler.add(layout.current().quiet_command(*WORK), minutes)
    if record.of(NAME).get("scheduler") != scheduler.NAME:
        facts = {"scheduler": scheduler.NAME}
        todo.insert(0, changes.note(NAME, facts))
    return todo


def remove() -> list[Change]:
    """Take the work back from the scheduler that it was given to."""
    if not (noted := record.of(NAME)):
        return []
    scheduler = next(found for found in _schedulers() if noted["scheduler"] == found.NAME)
    return [*scheduler.remove(), changes.note(NAME, None)]


def state() -> State:
    """Ask the scheduler."""
    noted = record.of(NAME)
    try:
        missing = install()
    except NotHereError as error:
        return State("unknown", error.title, error.advice)
    if not noted:
        return State("missing", advice="`chatrecall install --only task` adds it.")
    if missing:
        words = "It is not as this installation needs it."
        return State("broken", words, "`chatrecall install --only task` repairs it.")
    return State("works", f"by {noted['scheduler']}")


def _scheduler() -> Scheduler:
    from installer import cron, launchd, systemd, windows_task  # noqa: PLC0415

    if sys.platform == "win32":
        return windows_task
    if sys.platform == "darwin":
        return launchd
    if systemd.is_there():
        return systemd
    if shutil.which("crontab"):
        return cron
    raise NotHereError(
        "There is neither a systemd user instance nor cron here",
        "Sessions are summarized while the tray runs, and by `chatrecall summarize`.",
    )


def _schedulers() -> tuple[Scheduler, ...]:
    from installer import cron, launchd, systemd, windows_task  # noqa: PLC0415

    return windows_task, launchd, systemd, cron
