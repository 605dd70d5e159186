"""macOS: the hourly task and the launch at logon as agents of launchd."""

from __future__ import annotations

import os
import plistlib
from functools import partial
from typing import TYPE_CHECKING, Any

from installer import changes, programs
from installer.changes import Change
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "launchd"

_TASK = "task"


def add(command: Sequence[str], minutes: int) -> list[Change]:
    """Write the task's agent and load it; nothing where the file says so already."""
    file = agent_file(_TASK)
    todo = changes.write_file(file, plistlib.dumps(task_agent(command, minutes)))
    if todo:
        unload = Change("Unload the former agent", partial(programs.works, _unload()))
        load = ["launchctl", "bootstrap", _domain(), file]
        todo += [unload, Change("Load it", partial(programs.run, load), " ".join(load))]
    return todo


def remove() -> list[Change]:
    """Unload the task's agent and delete it; nothing where there is none."""
    todo = changes.remove_file(agent_file(_TASK))
    if todo:
        unload = _unload()
        words = f"Unload {label(_TASK)}"
        todo.insert(0, Change(words, partial(programs.works, unload), " ".join(unload)))
    return todo


def task_agent(command: Sequence[str], minutes: int) -> dict[str, Any]:
    """The agent that works each hour; what launchd.plist(5) calls its keys."""
    return {
        "Label": label(_TASK),
        "ProgramArguments": list(command),
        "StartInterval": minutes * 60,
        "RunAtLoad": True,
        "ProcessType": "Background",
    }


def logon_agent(name: str, command: Sequence[str]) -> dict[str, Any]:
    """An agent that starts once with each graphical session."""
    return {
        "Label": label(name),
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
    }


def agent_file(name: str) -> str:
    """Where launchd looks for a person's own agents."""
    agents = os.path.join(os.path.expanduser("~"), "Library", "LaunchAgents")
    return os.path.join(agents, f"{label(name)}.plist")


def label(name: str) -> str:
    """The name by which launchd knows an agent."""
    return f"{instance()}.{name}"


def _unload() -> list[str]:
    return ["launchctl", "bootout", f"{_domain()}/{label(_TASK)}"]


def _domain() -> str:
    return f"gui/{os.getuid()}"  # type: ignore[attr-defined, unused-ignore]  # no Windows here
