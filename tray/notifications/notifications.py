"""Notifications without an icon: from the system's own service, one module a system."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tray.log import log

if TYPE_CHECKING:
    from tray.notifications.notice import Notice

SECONDS = 10
"""How long a notification stays, and a click on it is waited for."""


def show_and_wait(notice: Notice) -> bool:
    """Show a notification and wait; True when the person clicked it.

    Where none can be shown, that is logged: nobody is there to be told.
    """
    try:
        return _show(notice)
    except Exception:
        log.warning("No notification could be shown: %s", notice.title, exc_info=True)
        return False


def _show(notice: Notice) -> bool:
    if sys.platform == "win32":
        from tray.notifications import windows as system  # noqa: PLC0415
    elif sys.platform == "darwin":
        from tray.notifications import macos as system  # noqa: PLC0415
    else:
        from tray.notifications import linux as system  # noqa: PLC0415

    return system.show(notice.title, notice.body, SECONDS)
