r"""A real Windows Python under Wine, in a profile called `C:\users\First Last Ünï`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.screen import new_screen
from tests.support.wine import windows_path, windows_python

pytestmark = pytest.mark.wine

SCRIPT = Path(__file__).with_name("on_windows.py")
ENVIRONMENT = r"C:\users\First Last Ünï\.claude\chatrecall\environment"


@pytest.fixture(scope="module", params=["3.11", "3.13"])
def seen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the script saw: one run, for all tests."""
    with new_screen() as screen, windows_python(request.param, screen.display) as windows:
        done = windows.run(windows_path(SCRIPT), timeout=240)
    lines = [line for line in done.stdout.splitlines() if line.startswith("SEEN ")]
    assert lines, done.stdout
    found: dict[str, Any] = json.loads(lines[0].removeprefix("SEEN "))
    return found


def test_everything_is_in_place_after_one_run(seen: dict[str, Any]) -> None:
    assert seen["problems"] == []
    assert set(seen["states"].values()) == {"works"}
    assert seen["commands"] == ["save-recall.md", "search-chats.md"]


def test_the_hook_is_started_exactly_as_written_and_captures(seen: dict[str, Any]) -> None:
    assert seen["handler"]["command"].endswith(r"\pythonw.exe")
    assert seen["handler"]["args"][-1] == ENVIRONMENT + r"\Lib\site-packages\chatrecall"
    assert seen["hook"] == [0, "", ""]
    assert seen["log"] == ""
    assert seen["sessions"] == ["payments-api"]


def test_a_slash_command_for_powershell_names_the_program_without_a_space(
    seen: dict[str, Any],
) -> None:
    program, *answer = seen["slash_command"]

    assert program.endswith("python.exe")
    assert answer == [0, "1"]


def test_the_windowless_start_knows_the_dependencies(seen: dict[str, Any]) -> None:
    assert seen["quiet"][0] == 0
    assert seen["pages"] == 1


def test_the_run_key_starts_the_tray_without_a_window(seen: dict[str, Any]) -> None:
    assert seen["run"] == seen["quiet_tray"]
    assert "pythonw.exe" in seen["run"]


def test_the_path_gets_and_loses_our_folder(seen: dict[str, Any]) -> None:
    assert seen["on_path"] == [False, True, False]


def test_task_managers_switch_is_respected(seen: dict[str, Any]) -> None:
    assert seen["off_in_task_manager"] == [False, 0]
    assert seen["on_by_menu"] == [True]
    assert seen["off_by_menu"] == [False]


def test_uninstalling_leaves_nothing(seen: dict[str, Any]) -> None:
    assert seen["uninstalled"][0] == 0, seen["uninstalled"]
    assert seen["left"] == ["projects"]
    assert seen["left_in_registry"] is None
