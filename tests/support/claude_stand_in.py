"""A program called `claude` that notes how it was started and answers as it is told to.

What the real client does with these arguments is tested in tests/client.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.api_plays import GOOD_ANSWER

_PROGRAM = """\
#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path(__file__).parent
plan = json.loads((here / "plan.json").read_text(encoding="utf-8"))
note = {{"arguments": sys.argv[1:], "stdin": sys.stdin.buffer.read().decode("utf-8"),
        "environment": dict(os.environ), "folder": os.getcwd()}}
(here / "note.json").write_text(json.dumps(note), encoding="utf-8")
if plan["child"]:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    (here / "child").write_text(str(child.pid))
time.sleep(plan["seconds"])
sys.stderr.write(plan["errors"])
sys.stdout.write(plan["output"])
sys.exit(plan["code"])
"""


@dataclass(frozen=True)
class Claude:
    """The stand-in, in a folder of its own."""

    folder: Path

    def plays(
        self,
        result: dict[str, Any] | str | None = None,
        *,
        code: int = 0,
        errors: str = "",
        seconds: float = 0,
        child: bool = False,
    ) -> None:
        """Answer with this from now on: a result object, or any text."""
        output = result if isinstance(result, str) else json.dumps(result or success())
        plan = {
            "output": output,
            "code": code,
            "errors": errors,
            "seconds": seconds,
            "child": child,
        }
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")

    def note(self) -> dict[str, Any]:
        """How it was started last."""
        noted: dict[str, Any] = json.loads((self.folder / "note.json").read_text(encoding="utf-8"))
        return noted

    def child(self) -> int:
        """The process id of the child that it started."""
        return int((self.folder / "child").read_text())


def make(folder: Path) -> Claude:
    """Put the stand-in into `folder`, which belongs on PATH."""
    folder.mkdir()
    program = folder / "claude"
    program.write_text(_PROGRAM.format(python=sys.executable), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    claude = Claude(folder)
    claude.plays()
    return claude


def success(**more: object) -> dict[str, Any]:
    """The result object of a run that went well."""
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": json.dumps(GOOD_ANSWER),
        "structured_output": GOOD_ANSWER,
        "stop_reason": "end_turn",
        "total_cost_usd": 0.0004,
        "usage": {"input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 250},
        **more,
    }


def on_path(claude: Claude) -> str:
    """A PATH on which the stand-in comes first."""
    return f"{claude.folder}{os.pathsep}{os.environ['PATH']}"
