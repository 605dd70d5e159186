from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from installer import cron
from tests.installer.conftest import do
from tests.support.crontab import put_into

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = ["/home/First Last Ünï/100%/python", "-m", "chatrecall", "round"]


@pytest.fixture
def crontab(programs: Path) -> Path:
    return put_into(programs)


def test_foreign_lines_stay(crontab: Path) -> None:
    crontab.write_text("# mine\n0 0 * * * backup", "utf-8")

    do(cron.add(COMMAND, 60))

    lines = crontab.read_text("utf-8").splitlines()
    assert lines[:2] == ["# mine", "0 0 * * * backup"]
    assert len(lines) == 3


def test_the_line_is_a_shell_command(crontab: Path, tmp_path: Path) -> None:
    line = cron.line(["/bin/sh", "-c", 'echo "$1" > "$2"', "sh", "100 % it's", f"{tmp_path}/x"], 60)

    # cron gives the shell all behind the fifth field, `\%` as `%`.
    command = line.split(" ", 5)[5].replace("\\%", "%")
    subprocess.run(["/bin/sh", "-c", command], check=True)

    assert (tmp_path / "x").read_text() == "100 % it's\n"


@pytest.mark.parametrize(
    ("minutes", "when"),
    [(60, "7 */1 * * *"), (30, "*/30 * * * *"), (180, "7 */3 * * *"), (5000, "7 */23 * * *")],
)
def test_the_interval_is_said_as_cron_says_it(minutes: int, when: str) -> None:
    assert cron.line(COMMAND, minutes).startswith(f"{when} ")


def test_adding_twice_changes_nothing_and_anew_replaces(crontab: Path) -> None:
    do(cron.add(COMMAND, 60))
    assert cron.add(COMMAND, 60) == []

    do(cron.add(COMMAND, 30))

    assert len(crontab.read_text("utf-8").splitlines()) == 1


def test_removing_gives_back_the_former_crontab(crontab: Path) -> None:
    crontab.write_text("0 0 * * * backup\n", "utf-8")
    do(cron.add(COMMAND, 60))

    do(cron.remove())

    assert crontab.read_text("utf-8") == "0 0 * * * backup\n"


def test_a_crontab_that_was_not_there_goes(crontab: Path) -> None:
    do(cron.add(COMMAND, 60))

    do(cron.remove())

    assert not crontab.exists()
    assert cron.remove() == []
