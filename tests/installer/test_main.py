"""`python installer` as a person types it, with whatever Python they have."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core import paths


def old_pythons() -> list[str]:
    """Those of this machine that start; a shim of pyenv is none."""
    names = ("2.7", "3.6", "3.8", "3.9", "3.10")
    pyenv = os.path.expanduser("~/.pyenv/versions/{}.*/bin/python")
    found = [path for name in names for path in glob.glob(pyenv.format(name))]
    found += [path for name in names if (path := shutil.which(f"python{name}"))]
    return [
        path
        for path in found
        if subprocess.run([path, "-c", "pass"], capture_output=True, check=False).returncode == 0
    ]


OLD = old_pythons()


def run(python: str, *options: str) -> subprocess.CompletedProcess[str]:
    installer = os.path.join(paths.ROOT, "installer")
    return subprocess.run(
        [python, installer, *options], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(not OLD, reason="no Python older than 3.11 is installed")
def test_an_old_python_gets_a_sentence() -> None:
    for python in OLD:
        done = run(python)
        assert done.returncode == 1
        assert "ChatRecall needs Python 3.11 or newer" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_dry_run_changes_nothing_and_prints_the_exact_changes(home: str) -> None:
    done = run(sys.executable, "--dry-run")

    assert done.returncode == 0, done.stderr
    assert '"Stop": [' in done.stdout
    assert "-m venv" in done.stdout
    assert os.listdir(home) == []


def test_an_unknown_part_is_a_usage_error() -> None:
    assert run(sys.executable, "--only", "everything").returncode == 2


def test_a_part_that_needs_the_environment_is_not_installed_without_it(home: str) -> None:
    done = run(sys.executable, "--only", "hooks")

    assert done.returncode == 1
    assert "Hooks: waits for the private environment" in done.stdout
    assert os.listdir(home) == []


# Each as somebody may have it in their shell; {} is the folder in which they stand.
PYTHONPATHS = (
    ["{}"], ["{}/"], ["."], ["./"], [""], ["", "nowhere"], ["nowhere", "."], ["{}/core/.."],
    ["{}", "{}"],
)  # fmt: skip


@pytest.mark.parametrize("pythonpath", PYTHONPATHS)
@pytest.mark.parametrize("command", [("installer", "--dry-run"), (".", "status")])
def test_a_hostile_project_on_the_pythonpath_harms_nothing(
    pythonpath: list[str], command: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core", "installer", "tray"):
        (tmp_path / name).mkdir()
    for name in ("core/__init__", "installer/__init__", "tray/__init__", "json", "argparse"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('hostile')\n", encoding="utf-8")
    folders = [folder.format(tmp_path) for folder in pythonpath]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))
    monkeypatch.chdir(tmp_path)

    folder, option = command
    done = subprocess.run(
        [sys.executable, os.path.join(paths.ROOT, folder), option],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


def test_removing_where_nothing_is_says_so() -> None:
    done = run(sys.executable, "--remove")

    assert done.returncode == 0
    assert "nothing of ChatRecall here" in done.stdout
