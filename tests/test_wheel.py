"""The built wheel: all rooms under one name, and nothing else in anyone's site-packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("assets", "core", "hook", "installer", "tray")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy, since building leaves things behind."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "__main__.py"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    done = subprocess.run(
        [*pip, str(folder), str(source)], capture_output=True, encoding="utf-8", check=False
    )
    if "No matching distribution" in done.stderr or "Connection" in done.stderr:
        pytest.skip("the build needs setuptools from PyPI, which can't be reached")
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if not name.endswith("/")]


def test_only_chatrecall_lands_in_site_packages(names: list[str]) -> None:
    tops = {name.partition("/")[0] for name in names}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"chatrecall"}


def test_exactly_the_rooms_are_packed(names: list[str]) -> None:
    packed = {name for name in names if name.startswith("chatrecall/")}
    rooms = {f"chatrecall/{path.relative_to(ROOT).as_posix()}" for path in _room_files()}

    assert packed - rooms == {"chatrecall/__main__.py"}
    assert rooms - packed == set(), "a file of a room is missing in the wheel"


def _room_files() -> list[Path]:
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*"))
    return [path for path in found if path.is_file() and path.parent.name != "__pycache__"]


def test_console_and_gui_scripts_are_declared(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entry_points = next(
            name for name in archive.namelist() if name.endswith("entry_points.txt")
        )
        text = archive.read(entry_points).decode()

    assert "[console_scripts]\nchatrecall = chatrecall.__main__:main" in text
    assert "[gui_scripts]\nchatrecall-tray = chatrecall.__main__:tray" in text


def test_the_installed_command_runs(wheel: Path, tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    python = binaries / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)

    done = subprocess.run(
        [binaries / "chatrecall", "init"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (home / ".claude" / "chatrecall" / "chatrecall.db").exists()
