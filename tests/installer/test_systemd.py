from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from installer import systemd
from tests.installer.conftest import do, words

if TYPE_CHECKING:
    from pathlib import Path

ANALYZE = shutil.which("systemd-analyze")
COMMAND = ["/bin/echo", 'a "b" \\c', "100 %h $HOME ${HOME}", "Ünï 日本"]


@pytest.fixture
def systemctl(programs: Path) -> Path:
    """A `systemctl` that notes what it is asked and agrees; returns its notes."""
    notes = programs / "notes"
    program = programs / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{notes}"\n', "utf-8")
    program.chmod(0o755)
    return notes


@pytest.mark.skipif(not ANALYZE, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for name, content in systemd.units(COMMAND, 60).items():
        (tmp_path / name).write_text(content, "utf-8")

    done = subprocess.run(
        [str(ANALYZE), "--user", "verify", *map(str, tmp_path.glob("chatrecall*"))],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_words_are_quoted_as_systemd_reads_them() -> None:
    assert systemd.quoted('a "b" \\c') == '"a \\"b\\" \\\\c"'
    assert systemd.quoted("%h $HOME") == '"%%h $$HOME"'


def test_the_timer_is_started(systemctl: Path, home: Path) -> None:
    do(systemd.add(COMMAND, 60))

    assert "--user enable --now chatrecall.timer" in systemctl.read_text("utf-8")
    assert os.listdir(home / ".config/systemd/user") == ["chatrecall.timer", "chatrecall.service"]


def test_adding_twice_changes_nothing(systemctl: Path) -> None:
    do(systemd.add(COMMAND, 60))

    assert systemd.add(COMMAND, 60) == []


def test_another_interval_is_another_timer(systemctl: Path) -> None:
    do(systemd.add(COMMAND, 60))

    assert any("chatrecall.timer" in line for line in words(systemd.add(COMMAND, 30)))


def test_removing_stops_it_first(systemctl: Path, home: Path) -> None:
    do(systemd.add(COMMAND, 60))
    systemctl.write_text("", "utf-8")

    do(systemd.remove())

    assert systemctl.read_text("utf-8").startswith("--user disable --now chatrecall.timer")
    assert os.listdir(home / ".config/systemd/user") == []
    assert systemd.remove() == []
