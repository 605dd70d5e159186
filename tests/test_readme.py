"""What the README tells a person to type exists, with the options that it names."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

_CODE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def _command_lines() -> list[str]:
    """All lines in the README's code that start a program of ours."""
    lines = (line for block, span in _CODE.findall(README) for line in (block or span).splitlines())
    return sorted({line for line in lines if line.startswith(("chatrecall ", "python3 "))})


@functools.cache
def _help(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command, "--help"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


@pytest.mark.parametrize("line", _command_lines())
def test_each_command_and_option_exists(line: str) -> None:
    program, *words = shlex.split(line)
    options = {word for word in words if word.startswith("--")}
    if program == "chatrecall":
        text = _help(".", words[0])
    elif words[0] == "tests":
        return  # this very command is running
    else:
        text = _help(words[0])

    assert text, f"{line}: there is no such command"
    assert not {option for option in options if option not in text}


def test_each_linked_file_exists() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_each_file_to_run_exists() -> None:
    files = re.findall(r"-File (\S+)", README)

    assert [name for name in files if not (ROOT / name.replace("\\", "/")).exists()] == []
