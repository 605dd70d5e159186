"""The scripts for PowerShell, run by one; not the Windows around it, which is made up here."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import windows_task
from tests.support import powershell

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

pytestmark = [
    powershell.needed,
    pytest.mark.skipif(sys.platform == "win32", reason="makes up the programs on PATH by sh"),
]

INSTALLER = """
import json, sys
print("GOT " + json.dumps(sys.argv[1:]), flush=True)
print("a warning", file=sys.stderr, flush=True)
print("ended", flush=True)
sys.exit(7)
"""
# What the commands of Windows' ScheduledTasks module take, as far as the script names it.
SCHEDULED_TASKS = """
function New-ScheduledTaskAction { param([string] $Execute, [string] $Argument) $PSBoundParameters }
function New-ScheduledTaskTrigger {
    param([switch] $Once, [datetime] $At,
        [timespan] $RepetitionInterval, [timespan] $RepetitionDuration)
    @{ Interval = "$RepetitionInterval"; Duration = "$RepetitionDuration" }
}
function New-ScheduledTaskSettingsSet {
    param([switch] $StartWhenAvailable, [switch] $AllowStartIfOnBatteries,
        [switch] $DontStopIfGoingOnBatteries, [string] $MultipleInstances,
        [timespan] $ExecutionTimeLimit)
    @{ MultipleInstances = $MultipleInstances; Limit = "$ExecutionTimeLimit" }
}
function Register-ScheduledTask {
    [CmdletBinding()] param($TaskName, $Action, $Trigger, $Settings, $Description, [switch] $Force)
    if ($env:REFUSED) { Write-Error 'Access is denied.'; return }
    $PSBoundParameters | ConvertTo-Json -Depth 4 | Out-File -LiteralPath $env:REGISTERED
    'a task object'
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the scripts beside an installer that tells what it was given, and exits with 7."""
    folder = tmp_path / "Ünï 日本 it's" / "installer"
    folder.mkdir(parents=True)
    for script in Path(paths.ROOT, "installer").glob("*.ps1"):
        shutil.copy(script, folder)
    (folder / "__main__.py").write_text(INSTALLER, "utf-8")
    return folder


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Puts a program of a few lines of sh on a PATH that holds nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    # The engine itself may be started by a script that needs these.
    for needed in ("sh", "dirname", "readlink", "uname"):
        if found := shutil.which(needed):
            (folder / needed).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, text: str) -> Path:
        program = folder / name
        program.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        program.chmod(0o755)
        return program

    return put


def install(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return powershell.run("-File", checkout / "install-chatrecall.ps1", *words)


def test_the_installer_is_started_with_the_words_and_its_exit_code_is_handed_on(
    checkout: Path, put: Callable[[str, str], Path]
) -> None:
    python = put("python3", f"exec '{sys.executable}' \"$@\"")

    done = install(checkout, "--dry-run", "--only", "hooks", "a b")

    assert f"Using Python {sys.version_info.major}.{sys.version_info.minor}" in done.stdout
    assert f": {python}" in done.stdout
    assert "GOT " + json.dumps(["--dry-run", "--only", "hooks", "a b"]) in done.stdout
    assert done.returncode == 7


@pytest.mark.parametrize(
    "answer",
    [
        "exit 9009",  # the Store's stub, with no Store to open
        "echo Python was not found >&2; exit 9009",
        "echo '3.10.14|64|/usr'",
        "echo 'Python 2.7.18' >&2",
        r"echo '3.13.1|64|C:\Program Files\WindowsApps\Python.3.13'",
        "kill -9 $$",
    ],
)
def test_what_is_no_python_of_ours_is_passed_over(
    checkout: Path, put: Callable[[str, str], Path], answer: str
) -> None:
    put("python", answer)

    done = install(checkout)

    assert "ChatRecall needs Python 3.11 or newer, and none was found." in done.stdout
    assert done.returncode == 1


def test_the_newest_is_taken_and_64_bits_before_32(
    checkout: Path, put: Callable[[str, str], Path]
) -> None:
    put("python", "echo '3.14.0|32|/a'")
    best = put("python3", "echo '3.99.1|64|/b'")

    done = install(checkout)

    assert f"Using Python 3.99.1: {best}" in done.stdout


def test_a_python_in_a_folder_that_the_code_page_lacks_is_found(
    checkout: Path, put: Callable[[str, str], Path]
) -> None:
    # Such a one can print its folder's name in UTF-8 only.
    put("python", "case \"$*\" in *'-X utf8'*) echo '3.13.1|64|C:\\日本' ;; *) exit 1 ;; esac")

    assert "Using Python 3.13.1" in install(checkout).stdout


def test_an_installer_whose_output_goes_to_a_file_runs_to_its_end(
    checkout: Path, put: Callable[[str, str], Path], tmp_path: Path
) -> None:
    put("python", f"exec '{sys.executable}' \"$@\"")
    script = str(checkout / "install-chatrecall.ps1").replace("'", "''")
    log = tmp_path / "log.txt"

    done = powershell.run("-Command", f"& '{script}' *> '{log}'; exit $LASTEXITCODE")

    assert done.returncode == 7
    assert "ended" in log.read_text("utf-8-sig")


@pytest.fixture
def scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Task Scheduler that writes what it is given into this file."""
    module = tmp_path / "modules" / "ScheduledTasks" / "ScheduledTasks.psm1"
    module.parent.mkdir(parents=True)
    module.write_text(SCHEDULED_TASKS, "utf-8")
    monkeypatch.setenv("PSModulePath", str(tmp_path / "modules"))
    monkeypatch.setenv("REGISTERED", str(tmp_path / "task.json"))
    return tmp_path / "task.json"


TASK = [r"C:\Python 313\pythonw.exe", "-I", r"C:\Users\First Last Ünï\windowless.py", "round"]


def test_the_task_is_registered_by_powershells_own_commands(scheduler: Path) -> None:
    _, *words = windows_task.by_powershell(TASK, 60)

    for _ in range(2):
        done = powershell.run(*words)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr

    task = json.loads(scheduler.read_text("utf-8-sig"))
    assert task["Action"]["Execute"] == TASK[0]
    assert task["Action"]["Argument"] == f'-I "{TASK[2]}" round'
    assert task["Trigger"] == {"Interval": "01:00:00", "Duration": "9999.00:00:00"}
    assert task["Settings"] == {"MultipleInstances": "IgnoreNew", "Limit": "00:30:00"}


def test_a_refused_task_is_a_failure(scheduler: Path) -> None:
    done = powershell.run(*windows_task.by_powershell(TASK, 60)[1:], REFUSED="1")

    assert done.returncode != 0
    assert "Access is denied." in done.stderr
    assert not os.path.exists(scheduler)
