from __future__ import annotations

import plistlib
from typing import TYPE_CHECKING

import pytest

from installer import launchd, logon_macos
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = ["/Users/First Last Ünï/python", "-I", "-m", "chatrecall", "round"]

# By launchd.plist(5).
KINDS = {
    "Label": str,
    "ProgramArguments": list,
    "StartInterval": int,
    "RunAtLoad": bool,
    "ProcessType": str,
    "LimitLoadToSessionType": str,
}
PROCESS_TYPES = {"Background", "Standard", "Adaptive", "Interactive"}


@pytest.fixture
def launchctl(programs: Path) -> Path:
    """A `launchctl` that notes what it is asked; returns its notes."""
    notes = programs / "notes"
    program = programs / "launchctl"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{notes}"\n', "utf-8")
    program.chmod(0o755)
    return notes


@pytest.mark.parametrize(
    "agent", [launchd.task_agent(COMMAND, 60), launchd.logon_agent("tray", COMMAND)]
)
def test_agents_hold_what_launchd_knows(agent: dict[str, object]) -> None:
    read = plistlib.loads(plistlib.dumps(agent))

    assert read == agent
    assert all(isinstance(value, KINDS[key]) for key, value in read.items())
    assert read["ProcessType"] in PROCESS_TYPES


def test_the_task_runs_each_hour() -> None:
    assert launchd.task_agent(COMMAND, 60)["StartInterval"] == 3600


def test_an_agent_is_written_and_loaded(launchctl: Path, home: Path) -> None:
    do(launchd.add(COMMAND, 60))

    file = home / "Library/LaunchAgents/chatrecall.task.plist"
    assert plistlib.loads(file.read_bytes())["ProgramArguments"] == COMMAND
    assert launchctl.read_text("utf-8").splitlines()[-1].endswith(str(file))
    assert launchd.add(COMMAND, 60) == []


def test_removing_unloads_and_deletes(launchctl: Path, home: Path) -> None:
    do(launchd.add(COMMAND, 60))

    do(launchd.remove())

    assert "bootout" in launchctl.read_text("utf-8").splitlines()[-1]
    assert not (home / "Library/LaunchAgents/chatrecall.task.plist").exists()
    assert launchd.remove() == []


def test_the_tray_has_an_agent_of_its_own(launchctl: Path) -> None:
    assert not logon_macos.is_on()

    do(logon_macos.add(COMMAND))
    assert logon_macos.is_on()

    do(logon_macos.remove())
    assert not logon_macos.is_on()


def test_switching_launch_at_logon_neither_starts_nor_ends_the_app_that_runs(
    launchctl: Path,
) -> None:
    do(logon_macos.add(COMMAND))
    do(logon_macos.remove())

    assert not launchctl.exists()
