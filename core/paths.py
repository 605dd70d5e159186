"""The only place that knows directories.

Plain strings and `os.path`, because the hook imports this module and `pathlib` would cost it time.
"""

from __future__ import annotations

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder that holds the rooms: the checkout, or `chatrecall/` in site-packages."""

INSTALLED_FOR = os.path.join(ROOT, "installed_for.txt")
"""Written by the installer: Claude Code's folder and the data folder, one a line. The timer, the
tray and a hook run without the variables that were set when ChatRecall was installed."""


def _installed_for() -> tuple[str, str] | None:
    try:
        with open(INSTALLED_FOR, encoding="utf-8", errors="surrogateescape") as stream:
            claude, data = stream.read().rstrip("\n").split("\n")
    except (OSError, ValueError):
        return None
    return claude, data


_INSTALLED_FOR = _installed_for()


def claude_dir() -> str:
    """Claude Code's folder: `CLAUDE_CONFIG_DIR`, else as installed, else `~/.claude`."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    if not configured and _INSTALLED_FOR:
        return _INSTALLED_FOR[0]
    return os.path.abspath(configured or os.path.join(os.path.expanduser("~"), ".claude"))


def projects_dir() -> str:
    """Where Claude Code keeps its transcripts, one folder a project."""
    return os.path.join(claude_dir(), "projects")


def claude_settings_file() -> str:
    """Claude Code's settings, where hooks are registered."""
    return os.path.join(claude_dir(), "settings.json")


def commands_dir() -> str:
    """Claude Code's folder of slash commands."""
    return os.path.join(claude_dir(), "commands")


def data_dir() -> str:
    """ChatRecall's own folder: `CHATRECALL_HOME`, else `chatrecall` in Claude Code's folder.

    Not AppData: a Python from the Microsoft Store sees a private copy of that.
    """
    configured = os.environ.get("CHATRECALL_HOME")
    if not configured and _INSTALLED_FOR and claude_dir() == _INSTALLED_FOR[0]:
        return _INSTALLED_FOR[1]
    return os.path.abspath(configured or os.path.join(claude_dir(), "chatrecall"))


def database_file() -> str:
    """The SQLite database with everything that is remembered."""
    return os.path.join(data_dir(), "chatrecall.db")


def settings_file() -> str:
    """ChatRecall's own settings."""
    return os.path.join(data_dir(), "settings.json")


def log_file() -> str:
    """Where trouble is written down."""
    return os.path.join(data_dir(), "chatrecall.log")


def pages_dir() -> str:
    """Where result pages are written."""
    return os.path.join(data_dir(), "pages")


def backups_dir() -> str:
    """Where copies of the database are kept."""
    return os.path.join(data_dir(), "backups")


def environment_dir() -> str:
    """The private Python environment that the installer makes."""
    return os.path.join(data_dir(), "environment")


def installation_file() -> str:
    """What the installer has put where, so that uninstalling removes exactly that."""
    return os.path.join(data_dir(), "installation.json")


def asset(name: str) -> str:
    """The path of one file in `assets/`; `name` may hold `/`."""
    return os.path.join(ROOT, "assets", *name.split("/"))


def make_private(folder: str) -> None:
    """Create `folder` readable by its owner only; on Windows the profile's own rights apply."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if sys.platform != "win32" and os.stat(folder).st_mode & 0o077:
        os.chmod(folder, 0o700)
