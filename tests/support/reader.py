"""A person who follows a page of ours: types its commands as they stand, in a home of their own."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installer import samples
from tests.support import crontab

ROOT = Path(__file__).resolve().parent.parent.parent

# Before any test has a home of its own; downloading everything anew would take a minute each time.
_PIP_CACHE = os.environ.get("PIP_CACHE_DIR") or str(Path.home() / ".cache" / "pip")

_CODE = re.compile(r"```(?:sh|powershell)\n(.*?)```|(?<!`)`([^`\n]+)`(?!`)", re.DOTALL)
_PROGRAM = re.compile(
    r"(chatrecall|claude|crontab|launchctl|pip|powershell|py|python3?|schtasks|systemctl|uv) "
)


def commands(page: str) -> list[str]:
    """All command lines of a page of Markdown in their order, in blocks and within its text."""
    found = []
    for block, span in _CODE.findall(page):
        lines = (line.strip() for line in (block or span).splitlines())
        found += [line for line in lines if line and (block or _PROGRAM.match(line))]
    return found


class Reader:
    """Somebody with Python, a few sessions, a clone of this repository and a shell in it."""

    def __init__(self, folder: Path, api_url: str) -> None:
        self.home = folder / "Ünï 日本"
        self.clone = folder / "chat recall"
        self._programs = folder / "programs"
        ignored = shutil.ignore_patterns(".git", ".cache", "tests", "__pycache__", ".*_cache")
        shutil.copytree(ROOT, self.clone, ignore=ignored)
        samples.write(str(self.home / ".claude" / "projects"), str(self.home))
        (folder / "temporary").mkdir()
        self._programs.mkdir()
        # The Python beneath the test environment, which has none of the dependencies.
        self.python = self._programs / "python3"
        self.python.symlink_to(os.path.realpath(sys.executable))
        crontab.put_into(self._programs)
        self.path = [str(self._programs), str(self.home / ".local" / "bin")]
        self._environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name.startswith(("PIP_", "SSL_"))
            },
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(folder / "temporary"),
            "PIP_CACHE_DIR": _PIP_CACHE,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            "ANTHROPIC_BASE_URL": api_url,
        }

    def types(self, line: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        """Type a command line, and an answer to what it asks; gives back all that it printed.

        Skips the test where the package index can't be reached.
        """
        environment = {**self._environment, "PATH": os.pathsep.join(self.path)}
        command = ["/bin/sh", "-c", line]
        if answer:
            done = _on_a_terminal(command, answer, self.clone, environment)
        else:
            done = subprocess.run(
                command,
                cwd=self.clone,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                timeout=600,
                check=False,
            )
        if "can't be installed" in done.stdout or "No matching distribution" in done.stdout:
            pytest.skip(f"the package index can't be reached: {done.stdout[-300:]}")
        return done


def _on_a_terminal(
    command: list[str], answer: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    printed, asked = b"", False
    with contextlib.suppress(OSError):  # the end, in a terminal's words
        while piece := os.read(ours, 4096):
            printed += piece
            if not asked:  # not before the question: what is typed then may be thrown away
                os.write(ours, answer.encode() + b"\n")
                asked = True
    os.close(ours)
    return subprocess.CompletedProcess(
        command, process.wait(timeout=60), printed.decode("utf-8", "replace").replace("\r\n", "\n")
    )
