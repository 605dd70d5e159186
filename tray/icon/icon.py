"""The icon in the tray, whatever the system calls its tray."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING, Any

from tray import worker
from tray.desktop import session_bus
from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from tray.icon.icon_source import IconSource

_STOP_SECONDS = 0.3


class Icon:
    """One icon, on its own thread. Every method may be called from any thread."""

    def __init__(
        self, source: IconSource, keys: str, open_menu: Callable[[int, int], None]
    ) -> None:
        self._source = source
        self._keys = keys
        self._open_menu = open_menu
        self._icon: Any = None
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._why_missing = ""
        self._had_tray = _has_tray_like_kde_s()

    def start(self) -> None:
        """Show the icon; where that can't be, `why_missing` says why."""
        self._why_missing = _why_no_tray()
        if self._why_missing:
            log.warning("No icon: %s", self._why_missing)
        try:
            self._icon = self._make()
        except Exception as error:  # pystray's back ends raise what they like
            self._why_missing = self._why_missing or f"The tray can't be used: {error}"
            log.warning("No icon: %s", error)
            return
        if sys.platform == "darwin":
            # pystray calls this in a thread of its own, and AppKit's views are for the main one.
            self._icon.run_detached(setup=lambda icon: _on_its_thread(icon._appear))
        else:
            self._thread = worker.start("icon", self._run)

    @property
    def why_missing(self) -> str:
        """Why there is no icon, as a sentence; empty where there is one."""
        came_later = self._icon and getattr(self._icon, "is_docked", False)
        return "" if came_later else self._why_missing

    @property
    def came_too_early(self) -> bool:
        """Whether a tray like KDE's has come since; pystray has chosen its back end for good."""
        return not self._had_tray and bool(self.why_missing) and _has_tray_like_kde_s()

    @property
    def has_menu(self) -> bool:
        """Whether the icon shows a menu, so that nothing else has to."""
        return bool(self._icon and self._icon.HAS_MENU and not self.why_missing)

    @property
    def has_balloons(self) -> bool:
        """Whether notifications can come from the icon itself, with a click that is told."""
        return hasattr(self._icon, "show_balloon")

    def show_balloon(self, title: str, body: str, clicked: Callable[[], None] | None) -> None:
        """Show a notification at the icon."""
        self._icon.show_balloon(title, body, clicked)

    def refresh(self) -> None:
        """Show the present state: picture, words and menu."""
        if not self._icon or self._stopping:
            return
        try:
            _on_its_thread(self._icon.refresh)
        except Exception:
            log.warning("The icon can't be refreshed", exc_info=True)

    def stop(self) -> None:
        """Take the icon away, also while its menu is open."""
        self._stopping = True
        if not self._icon:
            return
        with contextlib.suppress(Exception):
            _on_its_thread(self._icon.leave)
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        if self._icon is None:
            self._icon = self._make()
        try:
            self._icon.run()
        finally:
            if not self._stopping:
                self._icon._running = False  # else pystray waits for this thread to end
                self._icon = None
        if not self._stopping:
            raise RuntimeError("the icon's loop ended by itself")

    def _make(self) -> Any:
        if sys.platform == "win32":
            from tray.icon.windows_icon import WindowsIcon  # noqa: PLC0415

            return WindowsIcon(self._source, self._keys)
        if sys.platform == "darwin":
            from tray.icon.menu_icon import MenuIcon  # noqa: PLC0415

            return MenuIcon(self._source)
        from tray.icon import linux_tray  # noqa: PLC0415

        return linux_tray.make_icon(self._source, self._open_menu)


def _on_its_thread(call: Callable[[], None]) -> None:
    """Call a method of the icon's; on macOS they are all for the main thread."""
    if sys.platform == "darwin":
        from PyObjCTools.AppHelper import callAfter  # noqa: PLC0415  only there

        callAfter(call)
    else:
        call()


def _has_tray_like_kde_s() -> bool:
    return sys.platform == "linux" and session_bus.has_tray()


def _why_no_tray() -> str:
    if sys.platform != "linux":
        return ""
    from tray.icon import linux_tray  # noqa: PLC0415

    return linux_tray.why_missing()
