"""The Claude Code that is installed here: its version, its shell on Windows, our plugin in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from core import paths
from installer import files, json_edit
from installer.json_tree import BrokenJsonError

EXEC_FORM_SINCE = (2, 1, 139)
"""The first version that starts a hook by `args`; an older one drops them and runs `command` alone
(AgriciDaniel/claude-obsidian#162)."""

PLUGIN = "chatrecall@chatrecall"
"""Our plugin and its marketplace, as Claude Code names them."""

_PLACES = ("~/.local/bin", "~/.claude/local", "/opt/homebrew/bin", "/usr/local/bin")
"""Where the client's own installers put it, for a PATH that leaves these out."""


def version() -> tuple[int, ...] | None:
    """The version of the `claude` command; None where there is none or it doesn't tell."""
    if not (program := _find("claude")):
        return None
    try:
        told = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.match(rb"(\d+)\.(\d+)\.(\d+)", told.stdout.strip())
    return tuple(int(part) for part in found.groups()) if found else None


def knows_exec_form() -> bool:
    """Whether hooks may be written as `command` and `args`; an unknown version counts as new."""
    return (version() or EXEC_FORM_SINCE) >= EXEC_FORM_SINCE


def uses_powershell() -> bool:
    """Whether Claude Code's shell here is PowerShell: on Windows where Git Bash is missing."""
    return sys.platform == "win32" and not git_bash()


def git_bash() -> str | None:
    """Git's `bash.exe`, looked for as Claude Code does: its own variable, then beside `git`."""
    if configured := os.environ.get("CLAUDE_CODE_GIT_BASH_PATH"):
        return configured
    folders = [
        os.path.join(os.environ.get(name, ""), "Git") for name in ("ProgramFiles", "LOCALAPPDATA")
    ]
    if git := shutil.which("git"):  # …\Git\cmd\git.exe
        folders.insert(0, os.path.dirname(os.path.dirname(git)))
    candidates = (os.path.join(folder, "bin", "bash.exe") for folder in folders)
    return next((path for path in candidates if os.path.exists(path)), None)


def has_plugin() -> bool:
    """Whether the person has our plugin, which brings hooks and slash commands of its own."""
    try:
        settings = json_edit.values((files.read(paths.claude_settings_file()) or b"").decode())
    except (BrokenJsonError, UnicodeDecodeError):
        return False
    enabled = settings.get("enabledPlugins") if isinstance(settings, dict) else None
    return isinstance(enabled, dict) and enabled.get(PLUGIN) is True


def _find(name: str) -> str | None:
    places = os.pathsep.join(os.path.expanduser(place) for place in _PLACES)
    return shutil.which(name) or shutil.which(name, path=places)
