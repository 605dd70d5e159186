"""Stands in for the search box where there is no Tk: the page of all sessions has a box too."""

from __future__ import annotations

import sys
import threading

from tray import pages


class NoSearchBox:
    """The same methods; `show` opens the page."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def run(self) -> None:
        """Wait for `quit`."""
        if sys.platform == "darwin":
            from AppKit import NSApplication  # noqa: PLC0415  only there

            NSApplication.sharedApplication().run()  # the icon's loop, which Tk would run else
        self._ended.wait()

    def show(self) -> None:
        """Open the page of all sessions."""
        threading.Thread(target=pages.open_library, daemon=True).start()

    def popup_menu(self, x: int, y: int) -> None:
        """Open the page, as there is no menu to open."""
        self.show()

    def search_again(self) -> None:
        """Nothing shows what was found before."""

    def quit(self) -> None:
        """Return from `run`."""
        self._ended.set()
