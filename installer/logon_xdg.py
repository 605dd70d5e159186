"""Launch at logon on Linux desktops: an XDG autostart entry.

https://specifications.freedesktop.org/autostart-spec/latest/ and, for the quoting,
https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from installer import changes, files, layout
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.changes import Change

_SWITCHED_OFF = re.compile(
    r"^\s*(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$", re.MULTILINE
)


def is_on() -> bool:
    """Whether the entry is there and not switched off in it, as desktops do."""
    content = files.read(file())
    return content is not None and not _is_switched_off(content)


def add(command: Sequence[str]) -> list[Change]:
    """Write the entry; one that the person has switched off stays so."""
    if _is_switched_off(files.read(file()) or b""):
        return []
    return changes.write_file(file(), entry(command).encode("utf-8", "surrogateescape"))


def approve() -> list[Change]:
    """Delete an entry that is switched off."""
    return changes.remove_file(file()) if _is_switched_off(files.read(file()) or b"") else []


def remove() -> list[Change]:
    """Delete the entry."""
    return changes.remove_file(file())


def file() -> str:
    """Where the entry stands."""
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(config, "autostart", f"{instance()}.desktop")


def entry(command: Sequence[str]) -> str:
    """The autostart entry's text."""
    return f"""\
[Desktop Entry]
Type=Application
Name=ChatRecall
Comment=A memory for Claude Code
Exec={" ".join(map(quoted, command))}
Icon={layout.current().package}/assets/icon/chatrecall.png
Terminal=false
"""


def quoted(word: str) -> str:
    """A word of `Exec`: escaped once as an argument and once as a string, `%` doubled."""
    argument = re.sub(r'(["`$\\])', r"\\\1", word)
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'


def _is_switched_off(content: bytes) -> bool:
    return bool(_SWITCHED_OFF.search(content.decode("utf-8", "replace")))
