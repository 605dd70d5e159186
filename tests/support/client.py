"""The real Claude Code client: installed from npm, run in a clean environment on a mock API."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSIONS = ("2.1.332", "2.1.197")
"""The newest, and what Node 20 gets; they differ in when rows reach the transcript."""

API_KEY = "sk-ant-fake"
ASK_SECONDS = 60
SCREEN_SECONDS = 30
PROMPT_SIGN = "❯"

# Asked for at import, before any test has a home of its own.
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chatrecall-tests"


class ClientMissingError(Exception):
    """The client can't be had here, and why."""


@functools.cache
def installed(version: str) -> str:
    """The path of that version's binary, downloaded once a machine.

    Raises `ClientMissingError` where npm is not there or its registry can't be reached.
    """
    folder = _CACHE / f"claude-code-{version}"
    if not folder.exists():
        _download(version, folder)
    # npm's `claude` is a launcher that an install script sets up; the platform's package beside it
    # holds the client itself.
    binaries = folder.glob("node_modules/@anthropic-ai/claude-code-*/claude*")
    return str(next(binary for binary in binaries if binary.suffix in ("", ".exe")))


def _download(version: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        raise ClientMissingError("npm is not installed")
    _CACHE.mkdir(parents=True, exist_ok=True)
    fresh = tempfile.mkdtemp(dir=_CACHE)
    command = [npm, "install", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund"]
    package = f"@anthropic-ai/claude-code@{version}"
    done = subprocess.run(
        [*command, "--loglevel=error", package],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    if done.returncode != 0:
        shutil.rmtree(fresh)
        raise ClientMissingError(f"npm can't install {package}: {done.stderr.strip()[:300]}")
    try:
        os.rename(fresh, folder)
    except OSError:  # another test process was first
        shutil.rmtree(fresh)


class Claude:
    """One person's Claude Code: a version of the client, a home, a project and an API."""

    def __init__(self, version: str, home: Path, api_url: str) -> None:
        self.version = version
        self.binary = installed(version)
        self.home = home
        self.api_url = api_url
        self.project = home / "project"
        self.project.mkdir(exist_ok=True)
        (home / ".claude").mkdir(exist_ok=True)
        programs = home / ".local" / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        (programs / "claude").symlink_to(self.binary)
        self._path = os.pathsep.join((str(programs), os.environ["PATH"]))
        self.variables: dict[str, str] = {}
        """Variables that are set beside the usual ones."""
        self._answer_first_questions()

    def environment(self) -> dict[str, str]:
        """All variables that the client sees; inherited ones change what it does."""
        return {
            "HOME": str(self.home),
            "PATH": self._path,
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "ANTHROPIC_BASE_URL": self.api_url,
            "ANTHROPIC_API_KEY": API_KEY,
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **self.variables,
        }

    def ask(self, prompt: str, *options: str) -> str:
        """One turn in print mode (`claude -p`); returns what it printed."""
        done = subprocess.run(
            [self.binary, "-p", prompt, *options],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=ASK_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"claude -p failed: {done.stdout} {done.stderr}"
        return done.stdout

    @contextlib.contextmanager
    def terminal(self, *options: str) -> Iterator[Terminal]:
        """The interactive client in a terminal; it and its terminal are gone afterwards."""
        terminal = Terminal([self.binary, *options], self.project, self.environment())
        try:
            terminal.wait_for(PROMPT_SIGN)
            yield terminal
        finally:
            terminal.close()

    def transcripts(self) -> list[Path]:
        """The transcripts of all sessions so far; not those of subagents."""
        return sorted((self.home / ".claude" / "projects").glob("*/*.jsonl"))

    def _answer_first_questions(self) -> None:
        """Spare us the dialogs of a first start: theme, API key, trust in the folder."""
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [API_KEY], "rejected": []},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}},
        }
        (self.home / ".claude.json").write_text(json.dumps(answers), encoding="utf-8")


class Terminal:
    """A program in a terminal of its own (tmux), typed into and read like a person would."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._socket = f"chatrecall-{uuid.uuid4().hex[:12]}"
        variables = [f"{name}={value}" for name, value in environment.items()]
        program = shlex.join(["env", "-i", *variables, *command])
        self._tmux(
            "new-session",
            "-d",
            "-s",
            "main",
            "-x",
            "150",
            "-y",
            "50",
            "-c",
            str(folder),
            f"exec {program}",
        )

    def type(self, text: str) -> None:
        """Type a line and press Enter."""
        self._tmux("send-keys", "-t", "main", "-l", text)
        self.wait_until(lambda: text[-20:] in self.screen(), f"{text!r} to be typed")
        self.press("Enter")

    def press(self, key: str) -> None:
        """Press one key, named as tmux names it."""
        self._tmux("send-keys", "-t", "main", key)

    def screen(self) -> str:
        """What the terminal shows now, lines that were wrapped joined; empty once it has ended."""
        return self._tmux("capture-pane", "-p", "-J", "-t", "main", check=False)

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows `text`."""
        self.wait_until(lambda: text in self.screen(), f"{text!r} to show")

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait until `is_so`; after half a minute fail with the screen."""
        end = time.monotonic() + SCREEN_SECONDS
        while not is_so():
            assert time.monotonic() < end, f"Waited in vain for {what}. Screen:\n{self.screen()}"
            time.sleep(0.1)

    def process_id(self) -> int:
        """The program's process, to be killed."""
        return int(self._tmux("display-message", "-p", "-t", "main", "#{pane_pid}"))

    def leave(self) -> None:
        """Type `/exit` and wait until the program has ended."""
        self.type("/exit")
        self.wait_until(self.has_ended, "the client to end")

    def has_ended(self) -> bool:
        """Whether the program, and with it the terminal, is gone."""
        return not self._tmux("list-panes", "-t", "main", check=False)

    def close(self) -> None:
        """End the program and the terminal, whatever they do."""
        self._tmux("kill-server", check=False)

    def _tmux(self, *arguments: str, check: bool = True) -> str:
        return subprocess.run(
            ["tmux", "-L", self._socket, "-f", os.devnull, *arguments],
            capture_output=True,
            encoding="utf-8",
            check=check,
        ).stdout
