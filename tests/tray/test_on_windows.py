"""The tray app in a real Windows Python, under Wine: what only Windows has, and the way through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.screen import new_screen, wait_until
from tests.support.tray_app import ROOT, write_sessions
from tests.support.wine import RELEASES, windows_path, windows_python
from tests.support.wine_tray import MAIN, WineTray

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.screen import Screen
    from tests.support.wine import WindowsPython

pytestmark = [pytest.mark.wine, pytest.mark.screen]

WM_CLOSE = 0x0010
WM_QUERYENDSESSION = 0x0011
WM_ENDSESSION = 0x0016
WM_STOP = 0x040A  # pystray's own
WM_TRAY = 0x040B  # pystray's own message, with what happened to the icon in lparam
NIN_BALLOONUSERCLICK = 0x0405
NIM_ADD = 0
ADDED = (NIM_ADD, 1)

TASKBAR_CORNER = (1240, 770, 1280, 800)
MIDDLE = (300, 200, 980, 600)
ABOVE_CORNER = (900, 500, 1280, 770)
SUMMARIZE_NOW = (1120, 671)  # in the menu, whose lower right corner is the icon's


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    with new_screen() as made:
        yield made


@pytest.fixture(scope="module", params=sorted(RELEASES))
def windows(request: pytest.FixtureRequest, screen: Screen) -> Iterator[WindowsPython]:
    with windows_python(request.param, screen.display) as python:
        yield python


@pytest.fixture
def idle(
    windows: WindowsPython, screen: Screen, home: Path, claude_dir: Path
) -> Iterator[WineTray]:
    """The tray app, not started yet, with sessions to find."""
    write_sessions(claude_dir)
    made = WineTray(windows, screen, home)
    yield made
    windows.stop_everything()


@pytest.fixture
def tray(idle: WineTray) -> WineTray:
    """The tray app, running."""
    idle.start()
    return idle


def test_a_click_opens_the_box_and_enter_the_page(tray: WineTray) -> None:
    before = tray.picture()
    tray.click_icon()
    tray.wait_for_change(before, MIDDLE)
    tray.screen.type("login cookie")
    tray.screen.press("Return")
    assert "Fix the login redirect loop" in tray.wait_for_page()


def test_the_hotkey_opens_the_box(tray: WineTray) -> None:
    before = tray.picture()
    tray.click_icon()  # gives Wine's desktop the keyboard
    tray.wait_for_change(before, MIDDLE)
    tray.screen.press("Escape")
    wait_until(lambda: tray.picture().crop(MIDDLE).tobytes() == before.crop(MIDDLE).tobytes())
    tray.screen.press("ctrl+alt+r")
    tray.wait_for_change(before, MIDDLE)


def test_summarize_now_shows_a_balloon_and_a_click_on_it_opens_the_sessions(
    tray: WineTray,
) -> None:
    before = tray.picture()
    tray.click_icon(button=3)
    tray.wait_for_change(before, ABOVE_CORNER)
    tray.screen.click(*SUMMARIZE_NOW)
    tray.wait_for_log("Notification: 3 sessions summarized")
    tray.send(WM_TRAY, 0, NIN_BALLOONUSERCLICK)
    page = tray.wait_for_page()
    assert "Speed up the nightly CSV import" in page
    assert "日本語の検索が見つからない" in page


def test_windows_may_end_the_session_and_the_app_ends_with_it(tray: WineTray) -> None:
    assert set(tray.send(WM_QUERYENDSESSION)) == {1}
    assert set(tray.send(WM_QUERYENDSESSION, to="TkTopLevel")) == {1}
    assert "Quitting" not in tray.log, "the session may still go on: another program said no"
    tray.send(WM_ENDSESSION, 1)
    tray.wait_for_end()


def test_a_session_that_does_not_end_after_all_leaves_the_app_alone(tray: WineTray) -> None:
    tray.send(WM_QUERYENDSESSION)
    tray.send(WM_ENDSESSION, 0)
    assert tray.command("tray", "--background") == "The tray app runs already."


def test_closing_as_taskkill_does_ends_it(tray: WineTray) -> None:
    tray.send(WM_CLOSE)
    tray.wait_for_end()


def test_it_ends_while_its_menu_is_open_and_leaves_no_ghost(tray: WineTray) -> None:
    shown = tray.picture()
    tray.click_icon(button=3)
    tray.wait_for_change(shown, ABOVE_CORNER)
    assert tray.command("tray", "--quit") == "The tray app ends."
    tray.wait_for_end()
    tray.wait_for_change(shown, TASKBAR_CORNER)


def test_the_icon_comes_back_when_explorer_starts_again(idle: WineTray) -> None:
    idle.start_with_taskbar(refusals=0)
    before = idle.told_taskbar().count(ADDED)
    idle.send("TaskbarCreated")
    # Wine's own taskbar still has the icon, and refuses a second one.
    wait_until(lambda: [code for code, _ in idle.told_taskbar()].count(NIM_ADD) > before)
    shown = idle.picture()
    idle.click_icon()
    idle.wait_for_change(shown, MIDDLE)


def test_a_taskbar_that_takes_no_icon_just_after_logon_is_asked_again(idle: WineTray) -> None:
    empty = idle.picture()
    idle.start_with_taskbar(refusals=4)
    idle.wait_for_log("The taskbar takes no icon now")
    wait_until(lambda: ADDED in idle.told_taskbar())
    idle.wait_for_change(empty, TASKBAR_CORNER)
    shown = idle.picture()
    idle.click_icon()
    idle.wait_for_change(shown, MIDDLE)


def test_an_icon_whose_loop_ends_by_itself_comes_back(tray: WineTray) -> None:
    tray.send(WM_STOP)
    wait_until(lambda: tray.log.count("Icon shown") == 2, 60)
    before = tray.picture()
    tray.click_icon()
    tray.wait_for_change(before, MIDDLE)


def test_a_second_start_brings_up_the_box_of_the_first(tray: WineTray) -> None:
    before = tray.picture()
    assert tray.command("tray") == "The tray app runs already."
    tray.wait_for_change(before, MIDDLE)


def test_without_the_tray_the_scheduled_round_shows_a_toast(idle: WineTray) -> None:
    assert "3 sessions summarized" in idle.command("round", "--notify")
    assert not idle.log


TOAST = f"""
import sys
sys.path.insert(0, {windows_path(ROOT)!r})
from tray.notifications import windows
print(windows.show("3 sessions summarized", "日本語", 0.5))
"""


def test_the_toast_prints_nothing_and_needs_no_setuptools(idle: WineTray) -> None:
    done = idle.python.run("-I", "-c", f"import sys; sys.modules['setuptools'] = None\n{TOAST}")
    assert done.stdout.split() == ["False"], "not clicked"


RUN_KEY = """
import winreg
path = r"Software\\Microsoft\\Windows\\CurrentVersion\\Run"
with winreg.OpenKey(winreg.HKEY_CURRENT_USER, path) as key:
    for number in range(winreg.QueryInfoKey(key)[1]):
        print(ascii(winreg.EnumValue(key, number)))
"""


def run_entries(tray: WineTray) -> set[str]:
    return set(tray.python.run("-I", "-c", RUN_KEY).stdout.splitlines())


def test_launch_at_logon_is_a_run_key_that_comes_and_goes(idle: WineTray) -> None:
    before = run_entries(idle)
    assert idle.command("tray", "--launch-at-logon", "on").endswith("yes.")
    (entry,) = run_entries(idle) - before
    assert idle.command("tray", "--launch-at-logon", "off").endswith("no.")
    assert "pythonw.exe" in entry
    assert "tray --background" in entry
    assert run_entries(idle) == before


def test_without_any_stream_as_at_logon_it_starts_all_the_same(idle: WineTray) -> None:
    program = windows_path(idle.python.program("pythonw.exe"))
    size = f"{idle.screen.width}x{idle.screen.height}"
    idle.python.start(
        *("explorer", f"/desktop=shell,{size}", "cmd", "/c", "start", "", program),
        *("-I", MAIN, "tray", "--background"),
        environment=idle.environment,
    )
    idle.wait_for_log("Icon shown")
