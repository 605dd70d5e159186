"""Opens a page in the person's browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import webbrowser
from pathlib import Path


def open_page(path: str) -> bool:
    """Show the HTML file in the default browser. False where there is no display to show it on.

    Never a browser in the terminal, nor a browser's chatter in it.
    """
    if sys.platform == "win32":
        try:
            os.startfile(path)
        except OSError:  # no program for .html, or no desktop
            return False
        return True
    if sys.platform != "darwin" and not _has_display():
        return False
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if not opener:
        return webbrowser.open(Path(path).as_uri())
    subprocess.Popen(
        [opener, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return True


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
