"""The tray app on a real X server with a window manager and a tray, used by mouse and keyboard."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.support.screen import wait_until
from tests.support.tray_app import children

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.screen import Screen
    from tests.support.tray_app import TrayApp

pytestmark = pytest.mark.screen

OTHER_WINDOW = """
import tkinter
window = tkinter.Tk()
window.title("Other")
window.geometry("200x200+0+0")
window.mainloop()
"""


def open_box(app: TrayApp) -> str:
    """Click the icon and wait for the box to have the focus."""
    app.screen.click(*app.icon())
    window = wait_until(app.box)
    wait_until(lambda: app.screen.xdotool("getwindowfocus") in (window, _child_of(app, window)))
    return window


def _child_of(app: TrayApp, window: str) -> str:
    """The focus may be in the window that Tk keeps inside."""
    name = app.screen.xdotool("getwindowname", app.screen.xdotool("getwindowfocus"))
    return app.screen.xdotool("getwindowfocus") if name else window


def test_a_click_on_the_icon_opens_the_search_box_with_the_focus(app: TrayApp) -> None:
    open_box(app)


def test_a_double_click_opens_one_box(app: TrayApp) -> None:
    app.screen.click(*app.icon(), times=2)
    wait_until(app.box)
    assert len(app.screen.find_windows("--name", "^ChatRecall: search$")) == 1


def test_the_box_comes_up_in_the_middle_of_the_screen(app: TrayApp) -> None:
    x, _, width, _ = app.screen.geometry(open_box(app))
    assert abs((x + width / 2) - app.screen.width / 2) <= 2


def test_the_box_lists_what_matches_while_typing(app: TrayApp) -> None:
    window = open_box(app)
    app.screen.type("zzzznothing")
    wait_until(lambda: app.screen.geometry(window)[3] < 160)
    app.screen.press("ctrl+a")
    app.screen.type("login")
    wait_until(lambda: app.screen.geometry(window)[3] > 140)


def test_enter_on_the_words_opens_the_page_of_results(app: TrayApp) -> None:
    open_box(app)
    app.screen.type("login cookie")
    app.screen.press("Return")
    assert "Fix the login redirect loop" in app.wait_for_page()
    wait_until(lambda: not app.box())


def test_arrow_and_enter_open_the_page_at_that_session(app: TrayApp) -> None:
    window = open_box(app)
    app.screen.type("csv")
    wait_until(lambda: 120 < app.screen.geometry(window)[3] < 190)
    app.screen.press("Down", "Return")
    assert "Speed up the nightly CSV import" in app.wait_for_page()


def test_escape_closes_the_box(app: TrayApp) -> None:
    open_box(app)
    app.screen.press("Escape")
    wait_until(lambda: not app.box())


def test_a_click_elsewhere_closes_the_box(app: TrayApp) -> None:
    other = app.screen.start(sys.executable, "-c", OTHER_WINDOW)
    wait_until(lambda: app.screen.find_windows("--name", "^Other$"))
    open_box(app)
    app.screen.click(60, 60)
    wait_until(lambda: not app.box())
    other.terminate()


def test_the_last_query_is_offered_and_can_be_cleared(app: TrayApp) -> None:
    window = open_box(app)
    app.screen.type("login")
    app.screen.press("Return")
    app.wait_for_page()
    open_box(app)
    wait_until(lambda: 150 < app.screen.geometry(window)[3] < 200)  # the query and "clear"
    app.screen.press("Down", "Down", "Return")
    wait_until(lambda: app.screen.geometry(window)[3] > 200)  # the latest sessions


def test_a_right_click_opens_the_menu_and_escape_closes_it(app: TrayApp) -> None:
    before = app.screen.find_windows("--class", "Menu")
    app.screen.click(*app.icon(), button=3)
    wait_until(lambda: len(app.screen.find_windows("--class", "Menu")) > len(before))
    app.screen.press("Escape")
    wait_until(lambda: len(app.screen.find_windows("--class", "Menu")) == len(before))


def test_the_menu_opens_beside_the_pointer_so_that_no_line_is_under_it(app: TrayApp) -> None:
    _, pointer = app.icon()
    app.screen.click(*app.icon(), button=3)
    menu = wait_until(lambda: app.screen.find_windows("--class", "Menu"))[0]
    _, y, _, height = app.screen.geometry(menu)
    assert y + height <= pointer


def test_quit_in_the_menu_ends_the_app(app: TrayApp) -> None:
    app.screen.click(*app.icon(), button=3)
    menu = wait_until(lambda: app.screen.find_windows("--class", "Menu"))[0]
    x, y, _, height = app.screen.geometry(menu)
    app.screen.click(x + 30, y + height - 12)
    assert app.process.wait(timeout=15) == 0
    assert "did not end in time" not in app.log


def test_a_second_start_brings_up_the_box_of_the_first(app: TrayApp) -> None:
    assert app.command("tray") == "The tray app runs already."
    wait_until(app.box)


def test_a_second_start_at_logon_leaves_the_first_alone(app: TrayApp) -> None:
    assert app.command("tray", "--background") == "The tray app runs already."
    assert not app.box()


def test_the_quit_command_ends_it_and_says_when_there_is_nothing_to_end(app: TrayApp) -> None:
    assert app.command("tray", "--quit") == "The tray app ends."
    assert app.process.wait(timeout=15) == 0
    assert app.command("tray", "--quit") == "The tray app does not run."


def test_log_off_ends_it_in_time_with_nothing_left(app: TrayApp) -> None:
    app.icon()
    assert app.quit() == 0
    assert "did not end in time" not in app.log
    wait_until(lambda: not app.screen.find_windows("--classname", "ChatRecallSystemTrayIcon"))


def test_it_ends_in_time_while_a_round_is_going_on(app: TrayApp) -> None:
    app.process.send_signal(signal.SIGUSR2)  # as the scheduler's `round --notify` does
    working = wait_until(lambda: list(children(app.process.pid)))
    assert app.quit() == 0
    wait_until(lambda: not any(os.path.exists(f"/proc/{child}") for child in working))


def test_a_killed_app_leaves_no_lock_behind(app: TrayApp) -> None:
    app.process.kill()
    app.process.wait()
    assert app.command("tray", "--quit") == "The tray app does not run."


def test_the_scheduler_leaves_its_round_to_the_app(app: TrayApp) -> None:
    assert app.command("round", "--notify") == "The tray app runs and does it."
    wait_until(lambda: "local" in app.command("sessions", "--json"))


def test_pausing_shows_in_the_icon(app: TrayApp, tmp_path: Path) -> None:
    purple = colours_around(app, tmp_path)
    app.screen.click(*app.icon(), button=3)
    wait_until(lambda: app.screen.find_windows("--class", "Menu"))
    app.screen.press("Down", "Down", "Down", "Down", "Right", "Return")
    wait_until(lambda: colours_around(app, tmp_path) != purple)
    app.command("resume")


def test_a_pause_from_the_command_line_shows_as_soon_as_the_menu_opens(
    app: TrayApp, tmp_path: Path
) -> None:
    purple = colours_around(app, tmp_path)
    app.command("pause")
    app.screen.click(*app.icon(), button=3)
    wait_until(lambda: colours_around(app, tmp_path) != purple)


def colours_around(app: TrayApp, folder: Path) -> tuple[int, ...]:
    """The colour at the icon's left part, inside its bubble."""
    x, y = app.icon()
    with Image.open(app.screen.screenshot(folder / "screen.png")) as picture:
        colour = picture.convert("RGB").getpixel((x - 8, y - 2))
    assert isinstance(colour, tuple)
    return colour


def test_the_icon_comes_back_with_a_new_tray(app: TrayApp, screen: Screen) -> None:
    app.icon()
    panel = screen.find_windows("--class", "trayer")[0]
    screen.xdotool("windowkill", panel)
    app.wait_for_log("The tray has gone")
    screen.start_tray()
    screen.click(*app.icon())
    wait_until(app.box)


def test_keys_move_through_the_list_and_back_to_the_words(app: TrayApp) -> None:
    window = open_box(app)
    wait_until(lambda: app.screen.geometry(window)[3] > 200)  # the latest sessions
    app.screen.press("Next", "Prior", "Tab", "Tab", "shift+Tab", "shift+Tab")
    app.screen.type("login")
    app.screen.press("Return")
    app.wait_for_page()
    wait_until(lambda: not app.box())
    window = open_box(app)
    wait_until(lambda: 150 < app.screen.geometry(window)[3] < 200)  # the query and "clear"
    app.screen.press("Next", "shift+Tab", "Return")
    wait_until(lambda: 120 < app.screen.geometry(window)[3] < 150)  # what the query finds
    app.screen.press("ctrl+a", "BackSpace")
    wait_until(lambda: 150 < app.screen.geometry(window)[3] < 200)
    app.screen.press("Next", "Prior", "Next", "Return")  # the last line clears the queries
    wait_until(lambda: app.screen.geometry(window)[3] > 200)


def test_an_error_shows_with_what_to_do_about_it(app: TrayApp, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(app.data / "chatrecall.db")) as db:
        db.execute("PRAGMA user_version = 999")  # as a newer ChatRecall would have left it
    window = open_box(app)
    wait_until(lambda: 120 < app.screen.geometry(window)[3] < 150)
    app.screen.screenshot(tmp_path / "screen.png")


def test_a_page_opens_while_another_process_writes(app: TrayApp) -> None:
    app.command("search", "login")  # so that all is indexed
    file = app.data / "chatrecall.db"
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        open_box(app)
        app.screen.type("login")
        app.screen.press("Return")
        assert "Fix the login redirect loop" in app.wait_for_page()
        app.wait_for_log("The query is not remembered")
