"""`python installer --try`: ChatRecall in a throwaway home with sample sessions."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile

from core import paths
from installer import database, environment, history, hooks, samples, slash_commands

_PARTS = (environment, database, hooks, slash_commands, history)
"""Those that stay inside the home; task, logon and tray belong to the machine."""


def start() -> int:
    """Make the home, install into it, and say how to look around. Returns the exit code."""
    home = tempfile.mkdtemp(prefix="chatrecall-try-")
    claude = os.path.join(home, ".claude")
    samples.write(os.path.join(claude, "projects"), home)
    names = [part.NAME for part in _PARTS]
    installer = os.path.join(paths.ROOT, "installer")
    command = [sys.executable, "-I", installer, "--only", *names]
    code = subprocess.call(command, env=_environment(home, claude))
    print(_words(home, claude) if code == 0 else f"\nDelete {home} to be rid of it.", flush=True)
    return code


def _environment(home: str, claude: str) -> dict[str, str]:
    """The variables with every folder that is the person's own moved into `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    if (file := _pip_config()) and "PIP_CONFIG_FILE" not in kept:
        kept["PIP_CONFIG_FILE"] = file
    return {
        **kept,
        "HOME": home,
        "USERPROFILE": home,
        "CLAUDE_CONFIG_DIR": claude,
        "CHATRECALL_HOME": os.path.join(claude, "chatrecall"),
    }


def _pip_config() -> str | None:
    """The person's own configuration of pip, if any: a company's package index may stand there."""
    home = os.path.expanduser("~")
    files = [
        os.path.join(home, ".config", "pip", "pip.conf"),
        os.path.join(home, "Library", "Application Support", "pip", "pip.conf"),
        os.path.join(home, ".pip", "pip.conf"),
    ]
    return next((file for file in files if os.path.exists(file)), None)


def _words(home: str, claude: str) -> str:
    environment_folder = os.path.join(claude, "chatrecall", "environment")
    program = shlex.quote(os.path.join(environment_folder, "bin", "chatrecall"))
    variable = f"CLAUDE_CONFIG_DIR={shlex.quote(claude)} claude"
    if sys.platform == "win32":
        program = os.path.join(environment_folder, "Scripts", "chatrecall")
        program = subprocess.list2cmdline([program])
        variable = f'$env:CLAUDE_CONFIG_DIR="{claude}"; claude'
    return f"""
All of it is in {home}; nothing else was touched. Look around:
  {program} search webhook
  {program} search slow search project:recipes
  {program} library
Or start Claude Code there, and type /search-chats webhook:
  {variable}
To be rid of it, delete the folder {home}"""
