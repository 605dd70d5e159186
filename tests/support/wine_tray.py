"""The tray app in a Windows Python on Wine's desktop."""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image

from tests.support.screen import Screen, wait_until
from tests.support.tray_app import RECORDER, ROOT
from tests.support.wine import WindowsPython, windows_path

MAIN = windows_path(ROOT / "__main__.py")
WATCHED = windows_path(ROOT / "tests" / "support" / "watched_taskbar.py")
MESSAGE = windows_path(ROOT / "tests" / "support" / "windows_message.py")


class WineTray:
    """A tray app that runs under Wine, as a person and a shell see it."""

    def __init__(self, python: WindowsPython, screen: Screen, home: Path) -> None:
        self.python = python
        self.screen = screen
        self.data = home / ".claude" / "chatrecall"
        self.data.mkdir(parents=True, exist_ok=True)
        self.opened_file = home / "opened.txt"
        programs = home / "programs"
        programs.mkdir(exist_ok=True)
        recorder = programs / "xdg-open"  # what Wine opens a page with
        recorder.write_text(RECORDER, encoding="utf-8")
        recorder.chmod(0o755)
        self.environment = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "OPENED": str(self.opened_file),
            "CLAUDE_CONFIG_DIR": windows_path(home / ".claude"),
        }

    def start(self, *arguments: str) -> None:
        """Start it on Wine's desktop, without a console, and wait for the icon."""
        self._on_desktop(MAIN, "tray", "--background", *arguments)
        wait_until(lambda: "Icon shown" in self.log, 90)

    def start_with_taskbar(self, *, refusals: int) -> None:
        """Start it with a taskbar that refuses so many messages at first, see `told_taskbar`."""
        notes = windows_path(self.data / "notes.txt")
        self._on_desktop(WATCHED, MAIN, str(refusals), notes, "tray", "--background")
        wait_until(lambda: "Icon shown" in self.log, 90)

    def told_taskbar(self) -> list[tuple[int, int]]:
        """The messages to the taskbar so far, and whether each was taken."""
        notes = self.data / "notes.txt"
        lines = notes.read_text(encoding="ascii").splitlines() if notes.exists() else []
        return [(int(code), int(answer)) for code, answer in map(str.split, lines)]

    def _on_desktop(self, *arguments: str) -> None:
        """Start Python on Wine's desktop, the only one whose windows see each other."""
        size = f"{self.screen.width}x{self.screen.height}"
        self.python.start(
            *("explorer", f"/desktop=shell,{size}", self.python.program("pythonw.exe"), "-I"),
            *arguments,
            environment=self.environment,
        )

    def command(self, *arguments: str) -> str:
        """Run a `chatrecall` command and return what it prints."""
        done = self.python.run("-I", MAIN, *arguments, environment=self.environment)
        return done.stdout.strip()

    def send(
        self, message: int | str, wparam: int = 0, lparam: int = 0, *, to: str = "SystemTrayIcon"
    ) -> list[int]:
        """Send a message to all windows of a class, the icon's if none is named; their answers.

        A message that the system numbers anew each time is given by its name.
        """
        answers = self.data / "answers.txt"
        numbers = (str(message), str(wparam), str(lparam))
        self._on_desktop(MESSAGE, to, *numbers, windows_path(answers))
        wait_until(lambda: answers.exists() and answers.stat().st_size, 60)
        found = answers.read_text(encoding="ascii")
        answers.unlink()
        return [int(number) for number in found.strip("[]").split(", ")]

    @property
    def log(self) -> str:
        """All that it has logged."""
        file = self.data / "tray.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def wait_for_log(self, words: str) -> None:
        """Wait until the log holds these words."""
        wait_until(lambda: words in self.log, 60)

    def wait_for_page(self) -> str:
        """Wait until a page was opened and return its HTML."""
        wait_until(self.opened_file.exists, 60)
        address = self.opened_file.read_text(encoding="utf-8").splitlines()[-1]
        found = sorted((self.data / "pages").glob("*.html"), key=os.path.getmtime)[-1]
        assert found.name in address
        return found.read_text(encoding="utf-8")

    def click_icon(self, button: int = 1) -> None:
        """Click the icon, the last on Wine's taskbar."""
        self.screen.click(self.screen.width - 10, self.screen.height - 10, button=button)

    def picture(self) -> Image.Image:
        """What the screen shows."""
        with Image.open(self.screen.screenshot(self.data / "screen.png")) as shot:
            return shot.convert("RGB")

    def wait_for_change(self, before: Image.Image, area: tuple[int, int, int, int]) -> None:
        """Wait until an area of the screen looks otherwise than before."""
        old = before.crop(area).tobytes()
        wait_until(lambda: self.picture().crop(area).tobytes() != old)

    def wait_for_end(self) -> None:
        """Wait until the app has ended by itself, in time."""
        self.wait_for_log("Ended")
        assert "did not end in time" not in self.log
