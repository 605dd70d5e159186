"""`chatrecall doctor`: whether each part works, seen by using it, and what to do where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.display import lines
from core.errors import ChatRecallError
from installer import checks
from installer.inventory import PARTS
from installer.parts import State

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

_MARKS = {"works": "works", "missing": "missing", "broken": "BROKEN", "unknown": "could not check"}
_BESIDE: dict[str, Callable[[], State]] = {
    "The hook at work": checks.hook_at_work,
    "Claude Code": checks.claude_code,
    "Claude Code's switches": checks.switches,
}


def configure(_parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> str:
    """Check everything. Exits with 1 where something is broken."""
    asked = {part.TITLE: part.state for part in PARTS} | _BESIDE
    seen = {title: _ask(ask) for title, ask in asked.items()}
    report = "\n".join(_line(title, state) for title, state in seen.items())
    broken = [title for title, state in seen.items() if state.kind == "broken"]
    if not broken:
        return f"{report}\n\nNothing is broken."
    print(report)
    raise ChatRecallError(f"Broken: {', '.join(broken)}", "What to do stands above.")


def _ask(ask: Callable[[], State]) -> State:
    try:
        return ask()
    except ChatRecallError as error:
        return State("broken", error.title, error.advice)
    except OSError as error:
        return State("unknown", str(error))


def _line(title: str, state: State) -> str:
    seen = f"{title}{': ' + state.words if state.words else ''}"
    margin = " " * 16
    told = [lines.fitted(seen, margin, f"{_MARKS[state.kind]:<16}")]
    if state.advice and state.kind != "works":
        told.append(lines.fitted(state.advice, margin))
    return "\n".join(told)
