"""The command that takes a session up again, ready to be pasted into a shell."""

from __future__ import annotations

import re
import shlex

from core.display.visible import has_tricks

# PowerShell ends a single-quoted string at any of these, and reads two of one as that one.
_POWERSHELL_QUOTES = re.compile("(['\u2018\u2019\u201a\u201b])")


def resume_command(project_path: str, session_id: str, *, windows: bool) -> str:
    """`cd … && claude --resume …` for a POSIX shell, or the same for PowerShell.

    Claude Code finds a session only from the folder that it was held in.
    """
    quote = _quote_for_powershell if windows else shlex.quote
    plain = re.fullmatch(r"[\w.-]+", session_id, re.ASCII)
    return go_there(project_path, windows=windows) + (
        f"claude --resume {session_id if plain else quote(session_id)}"
    )


def go_there(project_path: str, *, windows: bool) -> str:
    """Change to the folder, as the first part of a command; empty where the folder can't be named.

    A path with a line break or control character is never put on a command line.
    """
    if not project_path or has_tricks(project_path):
        return ""
    if windows:  # `&&` is unknown to Windows PowerShell 5.1
        return f"cd -LiteralPath {_quote_for_powershell(project_path)} -ErrorAction Stop; "
    return f"cd -- {shlex.quote(project_path)} && "


def _quote_for_powershell(text: str) -> str:
    return "'" + _POWERSHELL_QUOTES.sub(r"\1\1", text) + "'"
