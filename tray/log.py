"""The tray app's log: a rotating file, as nobody sees what a program without a console prints."""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
import threading
from typing import TYPE_CHECKING

from core import paths

if TYPE_CHECKING:
    from types import TracebackType

log = logging.getLogger("tray")

_BYTES = 256 * 1024
_OLD_FILES = 2


def file() -> str:
    """Where the log is. Not the hook's: two processes can't rotate one file on Windows."""
    return os.path.join(paths.data_dir(), "tray.log")


def start() -> None:
    """Send the log, and every exception that nobody catches, to the file."""
    paths.make_private(paths.data_dir())
    handler = logging.handlers.RotatingFileHandler(
        file(), maxBytes=_BYTES, backupCount=_OLD_FILES, encoding="utf-8", errors="replace"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.raiseExceptions = False  # a full disk must not end the app
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda hook: _uncaught(hook.exc_type, hook.exc_value, hook.exc_traceback)


def _uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    log.error("Uncaught", exc_info=(kind, error or kind(), trace))
