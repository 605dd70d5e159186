"""Opening a page."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from core.browser import open_page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX programs")


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An `xdg-open` and an `open` that note what they were asked to open."""
    programs = tmp_path / "bin"
    programs.mkdir()
    note = tmp_path / "opened"
    for name in ("xdg-open", "open"):
        program = programs / name
        program.write_text(f'#!/bin/sh\necho chatter\nprintf %s "$1" > "{note}"\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return note


def test_without_a_display_nothing_is_opened(opener: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not open_page("/tmp/page.html")
    assert not opener.exists()


def test_the_page_is_opened_without_chatter(
    opener: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    assert open_page("/tmp/Ünï 日本/page.html")
    deadline = time.monotonic() + 10
    while not opener.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    assert opener.read_text() == "/tmp/Ünï 日本/page.html"
    assert capfd.readouterr() == ("", "")
