"""The names under which ChatRecall is registered with the operating system, and in a terminal."""

from __future__ import annotations

import hashlib
import os
import sys

from core import paths

INSTALLER = "python installer" if sys.platform == "win32" else "python3 installer"
"""What a person types to run the installer: many systems have no plain `python`."""


def instance() -> str:
    """`chatrecall`, with a sign behind it for an installation in another folder than the usual.

    A person with two Claude Code folders has two installations, each with a timer of its own.
    """
    usual = os.path.join(os.path.expanduser("~"), ".claude", "chatrecall")
    folder = os.path.normcase(paths.data_dir())
    if folder == os.path.normcase(usual):
        return "chatrecall"
    sign = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"chatrecall-{sign}"
