from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.screen import new_screen
from tests.support.tray_app import TrayApp, write_sessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.screen import Screen


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    """A screen with a window manager and a tray."""
    with new_screen() as made:
        made.start_window_manager()
        made.start_tray()
        yield made


@pytest.fixture
def session_ids(claude_dir: Path) -> list[str]:
    """The ids of a few sessions whose transcripts lie in the home."""
    return write_sessions(claude_dir)


@pytest.fixture
def app(screen: Screen, home: Path, session_ids: list[str]) -> Iterator[TrayApp]:
    """The tray app on the screen, with sessions to find."""
    made = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": "none:"})
    made.command("sweep")
    made.wait_for_log("Icon shown")
    yield made
    made.close()
