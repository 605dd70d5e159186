"""What the tray app does over D-Bus, on a real bus: notifications, and a tray that is KDE's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.desktop_bus import NOTIFICATIONS, WATCHER, Desktop, new_desktop
from tests.support.screen import new_screen, wait_until
from tests.support.tray_app import TrayApp
from tray.desktop import session_bus
from tray.notifications import linux

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_GI = (
    "this Python has no gi with AppIndicator (apt-get install python3-gi"
    " gir1.2-ayatanaappindicator3-0.1)"
)


def test_a_notification_shows_and_its_click_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with new_desktop(NOTIFICATIONS) as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.address)
        assert linux.show("3 sessions summarized", "• 日本語", 10)
    assert desktop.notified[0][3:5] == ("3 sessions summarized", "• 日本語")


def test_markup_in_a_session_s_title_shows_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with new_desktop(NOTIFICATIONS) as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.address)
        linux.show("Title", '<b>Escape</b> & "quotes"', 10)
    assert desktop.notified[0][4] == '&lt;b&gt;Escape&lt;/b&gt; &amp; "quotes"'


def test_a_notification_that_nobody_clicks_is_waited_for_no_longer_than_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with new_desktop(NOTIFICATIONS) as desktop:
        desktop.clicks = False
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.address)
        assert not linux.show("Title", "Body", 0.2)


def test_a_bus_without_notifications_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    with new_desktop() as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.address)
        with pytest.raises(session_bus.NoBusError):
            linux.show("Title", "Body", 0.2)


@pytest.mark.parametrize("address", ["", "none:", "unix:path=/nowhere"])
def test_no_bus_at_all_raises_the_same(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    with pytest.raises(session_bus.NoBusError):
        linux.show("Title", "Body", 0.2)
    assert not session_bus.has_tray()
    assert session_bus.colour_scheme() == 0


@pytest.mark.screen
def test_a_round_notifies_and_a_click_opens_its_sessions(
    home: Path, session_ids: list[str]
) -> None:
    with new_screen() as screen, new_desktop(NOTIFICATIONS) as desktop:
        screen.start_window_manager()
        screen.start_tray()
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": desktop.address})
        try:
            app.wait_for_log("Icon shown")
            app.command("round", "--notify")
            page = app.wait_for_page()
        finally:
            app.close()
    assert len(desktop.notified) == 1
    assert desktop.notified[0][3] == "3 sessions summarized"
    assert "Speed up the nightly CSV import" in page


@pytest.fixture
def kde() -> Iterator[Desktop]:
    """A desktop whose tray takes status notifier items alone."""
    with new_desktop(WATCHER) as desktop:
        yield desktop


@pytest.fixture
def late() -> Iterator[Desktop]:
    """A desktop whose tray has not started yet."""
    with new_desktop() as desktop:
        yield desktop


@pytest.mark.screen
def test_a_tray_like_kde_s_that_starts_after_us_gets_the_icon(
    home: Path, session_ids: list[str], late: Desktop
) -> None:
    with new_screen() as screen:
        screen.start_window_manager()
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": late.address})
        try:
            app.wait_for_log("The desktop has no tray")
            late.come(WATCHER)
            app.command("round", "--notify")
            app.wait_for_log("Starting anew")
            wait_until(lambda: late.items or "appindicator can't be used" in app.log)
            if not late.items:
                pytest.skip(NO_GI)
            assert labels(late)[0] == "Search…"
            assert "no icon" not in app.command("status")
            assert app.log.count("Starting anew") == 1
            assert app.quit() == 0
        finally:
            app.close()


@pytest.fixture
def kde_app(home: Path, session_ids: list[str], kde: Desktop) -> Iterator[TrayApp]:
    """The tray app there, with its icon."""
    with new_screen() as screen:
        screen.start_window_manager()
        app = TrayApp(screen, home, environment={"DBUS_SESSION_BUS_ADDRESS": kde.address})
        try:
            app.wait_for_log("pystray's back end")
            if "appindicator can't be used" in app.log:
                pytest.skip(NO_GI)
            wait_until(lambda: kde.items)
            yield app
        finally:
            app.close()


@pytest.mark.screen
def test_a_tray_like_kde_s_gets_an_icon_with_the_menu(kde: Desktop, kde_app: TrayApp) -> None:
    assert labels(kde)[:3] == ["Search…", "No sessions yet", "Summarize now"]
    kde_app.command("round", "--notify")
    wait_until(lambda: "Recent sessions" in labels(kde))
    assert kde_app.quit() == 0


@pytest.mark.screen
def test_an_icon_of_gtk_s_does_without_opengl(kde_app: TrayApp) -> None:
    kde_app.wait_for_log("Icon shown")
    mapped = Path(f"/proc/{kde_app.process.pid}/maps").read_text(encoding="utf-8")
    assert "libgtk-3" in mapped
    assert "/dri/" not in mapped
    assert "libLLVM" not in mapped


@pytest.mark.screen
def test_a_tray_like_kde_s_that_starts_anew_gets_the_icon_again(
    kde: Desktop, kde_app: TrayApp
) -> None:
    kde_app.wait_for_log("Icon shown")
    kde.leave(WATCHER)
    before = len(kde.items)
    kde.come(WATCHER)
    wait_until(lambda: len(kde.items) > before)
    assert labels(kde)[0] == "Search…"


def labels(desktop: Desktop) -> list[str]:
    """The labels of the icon's menu, as a panel reads them."""
    name, path = desktop.items[-1]
    get = "org.freedesktop.DBus.Properties.Get"
    _, menu = desktop.ask(name, path, get, "ss", "org.kde.StatusNotifierItem", "Menu")[0]
    wanted: list[str] = []
    _, layout = desktop.ask(name, menu, "com.canonical.dbusmenu.GetLayout", "iias", 0, -1, wanted)
    properties = [item[1][1] for item in layout[2]]
    return [entry["label"][1] for entry in properties if "label" in entry]
