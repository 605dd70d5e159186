"""`chatrecall uninstall`: what `python installer --remove` does, from the installed copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from core import paths
from installer import layout
from installer.command_line import add_dry_run, add_purge

if TYPE_CHECKING:
    import argparse

_NEEDED = ("core", "installer", "assets")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_purge(parser)
    add_dry_run(parser)


def run(arguments: argparse.Namespace) -> str:
    """Remove everything, this copy included.

    A program can't delete itself while it runs, on Windows not even the file. So the work is done
    by a copy elsewhere, under the base interpreter.
    """
    options = ["--purge"] * arguments.purge + ["--dry-run"] * arguments.dry_run
    folders = {"CLAUDE_CONFIG_DIR": paths.claude_dir(), "CHATRECALL_HOME": paths.data_dir()}
    with tempfile.TemporaryDirectory(prefix="chatrecall-", ignore_cleanup_errors=True) as copy:
        for room in _NEEDED:
            shutil.copytree(os.path.join(paths.ROOT, room), os.path.join(copy, room))
        program = [layout.current().base, "-I", os.path.join(copy, "installer"), "--remove"]
        code = subprocess.call([*program, *options], env={**os.environ, **folders})
    sys.exit(code)
