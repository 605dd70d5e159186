"""All parts, in the order of installing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from installer import (
    command,
    database,
    environment,
    history,
    hooks,
    logon,
    slash_commands,
    task,
    tray_start,
)

if TYPE_CHECKING:
    from installer.parts import Part

PARTS: tuple[Part, ...] = (
    environment,
    database,
    hooks,
    slash_commands,
    command,
    task,
    logon,
    tray_start,
    history,
)

REMOVAL: tuple[Part, ...] = (*PARTS[1:], environment)
"""The order of removing: what points to the environment goes before it."""
