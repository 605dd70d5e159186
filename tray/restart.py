"""Starting the app anew in its own process, for what it can decide only once."""

from __future__ import annotations

import os
import sys

from tray.log import log

_BEFORE = "CHATRECALL_TRAY_RESTARTED"
_QUIET = "--background"


def is_first_start() -> bool:
    """Whether it was not started anew before: what did not help once is not tried again."""
    return _BEFORE not in os.environ


def restart() -> None:
    """Start anew, without a window, and never return. Nothing that it started may still run."""
    log.info("Starting anew")
    os.environ[_BEFORE] = "1"
    arguments = [argument for argument in sys.orig_argv[1:] if argument != _QUIET]
    os.execv(sys.executable, [sys.executable, *arguments, _QUIET])
