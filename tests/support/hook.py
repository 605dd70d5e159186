"""The hook as Claude Code starts it: a process of its own, with a payload on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from core import paths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.transcript import Transcript

SCRIPT = os.path.join(paths.ROOT, "hook", "append_exchange.py")
COMMAND = [sys.executable, "-I", "-S", SCRIPT]


def payload(transcript: Transcript, **fields: object) -> dict[str, object]:
    """What Claude Code tells a Stop hook about a session."""
    return {
        "session_id": transcript.session_id,
        "transcript_path": str(transcript.path),
        "cwd": transcript.cwd,
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        **fields,
    }


def start(**options: Any) -> subprocess.Popen[bytes]:
    """Start the hook; its payload is still to be written."""
    pipe = subprocess.PIPE
    return subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, **options)


def run(payload: Mapping[str, object] | bytes, **options: Any) -> None:
    """Run the hook to its end. It must exit with 0 and print nothing, whatever happens."""
    content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    hook = start(**options)
    out, err = hook.communicate(content, timeout=60)
    assert (hook.returncode, out, err) == (0, b"", b"")
