"""`python installer` and its options; `chatrecall install` and `uninstall` share them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from core.errors import ChatRecallError
from installer import naming, run, trial
from installer.inventory import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Install, or whatever the options say; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    parser = argparse.ArgumentParser(
        prog=naming.INSTALLER,
        description="Put ChatRecall on this machine, or take it off again.",
        allow_abbrev=False,
    )
    parser.add_argument("--remove", action="store_true", help="take ChatRecall off this machine")
    parser.add_argument(
        "--try",
        action="store_true",
        dest="trial",
        help="install into a throwaway home with sample sessions, and touch nothing of yours",
    )
    add_only(parser)
    add_purge(parser)
    add_dry_run(parser)
    arguments = parser.parse_args(argv)
    try:
        if arguments.trial:
            return trial.start()
        if arguments.remove or arguments.purge:
            return run.remove(arguments.only, purge=arguments.purge, dry_run=arguments.dry_run)
        return run.install(arguments.only, dry_run=arguments.dry_run)
    except ChatRecallError as error:
        print(f"ChatRecall: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run it again to go on where it was.", file=sys.stderr)
        return 1


def add_only(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses parts."""
    names = [part.NAME for part in PARTS]
    parser.add_argument(
        "--only",
        nargs="+",
        choices=names,
        metavar="PART",
        default=names,
        help=f"these parts only: {', '.join(names)}",
    )


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    """Add the option that changes nothing."""
    parser.add_argument(
        "--dry-run", action="store_true", help="print each change and make none of them"
    )


def add_purge(parser: argparse.ArgumentParser) -> None:
    """Add the option that deletes what is remembered."""
    parser.add_argument(
        "--purge", action="store_true", help="remove it with all that it remembers, for good"
    )
