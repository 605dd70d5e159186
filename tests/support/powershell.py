"""A real PowerShell to run scripts with, where the machine has one."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Looked up at import, before any test has a PATH of its own.
PROGRAM = shutil.which("pwsh") or shutil.which("powershell")
needed = pytest.mark.skipif(not PROGRAM, reason="no PowerShell (pwsh, powershell) on PATH")
SECONDS = 120


def run(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start PowerShell with these words and variables, and wait for its end."""
    assert PROGRAM
    return subprocess.run(
        [PROGRAM, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", *words],
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
