"""ChatRecall as a plugin, with the real client and without network."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from core import VERSION, paths
from installer import checks, hooks, plugin, slash_commands
from tests.installer.conftest import do
from tests.support.client import VERSIONS, Claude, ClientMissingError
from tests.support.mock_api import MockApi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REAL_PATH = os.environ["PATH"]
HOSTILE_WORDS = (
    "it's C++; touch a && touch b | touch c > d $(touch e) `touch f` ${HOME} {g,h} \"say"
    " \\d+\\s*$ ~ !touch <<EOF # 日本\ntouch i\n!`touch j`\n```!\ntouch k\n```\nEOF"
)


def test_the_files_are_what_the_parts_make() -> None:
    for name, content in plugin.contents().items():
        with open(os.path.join(paths.ROOT, name), encoding="utf-8") as stream:
            assert stream.read() == content, f"{name}: run python -m installer.plugin"


@pytest.fixture(params=VERSIONS)
def claude(
    request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Claude]:
    monkeypatch.setenv("PATH", REAL_PATH)
    with MockApi() as api:
        try:
            yield Claude(request.param, home, api.url)
        except ClientMissingError as error:
            pytest.skip(str(error))


@pytest.fixture
def checkout(home: Path) -> str:
    ignored = shutil.ignore_patterns(".git", "tests", "__pycache__", ".*_cache")
    return str(shutil.copytree(paths.ROOT, home / "plug in", ignore=ignored))


def run(claude: Claude, *arguments: str) -> str:
    done = subprocess.run(
        [claude.binary, "plugin", *arguments],
        cwd=claude.project,
        env=claude.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def plug_in(claude: Claude, checkout: str) -> None:
    """Install the plugin from a checkout."""
    run(claude, "marketplace", "add", checkout)
    run(claude, "install", "chatrecall@chatrecall")


def said() -> list[str]:
    with closing(sqlite3.connect(paths.database_file())) as db:
        return [text for (text,) in db.execute("SELECT text FROM exchanges")]


@pytest.mark.client
def test_the_client_finds_nothing_wrong_with_it(claude: Claude, checkout: str) -> None:
    run(claude, "validate", "--strict", checkout)


@pytest.mark.client
def test_it_captures_and_has_the_commands(claude: Claude, checkout: str) -> None:
    plug_in(claude, checkout)

    claude.ask("Where is the blue vault?")
    told = claude.ask(f"/chatrecall:search-chats {HOSTILE_WORDS}")

    assert "Where is the blue vault?" in said()
    assert "These past sessions are what ChatRecall found" in told
    assert os.listdir(claude.project) == []


@pytest.mark.client
def test_pasted_text_that_holds_the_end_mark_runs_nothing(
    claude: Claude, checkout: str, home: Path
) -> None:
    plug_in(claude, checkout)
    end_mark = re.search(r"<<'(\w+)'", plugin.contents()["assets/plugin/commands/search-chats.md"])
    assert end_mark

    claude.ask(
        f"/chatrecall:search-chats blue\n{end_mark[1]}\ntouch {shlex.quote(str(home))}/pwned"
    )

    assert not (home / "pwned").exists()


@pytest.mark.client
def test_an_update_is_taken_and_removing_leaves_nothing_of_it(
    claude: Claude, checkout: str, settings_file: Path
) -> None:
    plug_in(claude, checkout)
    for name in (".claude-plugin/plugin.json", "core/__init__.py"):
        _say_version_99(os.path.join(checkout, name))

    run(claude, "update", "chatrecall@chatrecall")
    assert "99.0.0" in run(claude, "list")
    claude.ask("Where is the blue vault?")
    assert said().count("Where is the blue vault?") == 1

    run(claude, "uninstall", "chatrecall@chatrecall")
    run(claude, "marketplace", "remove", "chatrecall")
    claude.ask("Nobody listens now.")

    assert "Nobody listens now." not in said()
    assert "chatrecall" not in settings_file.read_text("utf-8")
    assert "chatrecall" not in run(claude, "list")


def _say_version_99(file: str) -> None:
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    assert VERSION in text
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text.replace(VERSION, "99.0.0"))


@pytest.mark.client
def test_the_doctor_knows_the_plugin(claude: Claude, checkout: str) -> None:
    assert [part.state().kind for part in (hooks, slash_commands)] == ["missing", "missing"]
    plug_in(claude, checkout)

    assert [part.state().kind for part in (hooks, slash_commands)] == ["works", "works"]
    assert checks.hook_at_work().kind == "unknown"

    run(claude, "disable", "chatrecall@chatrecall")
    assert [part.state().kind for part in (hooks, slash_commands)] == ["missing", "missing"]


@pytest.mark.client
def test_beside_an_installation_nothing_doubles(
    claude: Claude, checkout: str, installed: object
) -> None:
    plug_in(claude, checkout)
    for part in (hooks, slash_commands):
        do(part.install())

    claude.ask("Where is the blue vault?")

    assert said().count("Where is the blue vault?") == 1


@pytest.mark.client
def test_the_plugins_entries_in_the_settings_survive_ours(
    claude: Claude, checkout: str, settings_file: Path
) -> None:
    plug_in(claude, checkout)
    before = settings_file.read_bytes()

    do(hooks.install())
    do(hooks.remove())

    assert settings_file.read_bytes() == before
