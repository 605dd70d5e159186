"""Whether processes have ended."""

from __future__ import annotations

import os
import time


def has_ended(process: int) -> bool:
    """Whether a process ends within five seconds."""
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(process):
            return True
        time.sleep(0.05)
    return False


def _is_zombie(process: int) -> bool:
    """An ended process whose parent is gone stays listed where nobody collects orphans."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return False
