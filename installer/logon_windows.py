r"""Launch at logon on Windows: the Run key of the user's registry.

Task Manager's switch is a value beside it, in `StartupApproved\Run`: an even first byte is on, an
odd one off, as users found out (superuser.com/q/1766797); no value is on.
"""

from __future__ import annotations

import subprocess
from functools import partial
from typing import TYPE_CHECKING

from installer import registry
from installer.changes import Change
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

_CURRENT_VERSION = r"Software\Microsoft\Windows\CurrentVersion"
RUN = rf"{_CURRENT_VERSION}\Run"
APPROVED = rf"{_CURRENT_VERSION}\Explorer\StartupApproved\Run"


def is_on() -> bool:
    """Whether the entry is there and not switched off in Task Manager."""
    return registry.read(RUN, instance()) is not None and not _is_switched_off()


def add(command: Sequence[str]) -> list[Change]:
    """Write the entry. One that is switched off stays so: that is another value."""
    line = subprocess.list2cmdline(command)
    if registry.read(RUN, instance()) == line:
        return []
    write = partial(registry.write, RUN, instance(), line)
    return [Change(rf"Write HKEY_CURRENT_USER\{RUN}\{instance()}", write, line)]


def approve() -> list[Change]:
    """Take Task Manager's "disabled" away."""
    return _delete(APPROVED) if _is_switched_off() else []


def remove() -> list[Change]:
    """Delete the entry, and Task Manager's switch for it."""
    return [*_delete(RUN), *_delete(APPROVED)]


def _is_switched_off() -> bool:
    switch = registry.read(APPROVED, instance())
    return isinstance(switch, bytes) and bool(switch) and switch[0] % 2 == 1


def _delete(key: str) -> list[Change]:
    if registry.read(key, instance()) is None:
        return []
    words = rf"Delete HKEY_CURRENT_USER\{key}\{instance()}"
    return [Change(words, partial(registry.delete, key, instance()))]
