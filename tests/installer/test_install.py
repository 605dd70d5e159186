"""The whole way in a fresh home: install, use, update, remove. Needs the package index."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core import paths
from installer import hooks, samples
from tests.support.client import VERSIONS, Claude, ClientMissingError
from tests.support.mock_api import MockApi

REAL_PATH = os.environ["PATH"]
INSIDE_THE_HOME = ("environment", "database", "hooks", "slash-commands")
SETTINGS = '{\r\n\t"model": "opus", // the best\r\n}\r\n'


def run(*command: str, check: bool = True) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=300
    )
    if "can't be installed" in done.stdout + done.stderr:
        pytest.skip(f"the package index can't be reached: {done.stdout[-300:]}")
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_below(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Type, permissions and content of all that is in a folder; of a link, where it leads."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_mode, content(path))
        for path in folder.rglob("*")
        if ".rustup" not in path.parts  # pip asks for the Rust compiler's version
    }


def content(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(os.readlink(path))
    return path.read_bytes() if path.is_file() else b""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of this checkout, to change."""
    target = tmp_path / "check out"
    ignored = shutil.ignore_patterns(".git", "tests", "__pycache__", ".*_cache")
    shutil.copytree(paths.ROOT, target, ignore=ignored)
    return target


def test_install_use_update_remove(home: Path, claude_dir: Path, checkout: Path) -> None:
    dotfiles = home / "dot files"
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_bytes(SETTINGS.encode())
    (dotfiles / "claude.json").chmod(0o640)
    (claude_dir / "settings.json").symlink_to(dotfiles / "claude.json")
    samples.write(str(claude_dir / "projects"), str(home))
    before = files_below(home)
    installer = str(checkout / "installer")

    told = run(sys.executable, installer)
    assert "ChatRecall is ready." in told

    environment = claude_dir / "chatrecall" / "environment"
    program = str(environment / "bin" / "chatrecall")
    found = json.loads(run(program, "search", "--json", "double charge"))
    assert found[0]["project_name"] == "payments-api"
    with closing(sqlite3.connect(claude_dir / "chatrecall" / "chatrecall.db")) as db:
        rows = db.execute("SELECT summarized_by FROM sessions").fetchall()
    assert rows == [("local",)] * 7

    handler = hooks.registered(str(claude_dir / "settings.json"))[0]
    payload = {"transcript_path": str(next((claude_dir / "projects").rglob("*.jsonl")))}
    done = subprocess.run(
        [handler["command"], *handler["args"]],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    told = run(program, "doctor")
    assert "BROKEN" not in told
    assert "captured 6 exchanges" in told

    installed = files_below(claude_dir)
    run(sys.executable, installer)
    again = files_below(claude_dir)
    assert {name for name in again if again[name] != installed.get(name)} <= {
        name for name in again if "__pycache__" in name
    }

    with open(checkout / "core" / "__init__.py", "a", encoding="utf-8") as stream:
        stream.write('\nVERSION = "99.0.0"\n')
    run(sys.executable, installer)
    assert "99.0.0" in run(program, "--version")
    assert len(json.loads(run(program, "sessions", "--json"))) == 7

    assert "is gone" in run(program, "uninstall")
    kept = files_below(home)
    assert {name for name in kept if before.get(name) != kept[name]} == {
        ".claude/chatrecall",
        ".claude/chatrecall/chatrecall.db",
        *(name for name in kept if name.startswith(".claude/chatrecall/pages")),
    }

    run(sys.executable, installer, "--purge")
    assert files_below(home) == before


@pytest.mark.client
def test_the_real_client_uses_what_was_installed(
    home: Path, claude_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (claude_dir / "settings.json").write_bytes(b'{"model": "opus"}')
    installer = os.path.join(paths.ROOT, "installer")
    monkeypatch.setenv("PATH", REAL_PATH)
    with MockApi() as api:
        try:
            client = Claude(VERSIONS[0], home, api.url)
        except ClientMissingError as error:
            pytest.skip(str(error))
        run(sys.executable, installer, "--only", *INSIDE_THE_HOME)
        client.ask("The deploy key is in the blue vault.")
        api.requests.clear()
        client.ask("/search-chats it's the deploy key; echo pwned")

        assert "blue vault" in api.texts()
        assert "\npwned" not in api.texts()

        run(sys.executable, installer, "--purge")
        client.ask("Nobody listens now.")

    assert (claude_dir / "settings.json").read_bytes() == b'{"model": "opus"}'
    assert not (claude_dir / "chatrecall").exists()


def test_trying_it_touches_nothing_of_the_persons(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    told = run(sys.executable, os.path.join(paths.ROOT, "installer"), "--try")

    (trial,) = tmp_path.glob("chatrecall-try-*")
    assert str(trial) in told
    assert files_below(home) == {}
    line = next(line.strip() for line in told.splitlines() if "search webhook" in line)
    assert "payments-api" in run("/bin/sh", "-c", line)
