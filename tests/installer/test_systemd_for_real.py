"""The hourly task in a real systemd user instance: listed, run, gone."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from installer import systemd
from tests.installer.conftest import do
from tests.support.screen import wait_until
from tests.support.systemd_user import NoUserInstanceError, user_instance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SYSTEMCTL = shutil.which("systemctl")
WORDS = ['a "b" \\c', "100 %h $HOME ${HOME}", "Ünï 日本", "it's; # & |"]


@pytest.fixture(autouse=True)
def _instance(
    home: Path, tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    try:
        with user_instance(home, tmp_path / "runtime") as variables:
            (programs / "systemctl").symlink_to(str(SYSTEMCTL))
            monkeypatch.setenv("XDG_RUNTIME_DIR", variables["XDG_RUNTIME_DIR"])
            yield
    except NoUserInstanceError as error:
        pytest.skip(str(error))


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """The file into which the task's command writes its words."""
    return tmp_path / "said by the task"


@pytest.fixture
def command(tmp_path: Path, said: Path) -> list[str]:
    program = tmp_path / "a program"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{said}"\n', encoding="utf-8")
    program.chmod(0o755)
    return [str(program), *WORDS]


def systemctl(*arguments: str) -> str:
    done = subprocess.run(
        [str(SYSTEMCTL), "--user", *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_the_instance_is_found() -> None:
    assert systemd.is_there()


def test_the_timer_waits_for_its_next_time(command: list[str]) -> None:
    do(systemd.add(command, 60))

    assert systemctl("is-enabled", "chatrecall.timer") == "enabled\n"
    assert "chatrecall.service" in systemctl("list-timers")
    assert systemd.add(command, 60) == []


def test_the_command_gets_its_words_as_they_are(command: list[str], said: Path) -> None:
    do(systemd.add(command, 60))

    systemctl("start", "chatrecall.service")

    assert said.read_text("utf-8").splitlines() == WORDS


def test_a_run_is_followed_by_the_next_one(command: list[str]) -> None:
    do(systemd.add(command, 60))
    assert "OnUnitActiveUSec=1h ; next_elapse=0" in timers()

    systemctl("start", "chatrecall.service")

    wait_until(lambda: "OnUnitActiveUSec=1h ; next_elapse=0" not in timers())


def timers() -> str:
    return systemctl("show", "chatrecall.timer", "--property=TimersMonotonic")


def test_another_command_takes_the_place_of_the_first(command: list[str], said: Path) -> None:
    do(systemd.add([command[0], "before the update"], 60))
    do(systemd.add(command, 60))

    systemctl("start", "chatrecall.service")

    assert said.read_text("utf-8").splitlines() == WORDS


def test_nothing_is_left_after_removing(command: list[str], home: Path) -> None:
    do(systemd.add(command, 60))

    do(systemd.remove())

    assert "0 timers" in systemctl("list-timers", "--all")
    assert "chatrecall" not in systemctl("list-unit-files", "chatrecall*").replace("0 unit", "")
    assert [files for _, _, files in os.walk(home / ".config") if files] == []
