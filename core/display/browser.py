"""Opens a page in the person's browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import webbrowser
from pathlib import Path

from core.display.page_files import copy_for_snap

_SNAPS = "/snap"


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
    if sys.platform == "darwin":
        return _start("open", path)
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    if snap := _snap_of_browser():
        path = copy_for_snap(path, snap)
    return _start("xdg-open", path) or webbrowser.open(Path(path).as_uri())


def _start(program: str, path: str) -> bool:
    """Start a program that opens files, if it is there."""
    if not shutil.which(program):
        return False
    subprocess.Popen(
        [program, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return True


def _snap_of_browser() -> str:
    """Name the snap that the default browser is, as on Ubuntu; empty where it is none."""
    if not (os.path.isdir(_SNAPS) and shutil.which("xdg-settings")):
        return ""
    asked = subprocess.run(
        ["xdg-settings", "get", "default-web-browser"],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=5,
        check=False,
    )
    snap, underscore, _ = asked.stdout.strip().removesuffix(".desktop").partition("_")
    return snap if underscore and os.path.isdir(os.path.join(_SNAPS, snap)) else ""
