"""The desktop that the tray app is on: one module a system, with the same functions.

`from tray.desktop import desktop` gives the one of this system.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from tray.desktop import windows as desktop
elif sys.platform == "darwin":
    from tray.desktop import macos as desktop
else:
    from tray.desktop import x11 as desktop

__all__ = ["desktop"]
