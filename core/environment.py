"""The user's environment, without what a project put into it.

Claude Code passes the `env` of a project's `.claude/settings.json` on to slash commands (seen with
2.1.197 and 2.1.332; a project's `.env` file it does not). A repository could so pay for summaries
with its own key, or have the user's key and conversations sent to its own ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from core import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

_INSIDE_CLAUDE_CODE = "CLAUDECODE"
_SETTINGS = ("settings.json", "settings.local.json")


def disown_project_settings() -> None:
    """Inside Claude Code, take out of the environment what the settings of a project set.

    The user's own settings, in Claude Code's folder, stay in force.
    """
    if _INSIDE_CLAUDE_CODE not in os.environ:
        return
    for folder in _project_folders():
        for name in _SETTINGS:
            for variable, value in _variables(os.path.join(folder, ".claude", name)):
                if os.environ.get(variable) == value:
                    del os.environ[variable]


def _project_folders() -> Iterator[str]:
    """The folders that may be the project's: where we are, and all above that aren't the user's."""
    own = os.path.normcase(paths.claude_dir())
    for start in filter(None, (_here(), os.environ.get("CLAUDE_PROJECT_DIR"))):
        folder, below = os.path.abspath(start), ""
        while folder != below:
            if os.path.normcase(os.path.join(folder, ".claude")) != own:
                yield folder
            folder, below = os.path.dirname(folder), folder


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder was deleted under us
        return ""


def _variables(file: str) -> list[tuple[str, str]]:
    """The variables that a settings file sets; none where it can't be read."""
    try:
        with open(file, encoding="utf-8-sig") as stream:
            settings = json.load(stream)
    except (OSError, ValueError):
        return []
    variables = settings.get("env") if isinstance(settings, dict) else None
    if not isinstance(variables, dict):
        return []
    return [(str(name), str(value)) for name, value in variables.items()]
