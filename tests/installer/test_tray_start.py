from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import layout, tray_start
from installer.parts import NotHereError
from tests.installer.conftest import do
from tests.support.screen import new_screen, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def environment(installed: layout.Layout) -> layout.Layout:
    """A private environment that has this checkout and the tests' own dependencies."""
    command = [layout.base_interpreter(), "-m", "venv", "--without-pip", installed.folder]
    subprocess.run(command, check=True)
    packages = os.path.dirname(installed.package)
    with open(os.path.join(packages, "dependencies.pth"), "w", encoding="utf-8") as stream:
        stream.write(f"{sysconfig.get_path('purelib')}\n")
    return installed


@pytest.fixture
def _screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", os.defpath)
    with new_screen() as screen:
        monkeypatch.setenv("DISPLAY", screen.display)
        yield


def process() -> int | None:
    """The process of the tray app that runs, by its lock file."""
    try:
        with open(os.path.join(paths.data_dir(), "tray.lock"), encoding="utf-8") as lock:
            number = int(lock.read())
        with open(f"/proc/{number}/cmdline", encoding="utf-8") as command:
            return number if "tray" in command.read() else None
    except (OSError, ValueError):
        return None


@pytest.mark.screen
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.usefixtures("environment", "_screen")
def test_the_tray_app_is_started_and_ended() -> None:
    do(tray_start.install())
    first = wait_until(process)

    do(tray_start.install())  # one that runs stays alone
    tray_start.end()
    wait_until(lambda: process() is None)
    assert first


def test_without_a_desktop_there_is_no_tray_app(home: Path) -> None:
    with pytest.raises(NotHereError, match="no desktop"):
        tray_start.install()

    assert tray_start.state().kind == "unknown"


def test_removing_where_nothing_was_installed_is_nothing(home: Path) -> None:
    assert tray_start.remove() == []
