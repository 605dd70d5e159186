"""Opening a page."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from core.display.browser import open_page
from core.display.page_files import write_page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX programs")


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that note what they were asked to open, and a default browser that is a snap."""
    programs = tmp_path / "bin"
    programs.mkdir()
    note = tmp_path / "opened"
    open_it = f'echo chatter; printf %s "$1" > "{note}.part"; mv "{note}.part" "{note}"'
    scripts = {"xdg-open": open_it, "open": open_it, "xdg-settings": "echo firefox_firefox.desktop"}
    for name, script in scripts.items():
        program = programs / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return note


def opened(note: Path) -> str:
    deadline = time.monotonic() + 10
    while not note.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return note.read_text(encoding="utf-8")


def test_without_a_display_nothing_is_opened(opener: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not open_page("/tmp/page.html")
    assert not opener.exists()


def test_the_page_is_opened_without_chatter(
    opener: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert open_page("/tmp/Ünï 日本/page.html")
    assert opened(opener) == "/tmp/Ünï 日本/page.html"
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform != "linux", reason="snaps are of Linux")
def test_a_browser_in_a_snap_gets_a_copy_that_it_may_read(
    opener: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "snap" / "firefox").mkdir(parents=True)
    monkeypatch.setattr("core.display.browser._SNAPS", str(tmp_path / "snap"))
    assert open_page(write_page("page.html", "text"))
    copy = home / "snap" / "firefox" / "common" / "chatrecall" / "page.html"
    assert opened(opener) == str(copy)
    assert copy.read_text(encoding="utf-8") == "text"
