"""`chatrecall install`: what `python installer` does, from the installed copy, as a repair."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from installer import run as installation
from installer.command_line import add_dry_run, add_only

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_only(parser)
    add_dry_run(parser)


def run(arguments: argparse.Namespace) -> str:
    """Install what is missing; the exit code tells whether all of it could be."""
    if code := installation.install(arguments.only, dry_run=arguments.dry_run):
        sys.exit(code)
    return ""
