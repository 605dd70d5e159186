"""What `chatrecall doctor` looks at beyond the parts: the hook at work, and Claude Code itself."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from typing import TYPE_CHECKING, Any

from core import paths
from installer import client, files, hooks, json_edit, samples
from installer.json_tree import BrokenJsonError
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HOOK_SECONDS = 20

_MANAGED_FOLDERS = {
    "win32": (r"C:\Program Files\ClaudeCode", r"C:\ProgramData\ClaudeCode"),
    "darwin": ("/Library/Application Support/ClaudeCode",),
}
_SWITCHES = {
    "disableAllHooks": "Sessions are captured by the hourly task only.",
    "allowManagedHooksOnly": "Sessions are captured by the hourly task only.",
    "disableSkillShellExecution": "/save-recall and /search-chats can't run their command.",
}


def hook_at_work() -> State:
    """Run the registered hook for real, on a sample session and a database of its own."""
    handlers = hooks.registered(paths.claude_settings_file())
    if not handlers:
        if client.has_plugin():
            return State("unknown", "Claude Code alone can start the plugin's hook.")
        return State("missing", advice="`chatrecall install --only hooks` registers it.")
    handler = handlers[0]
    with tempfile.TemporaryDirectory(prefix="chatrecall-", ignore_cleanup_errors=True) as folder:
        transcript = samples.write(os.path.join(folder, "projects"), folder)[0]
        payload = {
            "hook_event_name": "Stop",
            "session_id": os.path.splitext(os.path.basename(transcript))[0],
            "transcript_path": transcript,
            "cwd": folder,
        }
        variables = {"CLAUDE_CONFIG_DIR": folder, "CHATRECALL_HOME": folder}
        try:
            done = _run_hook(handler, payload, variables)
        except (OSError, subprocess.SubprocessError) as error:
            return State("broken", str(error), "`chatrecall install` repairs it.")
        captured = _captured(os.path.join(folder, os.path.basename(paths.database_file())))
        log = files.read(os.path.join(folder, os.path.basename(paths.log_file()))) or b""
    if done.returncode or done.stdout or not captured:
        said = (done.stderr + done.stdout + log).decode("utf-8", "replace").strip()
        words = f"exit code {done.returncode}, {captured} exchanges captured. {said}"
        return State("broken", words, "`chatrecall install` repairs it.")
    return State("works", f"captured {captured} exchanges of a sample session")


def claude_code() -> State:
    """Whether the client is there, and which."""
    version = client.version()
    if version is None:
        advice = "That is fine where another program brings it (VS Code, Desktop)."
        return State("unknown", "There is no `claude` on the PATH that tells its version.", advice)
    return State("works", ".".join(map(str, version)))


def switches() -> State:
    """Whether a setting keeps Claude Code from running hooks or commands."""
    found = []
    for file in _settings_files():
        try:
            settings = json_edit.values((files.read(file) or b"").decode("utf-8"))
        except (BrokenJsonError, OSError, UnicodeDecodeError) as error:
            return State("unknown", f"{file}: {error}", "Mend the file.")
        found += list(_switched_on(file, settings))
    if found:
        return State("broken", " ".join(found), "Ask whoever has set it, or take it out.")
    return State("works", "nothing switches hooks off")


def managed_folders() -> tuple[str, ...]:
    """Where a company's settings for Claude Code are, which nobody else can change."""
    return _MANAGED_FOLDERS.get(sys.platform, ("/etc/claude-code",))


def _switched_on(file: str, settings: Any) -> Iterator[str]:
    for switch, effect in _SWITCHES.items():
        if isinstance(settings, dict) and settings.get(switch) is True:
            yield f"{switch} is set in {file}. {effect}"


def _settings_files() -> list[str]:
    folders = managed_folders()
    managed = [os.path.join(folder, "managed-settings.json") for folder in folders]
    for folder in folders:
        parts = os.path.join(folder, "managed-settings.d")
        if os.path.isdir(parts):
            managed += [os.path.join(parts, name) for name in sorted(os.listdir(parts))]
    return [paths.claude_settings_file(), *managed]


def _run_hook(
    handler: dict[str, Any], payload: dict[str, str], variables: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    command: list[str] = [handler["command"], *handler.get("args", [])]
    if "args" not in handler:
        command = _shell(handler["command"])
    return subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        env={**os.environ, **variables},
        capture_output=True,
        timeout=_HOOK_SECONDS,
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _shell(line: str) -> list[str]:
    if client.uses_powershell():
        return ["powershell", "-NoProfile", "-Command", line]
    return [client.git_bash() or "sh", "-c", line]


def _captured(database: str) -> int:
    if not os.path.exists(database):
        return 0
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("SELECT count(*) FROM exchanges").fetchone()[0])
