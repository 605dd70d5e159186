"""Notifications on Linux: the desktop's own service."""

from __future__ import annotations

import html

from core import paths
from tray.desktop import session_bus


def show(title: str, body: str, seconds: float) -> bool:
    """Show a notification; True when it was clicked within these seconds.

    Raises `session_bus.NoBusError` where nobody shows notifications.
    """
    # Services may read the body as markup, so it is escaped; they show the title as it is.
    icon = paths.asset("icon/chatrecall.png")
    return session_bus.notify(title, html.escape(body, quote=False), icon, wait_seconds=seconds)
