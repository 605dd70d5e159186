from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import layout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from installer.changes import Change


def do(changes: Iterable[Change]) -> None:
    for change in changes:
        change.do()


def words(changes: Iterable[Change]) -> list[str]:
    return [change.words for change in changes if change.words]


@pytest.fixture
def settings_file(claude_dir: Path) -> Path:
    return claude_dir / "settings.json"


@pytest.fixture(autouse=True)
def _no_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No desktop, no scheduler, no client but those that a test puts there."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The only folder on PATH."""
    return tmp_path / "programs"


@pytest.fixture
def installed(home: Path) -> layout.Layout:
    """A private environment whose package is this checkout, without its dependencies."""
    here = layout.current()
    os.makedirs(os.path.dirname(here.package))
    os.symlink(paths.ROOT, here.package)
    return here
