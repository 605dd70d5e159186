"""The pages in docs/ say what is so: every command line in them runs, every setting is named."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core import settings
from core.command_line import COMMANDS
from tests.support.reader import ROOT, Reader, commands
from tests.support.transcript import Transcript

DOCS = ROOT / "docs"
COMMAND_LINES = re.findall(
    r"^chatrecall (.+)$", (DOCS / "commands.md").read_text(encoding="utf-8"), re.MULTILINE
)
BY_HAND = (DOCS / "by-hand.md").read_text(encoding="utf-8")

RUN_ELSEWHERE = {
    "chatrecall exclude": "tests/test_readme.py",
    "chatrecall key set": "tests/test_readme.py",
    "chatrecall round": "this file, as commands.md's",
    "chatrecall settings": "this file, as commands.md's",
    "chatrecall settings NAME VALUE": "this file, as `settings daily_cap_usd 0.5`",
    "chatrecall tray": "tests/tray/test_without_display.py, and on_screen",
    "claude plugin install chatrecall@chatrecall": "tests/installer/test_plugin.py",
    "claude plugin marketplace add ./": "tests/installer/test_plugin.py",
    "claude plugin marketplace remove chatrecall": "tests/installer/test_plugin.py",
    "claude plugin uninstall chatrecall@chatrecall": "tests/installer/test_plugin.py",
    "claude plugin update chatrecall@chatrecall": "tests/installer/test_plugin.py",
    "python -c pass": "each benchmark of the hook",
    "python3 installer": "tests/test_readme.py",
    "python3 tests tests/core -k watermark": "what runs this test",
    "python3 tests": "what runs this test",
}
"""Commands that the pages name and that are not typed here, and what runs them."""


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


@pytest.mark.skipif(sys.platform == "win32", reason="the steps are those for a POSIX shell")
def test_the_steps_by_hand_lead_to_a_hook_that_captures(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "reader", api_url="http://127.0.0.1:9")
    for line in typed_by_hand():
        done = reader.types(line)
        assert done.returncode == 0, f"{line}: {done.stdout}"

    later = Transcript(reader.home / ".claude" / "projects" / "-later")
    later.user("Which port does the staging proxy use?")
    payload = shlex.quote(json.dumps({"transcript_path": str(later.path)}))
    for hook in _hooks_by_hand(reader):
        done = reader.types(f"echo {payload} | {shlex.join(hook)}")
        assert (done.returncode, done.stdout) == (0, "")
    found = reader.types("~/chatrecall-environment/bin/chatrecall show 1111")
    assert "Which port does the staging proxy use?" in found.stdout


def typed_by_hand() -> list[str]:
    """The steps of the page, in their order."""
    return [line for line in commands(BY_HAND) if line not in RUN_ELSEWHERE]


def _hooks_by_hand(reader: Reader) -> list[list[str]]:
    """The hooks of the page's settings.json, with this home and this Python in their paths."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (block,) = re.findall(r"```json\n(.*?)```", BY_HAND, re.DOTALL)
    block = block.replace("/usr/bin/python3", str(reader.python))
    block = re.sub(r"python3\.\d+", version, block.replace("/home/me", str(reader.home)))
    hooks = json.loads(block)["hooks"]
    handlers = [group["hooks"][0] for event in ("Stop", "SessionEnd") for group in hooks[event]]
    return [[handler["command"], *handler["args"]] for handler in handlers]


def test_each_command_on_each_page_is_run_by_a_test() -> None:
    named = {line for page in DOCS.glob("*.md") for line in commands(page.read_text("utf-8"))}
    run = {*typed_by_hand(), *RUN_ELSEWHERE, *(f"chatrecall {line}" for line in COMMAND_LINES)}

    benchmarks = {line for line in named if line.startswith("python -m tests.benchmarks.")}
    assert named - benchmarks - run == set()
    assert set(RUN_ELSEWHERE) <= named


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
