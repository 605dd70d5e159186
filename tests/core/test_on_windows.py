"""Paths, privacy, backups and repair on a real Windows Python: these tests again, under Wine."""

from __future__ import annotations

import pytest

from tests.support.screen import new_screen
from tests.support.wine import RELEASES, ROOT, windows_path, windows_python

pytestmark = pytest.mark.wine

FILES = (
    "rescue/test_backup.py",
    "test_database.py",
    "privacy/test_exclusions.py",
    "test_folders.py",
    "rescue/test_forget.py",
    "privacy/test_privacy.py",
    "test_privacy_commands.py",
    "test_projects.py",
    "rescue/test_repair.py",
    "capture/test_subagents.py",
)


# One version: it takes minutes under Wine, and the tray is tested on both.
@pytest.mark.parametrize("version", [max(RELEASES)])
def test_the_core_holds_on_windows(version: str) -> None:
    tests = [windows_path(ROOT / "tests" / "core" / name) for name in FILES]
    options = ["-p", "no:cacheprovider", "--rootdir", windows_path(ROOT), "-q", "--no-header"]
    with new_screen() as screen, windows_python(version, screen.display) as windows:
        done = windows.run(
            "-X", "utf8", "-m", "pytest", *options, "--basetemp", r"C:\tests", *tests, timeout=900
        )
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout
