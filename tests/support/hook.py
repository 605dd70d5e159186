"""The hook as Claude Code starts it: a process of its own, with a payload on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from core import paths

SCRIPT = os.path.join(paths.ROOT, "hook", "append_exchange.py")
COMMAND = [sys.executable, "-I", "-S", SCRIPT]


def start(**options: object) -> subprocess.Popen[bytes]:
    """Start the hook; its payload is still to be written."""
    pipe = subprocess.PIPE
    return subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, **options)  # type: ignore[call-overload,no-any-return]


def run(payload: dict[str, object] | bytes, **options: object) -> None:
    """Run the hook to its end. It must exit with 0 and print nothing, whatever happens."""
    content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    hook = start(**options)
    out, err = hook.communicate(content, timeout=60)
    assert (hook.returncode, out, err) == (0, b"", b"")
