from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from installer import layout, logon, logon_xdg
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def entry(home: Path) -> Path:
    return home / ".config/autostart/chatrecall.desktop"


def test_installing_starts_the_tray_at_logon(entry: Path) -> None:
    do(logon.install())

    assert logon.enabled()
    assert logon.install() == []


def test_the_entry_starts_the_tray_of_the_environment(entry: Path) -> None:
    do(logon.install())

    line = next(line for line in entry.read_text("utf-8").splitlines() if line.startswith("Exec="))
    assert shlex.split(line.removeprefix("Exec=")) == layout.current().quiet_command(
        "tray", "--background"
    )


def test_a_word_is_escaped_as_a_string_and_as_an_argument() -> None:
    assert logon_xdg.quoted(r'a\b "c" $d `e` 5%') == r'"a\\\\b \\"c\\" \\$d \\`e\\` 5%%"'


def test_a_no_in_the_menu_is_kept_when_installing_again(entry: Path) -> None:
    do(logon.install())

    logon.disable()

    assert not logon.enabled()
    assert logon.install() == []


def test_a_yes_in_the_menu_comes_back(entry: Path) -> None:
    logon.disable()

    logon.enable()

    assert logon.enabled()


@pytest.mark.parametrize("switch", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktop_has_switched_off_stays_off(entry: Path, switch: str) -> None:
    do(logon.install())
    with entry.open("a", encoding="utf-8") as stream:
        stream.write(f"{switch}\n")

    assert not logon.enabled()
    assert logon.install() == []

    logon.enable()
    assert logon.enabled()


def test_removing_leaves_nothing(entry: Path) -> None:
    do(logon.install())

    do(logon.remove())

    assert not entry.exists()
    assert logon.remove() == []


def test_the_state_tells_a_choice_from_a_missing_entry(entry: Path) -> None:
    assert logon.state().words == ""

    logon.disable()
    assert logon.state().words == "switched off"

    logon.enable()
    assert logon.state().kind == "works"

    entry.write_text(entry.read_text("utf-8").replace("tray", "else"), "utf-8")
    assert logon.state().kind == "broken"
