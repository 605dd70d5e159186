"""A screen of a test's own: Xvfb with a window manager and a system tray, clicked with xdotool."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    T = TypeVar("T")

PACKAGES = "xvfb xdotool imagemagick x11-utils openbox trayer dbus fonts-liberation"


@dataclass
class Screen:
    """An X display that belongs to one test run."""

    display: str
    width: int
    height: int
    _programs: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """The environment that puts programs on this screen."""
        kept = {key: value for key, value in os.environ.items() if key != "WAYLAND_DISPLAY"}
        return {**kept, "DISPLAY": self.display}

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program on this screen; it ends with the screen."""
        program = subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._programs.append(program)
        return program

    def start_window_manager(self) -> None:
        """Start openbox and wait until it manages the screen."""
        _require("openbox")
        self.start("openbox")
        wait_until(lambda: "not found" not in self._root_property("_NET_SUPPORTING_WM_CHECK"))

    def start_tray(self) -> subprocess.Popen[bytes]:
        """Start trayer, a system tray, along the lower edge."""
        _require("trayer")
        tray = self.start(
            *("trayer", "--edge", "bottom", "--align", "right", "--widthtype", "request"),
            *("--height", "32", "--transparent", "false", "--tint", "0xf3f3f3"),
        )
        wait_until(self._has_tray)
        return tray

    def xdotool(self, *arguments: str) -> str:
        """Run xdotool and return what it prints; "" where it finds nothing."""
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=30,
            check=False,
        )
        return done.stdout.strip()

    def find_windows(self, *search: str) -> list[str]:
        """The ids of the visible windows that `xdotool search` finds."""
        return self.xdotool("search", "--onlyvisible", *search).split()

    def click(self, x: int, y: int, *, button: int = 1, times: int = 1) -> None:
        """Click at a point of the screen."""
        self.xdotool("mousemove", str(x), str(y))
        self.xdotool("click", "--repeat", str(times), "--delay", "60", str(button))

    def type(self, text: str) -> None:
        """Type into the window that has the focus."""
        self.xdotool("type", "--delay", "20", text)

    def press(self, *keys: str) -> None:
        """Press keys by their X names, e.g. `Down`, `Return`, `ctrl+a`."""
        self.xdotool("key", "--delay", "40", *keys)

    def geometry(self, window: str) -> tuple[int, int, int, int]:
        """A window's x, y, width and height."""
        lines = self.xdotool("getwindowgeometry", "--shell", window).splitlines()
        values = dict(line.split("=", 1) for line in lines if "=" in line)
        return int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"])

    def screenshot(self, file: Path) -> Path:
        """Write what the screen shows to a PNG file."""
        command = ["import", "-window", "root", str(file)]
        subprocess.run(command, env=self.environment, check=True, timeout=60)
        return file

    def close(self) -> None:
        """End what was started on this screen, the last first."""
        for program in reversed(self._programs):
            program.terminate()
            try:
                program.wait(timeout=10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()

    def _has_tray(self) -> bool:
        from Xlib import X, display

        server = display.Display(self.display)
        try:
            selection = server.intern_atom("_NET_SYSTEM_TRAY_S0")
            return bool(server.get_selection_owner(selection) != X.NONE)
        finally:
            server.close()

    def _root_property(self, name: str) -> str:
        command = ["xprop", "-root", name]
        return subprocess.run(
            command, env=self.environment, capture_output=True, encoding="utf-8", check=False
        ).stdout


@contextlib.contextmanager
def new_screen(width: int = 1280, height: int = 800, dpi: int = 96) -> Iterator[Screen]:
    """An empty screen; the test is skipped, with the reason, where there can be none."""
    if sys.platform != "linux":
        pytest.skip("Xvfb is used on Linux only")
    _require("Xvfb", "xdotool", "xprop", "import")
    reader, writer = os.pipe()
    options = ["-displayfd", str(writer), "-dpi", str(dpi), "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", *options, "-screen", "0", f"{width}x{height}x24"],
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as numbers:
        number = numbers.readline().strip()  # written once the server takes connections
    screen = Screen(f":{number}", width, height, [server])
    if not number:
        screen.close()
        pytest.skip("Xvfb did not start")
    try:
        yield screen
    finally:
        screen.close()


def wait_until(condition: Callable[[], T], seconds: float = 30) -> T:
    """Ask again and again until the answer is true, and return it; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds:.0f} s")


def _require(*programs: str) -> None:
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (apt-get install {PACKAGES})")
