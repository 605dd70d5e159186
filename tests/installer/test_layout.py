from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from installer import layout, record
from installer.layout import Layout

WINDOWS = Layout(
    folder=r"C:\Users\First Last Ünï\.claude\chatrecall\environment",
    base=r"C:\Program Files\Python313\python.exe",
    version="3.13",
    windows=True,
)


def test_windows_paths() -> None:
    folder = r"C:\Users\First Last Ünï\.claude\chatrecall\environment"

    assert WINDOWS.python == folder + r"\Scripts\python.exe"
    assert WINDOWS.hook == folder + r"\Lib\site-packages\chatrecall\hook\append_exchange.py"


def test_posix_paths() -> None:
    here = Layout("/home/me/.claude/chatrecall/environment", "/usr/bin/python3", "3.12", False)

    assert here.python == "/home/me/.claude/chatrecall/environment/bin/python"
    assert here.package == (
        "/home/me/.claude/chatrecall/environment/lib/python3.12/site-packages/chatrecall"
    )


def test_the_windowless_interpreter_stands_beside_the_base(tmp_path: Path) -> None:
    base = tmp_path / "python.exe"
    here = Layout("environment", str(base).replace("/", "\\"), "3.13", True)
    assert here.windowless == here.base  # there is none

    assert WINDOWS.quiet_command("tray")[1:] == [
        "-I",
        WINDOWS.package + r"\installer\windowless.py",
        "tray",
    ]


def test_the_base_interpreter_is_not_that_of_a_virtual_environment(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "v"], check=True)
    program = "from installer.layout import base_interpreter; print(base_interpreter())"

    told = subprocess.run(
        [tmp_path / "v" / "bin" / "python", "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(layout.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()

    assert told == layout.base_interpreter()
    assert not told.startswith(str(tmp_path))


def test_the_environment_that_was_made_counts_and_not_the_running_python(home: Path) -> None:
    record.note(layout.PART, {"base": "/bin/sh", "version": "3.14"})

    here = layout.current()

    assert here.base == "/bin/sh"
    assert "python3.14" in here.package


def test_a_base_interpreter_that_is_gone_is_replaced_by_the_running_one(home: Path) -> None:
    record.note(layout.PART, {"base": "/gone/python3", "version": "3.14"})

    assert layout.current().base == layout.base_interpreter()


@pytest.mark.parametrize(
    ("interpreter", "is_so"),
    [
        (r"C:\Users\me\AppData\Local\Microsoft\WindowsApps\python.exe", True),
        (r"C:\Program Files\WindowsApps\PythonSoftwareFoundation.Python.3.12\python.exe", True),
        (r"C:\Users\WindowsAppsFan\python.exe", False),
        ("/usr/bin/python3", False),
    ],
)
def test_the_stores_python_is_known_by_its_folder(interpreter: str, is_so: bool) -> None:
    assert layout.is_from_the_store(interpreter) == is_so
