"""Killed at each step that changes a file, the installer goes on with the next run."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import database, hooks, logon, slash_commands

if TYPE_CHECKING:
    from pathlib import Path

PARTS = (database.NAME, hooks.NAME, slash_commands.NAME, logon.NAME)
SETTINGS = b'{\r\n\t"model": "opus" // the best\r\n}\r\n'

# Ends without any clean-up just before the step of that number.
RUN_UNTIL = """
import os, runpy, sys

root, last, *options = sys.argv[1:]
CHANGES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "sqlite3.connect")
steps = 0

def watch(event, arguments):
    global steps
    is_change = event in CHANGES or event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    steps += bool(is_change)
    if is_change and steps == int(last):
        os._exit(9)

sys.dont_write_bytecode = True
sys.path.insert(0, root)
from installer.command_line import main

sys.addaudithook(watch)
sys.exit(main(options))
"""


def killed_before(step: int, *options: str) -> bool:
    """Run the installer; whether it had so many steps to take."""
    command = [sys.executable, "-c", RUN_UNTIL, paths.ROOT, str(step), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 9), done.stdout + done.stderr
    return done.returncode == 9


def run(*options: str) -> str:
    command = [sys.executable, "-I", os.path.join(paths.ROOT, "installer"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of_others(home: Path) -> set[str]:
    """All files below the home but those in ChatRecall's own folder."""
    found = (path.relative_to(home) for path in home.rglob("*") if not path.is_dir())
    return {str(path) for path in found if "chatrecall" not in path.parts}


@pytest.fixture
def untouched(home: Path, settings_file: Path) -> set[str]:
    settings_file.write_bytes(SETTINGS)
    return files_of_others(home)


@pytest.mark.parametrize("goes_on", [True, False])
@pytest.mark.usefixtures("installed")
def test_an_installation_that_was_killed_is_finished_or_removed(
    home: Path, settings_file: Path, untouched: set[str], goes_on: bool
) -> None:
    step = 1
    while killed_before(step, "--only", *PARTS):
        if goes_on:
            run("--only", *PARTS)
            assert all("nothing to do" in line for line in run("--only", *PARTS).splitlines()[1:])
        run("--remove", "--only", *PARTS)
        assert (step, files_of_others(home)) == (step, untouched)
        assert settings_file.read_bytes() == SETTINGS
        step += 1
    assert step > len(PARTS)


@pytest.mark.usefixtures("installed")
def test_a_removal_that_was_killed_is_finished(
    home: Path, settings_file: Path, untouched: set[str]
) -> None:
    step = 1
    run("--only", *PARTS)
    while killed_before(step, "--remove", "--only", *PARTS):
        run("--remove", "--only", *PARTS)
        assert (step, files_of_others(home)) == (step, untouched)
        assert settings_file.read_bytes() == SETTINGS
        run("--only", *PARTS)
        step += 1
    assert step > len(PARTS)
