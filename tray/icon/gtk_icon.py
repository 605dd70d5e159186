"""The icon in trays that take status notifier items: KDE's, and GNOME's with an extension."""

from __future__ import annotations

from tray.icon.menu_icon import MenuIcon


class GtkIcon(MenuIcon):
    """pystray's AppIndicator without its notifications.

    Those need a service to be there, without which the whole icon fails; ours do without.
    """

    def _initialize(self) -> None:
        self._notifier = _NoNotifier()
        self._mark_ready()


class _NoNotifier:
    def notify(self, *_words: str) -> None:
        """Show nothing."""

    def hide(self) -> None:
        """Nothing shows."""
