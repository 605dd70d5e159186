from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.desktop_bus import WATCHER, new_desktop

if TYPE_CHECKING:
    from collections.abc import Iterator

if sys.platform != "linux":
    pytest.skip("Linux' trays", allow_module_level=True)

from tray.icon import linux_tray


@pytest.fixture
def kde(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A desktop whose tray takes status notifier items alone."""
    with new_desktop(WATCHER) as desktop:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", desktop.address)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
        monkeypatch.setattr(linux_tray, "_has_x11_tray", lambda: False)
        yield


@pytest.mark.usefixtures("kde")
@pytest.mark.parametrize(("has_gi", "said"), [(True, ""), (False, "python3-gi")])
def test_a_tray_that_this_python_can_not_use_is_said_to_be_the_reason(
    has_gi: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux_tray, "_choose", lambda _backend: has_gi)
    reason = linux_tray.why_missing()
    assert (said in reason) if said else reason == ""
