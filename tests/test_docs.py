"""The pages in docs/ say what is so: every command line in them runs, every setting is named."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core import settings
from core.command_line import COMMANDS
from tests.support.transcript import Transcript

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
COMMAND_LINES = re.findall(
    r"^chatrecall (.+)$", (DOCS / "commands.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Claude Code folder with one session, whose id the page uses."""
    folder = tmp_path_factory.mktemp("lived in")
    session = Transcript(folder / "projects" / "-shop", "1f6d2222-3333-4444-8555-666666666666")
    session.user("Why does the connection pool deadlock?")
    session.assistant("Two requests each hold one connection and wait for a second one.")
    return folder


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_each_command_line_runs(line: str, lived_in: Path, home: Path) -> None:
    # On this system's own scheduler nothing may be touched: `install` runs dry, and nothing else
    # here goes beyond the folder.
    done = subprocess.run(
        [sys.executable, "-I", str(ROOT), *shlex.split(line)],
        env={**os.environ, "HOME": str(home), "CLAUDE_CONFIG_DIR": str(lived_in)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_described(command: str) -> None:
    assert re.search(rf"\b{command}\b", (DOCS / "commands.md").read_text(encoding="utf-8"))


def test_each_setting_and_its_default_is_described() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| `([^`]*)` \|", (DOCS / "settings.md").read_text(encoding="utf-8"), re.M
    )
    defaults = {name: str(default) for name, default in settings.DEFAULTS.items()}
    assert dict(rows) == defaults


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_each_linked_file_exists(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_each_benchmark_that_is_named_exists() -> None:
    named = re.findall(
        r"python -m tests\.benchmarks\.(\w+)", (DOCS / "development.md").read_text(encoding="utf-8")
    )
    there = {file.stem for file in (ROOT / "tests" / "benchmarks").glob("[a-z]*.py")}
    assert set(named) == there - {"history"}
