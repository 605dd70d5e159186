"""ChatRecall as a plugin of Claude Code: its files, made from the same parts as an installation.

`python -m installer.plugin` in the repository writes them anew.
"""

from __future__ import annotations

import json
import os
import shlex

from core import VERSION, paths
from installer import files, hooks, slash_commands

_DESCRIPTION = "A memory for Claude Code: every session captured, summarized and found again."
_COMMANDS = "assets/plugin/commands"
_HOOKS = "assets/plugin/hooks.json"

# Claude Code doesn't say which Python there is; the first that starts is taken. An older one than
# ChatRecall needs captures nothing and says nothing.
_HOOK = (
    "import sys; sys.version_info >= (3, 11) or sys.exit(); sys.path.insert(0, sys.argv[1]); "
    "from hook.append_exchange import main; main()"
)
_ROOT = '"$CLAUDE_PLUGIN_ROOT"'

# The same for everyone, unlike an installation's. Text that is made to hold it could have Claude
# Code's shell run a command, though no other than those that Claude Code allows anyway.
_END_MARK = "CHATRECALL_9b1f0c7e5d3a4862"


def contents() -> dict[str, str]:
    """All files of the plugin, by their path in the repository."""
    author = {"name": "The ChatRecall authors"}
    manifest = {
        "name": "chatrecall",
        "version": VERSION,
        "description": _DESCRIPTION,
        "author": author,
        "license": "MIT",
        "commands": f"./{_COMMANDS}/",
        "hooks": f"./{_HOOKS}",
    }
    marketplace = {
        "name": "chatrecall",
        "description": _DESCRIPTION,
        "owner": author,
        "plugins": [{"name": "chatrecall", "source": "./", "description": _DESCRIPTION}],
    }
    return {
        ".claude-plugin/plugin.json": _json(manifest),
        ".claude-plugin/marketplace.json": _json(marketplace),
        _HOOKS: _json({"hooks": {event: _hook_groups() for event in reversed(hooks.EVENTS)}}),
        **{f"{_COMMANDS}/{name}.md": _command(name) for name in slash_commands.COMMANDS},
    }


def write() -> None:
    """Write the files into the repository."""
    for name, content in contents().items():
        file = os.path.join(paths.ROOT, *name.split("/"))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        files.replace(file, content.encode())


def _hook_groups() -> list[dict[str, object]]:
    line = f"-I -S -c {shlex.quote(_HOOK)} {_ROOT}"
    command = f"python3 {line} || python {line} || true"
    handler = {"type": "command", "command": command, "timeout": hooks.TIMEOUT_SECONDS}
    return [{"hooks": [handler]}]


def _command(name: str) -> str:
    script = "${CLAUDE_PLUGIN_ROOT}/installer/plugin_command.py"
    command = ["python3", "-I", script, *slash_commands.COMMANDS[name]]
    return slash_commands.render(name, command, _END_MARK)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write()
