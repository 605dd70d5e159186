"""Launch at logon on macOS: an agent of launchd, which takes it up with the next logon.

It is not loaded or unloaded at once: that would start the app, or end the one that it has started.
"""

from __future__ import annotations

import os
import plistlib
from typing import TYPE_CHECKING

from installer import changes, launchd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.changes import Change

_NAME = "tray"


def is_on() -> bool:
    """Whether the agent's file is there."""
    return os.path.exists(launchd.agent_file(_NAME))


def add(command: Sequence[str]) -> list[Change]:
    """Write the agent's file."""
    agent = launchd.logon_agent(_NAME, command)
    return changes.write_file(launchd.agent_file(_NAME), plistlib.dumps(agent))


def approve() -> list[Change]:
    """Nothing: System Settings' switch is not ours to turn."""
    return []


def remove() -> list[Change]:
    """Delete the agent's file."""
    return changes.remove_file(launchd.agent_file(_NAME))
