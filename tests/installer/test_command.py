from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from installer import command, layout, registry
from installer.parts import NotHereError
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def link(home: Path) -> Path:
    return home / ".local/bin/chatrecall"


@pytest.fixture
def _program(installed: layout.Layout) -> None:
    """The environment's program."""
    folder = os.path.dirname(installed.python)
    os.makedirs(folder)
    with open(os.path.join(folder, "chatrecall"), "w", encoding="utf-8") as stream:
        stream.write("#!/bin/sh\necho ours\n")
    os.chmod(os.path.join(folder, "chatrecall"), 0o755)


@pytest.mark.usefixtures("_program")
def test_a_terminal_finds_the_command(link: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    do(command.install())

    assert command.state().kind == "unknown"
    monkeypatch.setenv("PATH", str(link.parent))
    assert command.state().kind == "works"
    assert command.install() == []


@pytest.mark.usefixtures("_program")
def test_removing_leaves_nothing(link: Path) -> None:
    do(command.install())

    do(command.remove())

    assert not os.path.lexists(link)
    assert command.remove() == []


@pytest.mark.usefixtures("_program")
def test_what_to_type_is_found_with_and_without_a_path(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(command.install())

    def typed() -> tuple[str, str]:
        line = command.to_type("doctor")
        return line, subprocess.run(
            ["/bin/sh", "-c", line], capture_output=True, text=True, check=False
        ).stdout

    assert typed() == (f"'{link}' doctor", "ours\n")
    monkeypatch.setenv("PATH", str(link.parent))
    assert typed() == ("chatrecall doctor", "ours\n")


@pytest.mark.usefixtures("home")
def test_where_there_is_no_command_the_environment_is_named() -> None:
    assert shlex.split(command.to_type("doctor")) == layout.current().command("doctor")


def test_a_command_of_somebody_elses_is_left_alone(link: Path) -> None:
    link.parent.mkdir(parents=True)
    link.write_text("theirs", "utf-8")

    with pytest.raises(NotHereError):
        command.install()

    do(command.remove())
    assert link.read_text("utf-8") == "theirs"


@pytest.mark.parametrize("path", ["", r"%USERPROFILE%\go\bin;;C:\Tools", r"C:\Tools\;"])
def test_the_path_is_the_former_one_afterwards(path: str) -> None:
    folder = r"C:\Users\First Last\.claude\chatrecall\bin"

    grown = registry.path_with(path, folder)

    assert folder in grown.split(";")
    assert registry.path_without(grown, folder) == path
