"""Launch at logon on macOS: an agent of launchd."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from installer import launchd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.changes import Change

_NAME = "tray"


def is_on() -> bool:
    """Whether the agent's file is there."""
    return os.path.exists(launchd.agent_file(_NAME))


def add(command: Sequence[str]) -> list[Change]:
    """Write the agent and load it, which starts it at once."""
    return launchd.add_agent(_NAME, launchd.logon_agent(_NAME, command))


def approve() -> list[Change]:
    """Nothing: System Settings' switch is not ours to turn."""
    return []


def remove() -> list[Change]:
    """Unload the agent and delete it."""
    return launchd.remove_agent(_NAME)
