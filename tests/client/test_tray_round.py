"""From the real client's session to the page in the browser, with nobody helping on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core import settings
from tests.support.client import VERSIONS
from tests.support.desktop_bus import NOTIFICATIONS, new_desktop
from tests.support.screen import new_screen, wait_until
from tests.support.tray_app import TrayApp

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.client import Claude
    from tests.support.mock_api import MockApi

pytestmark = [pytest.mark.client, pytest.mark.screen]


@pytest.mark.parametrize("bare_claude", VERSIONS[:1], indirect=True)
def test_what_was_said_is_summarized_told_found_and_opened(
    claude: Claude, api: MockApi, home: Path
) -> None:
    settings.write({"quiet_minutes": 0})
    api.script["Why is the sky dark at night?"] = "[[say Olbers asked that, too.]]"
    with claude.terminal() as terminal:
        terminal.type("Why is the sky dark at night?")
        terminal.wait_for("Olbers asked that, too.")
        terminal.leave()

    with new_screen() as screen, new_desktop(NOTIFICATIONS) as desktop:
        screen.start_window_manager()
        screen.start_tray()
        desktop.clicks = False
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": desktop.address})
        try:
            wait_until(lambda: desktop.notified, 90)  # the timer's first round, by itself
            screen.click(*app.icon())
            window = wait_until(app.box)
            screen.type("olbers")
            wait_until(lambda: 120 < screen.geometry(window)[3] < 190)
            screen.press("Down", "Return")
            page = app.wait_for_page()
        finally:
            app.close()

    assert desktop.notified[0][3] == "1 session summarized"
    assert "Why is the sky dark at night?" in page
    assert "Olbers asked that, too." in page
