"""The tray app where there is no display, no tray, or nothing to print to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.screen import Screen, new_screen, wait_until
from tests.support.tray_app import ROOT, TrayApp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOWHERE = Screen("", 0, 0)


@pytest.fixture
def app(home: Path, session_ids: list[str]) -> Iterator[TrayApp]:
    if sys.platform == "win32":
        pytest.skip("Windows always has a desktop")
    made = TrayApp(NOWHERE, home, environment={"DBUS_SESSION_BUS_ADDRESS": "none:"})
    made.wait_for_log("No icon")
    yield made
    made.close()


def test_the_log_and_status_say_why_there_is_no_icon(app: TrayApp) -> None:
    assert "There is no display" in app.log
    wait_until(lambda: "no icon: There is no display." in app.command("status"))


def test_rounds_go_on(app: TrayApp) -> None:
    app.command("round", "--notify")
    wait_until(lambda: "local" in app.command("sessions", "--json"))
    app.wait_for_log("Notification: 3 sessions summarized")


def test_it_ends_when_asked_and_status_says_so(app: TrayApp) -> None:
    assert app.command("tray", "--quit") == "The tray app ends."
    assert app.process.wait(timeout=15) == 0
    assert "not running" in app.command("status")


@pytest.mark.screen
def test_a_desktop_without_a_tray_still_has_the_search_box(
    home: Path, session_ids: list[str]
) -> None:
    with new_screen() as screen:
        screen.start_window_manager()
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": "none:"})
        try:
            app.wait_for_log("The desktop has no tray")
            app.command("tray")
            wait_until(app.box)
        finally:
            app.close()


@pytest.mark.screen
def test_an_icon_waits_for_a_panel_that_starts_later(home: Path, session_ids: list[str]) -> None:
    with new_screen() as screen:
        screen.start_window_manager()
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": "none:"})
        try:
            app.wait_for_log("the icon comes with it")
            screen.start_tray()
            screen.click(*app.icon())
            wait_until(app.box)
        finally:
            app.close()


def test_streams_that_are_none_as_under_pythonw_do_no_harm(home: Path) -> None:
    code = (
        "import runpy, sys\n"
        "sys.stdin = sys.stdout = sys.stderr = None\n"
        f"sys.argv = ['chatrecall', 'tray', '--quit']\n"
        f"runpy.run_path({str(ROOT / '__main__.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        env={**os.environ, "CHATRECALL_HOME": str(home / "data")},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
