"""`chatrecall key`."""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING

from core.errors import ChatRecallError
from core.summaries import keys

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare what is to be done with the key. The key itself is never an argument."""
    parser.add_argument(
        "action",
        choices=("set", "remove", "status"),
        help="set reads the key from the terminal or standard input and stores it in the keyring",
    )


def run(arguments: argparse.Namespace) -> str:
    """Store, remove or name the API key that pays for summaries."""
    if arguments.action == "set":
        return _set(_read())
    if arguments.action == "remove":
        removed = keys.remove()
        return f"{'The key was removed.' if removed else 'No key was stored.'} {_status()}"
    return _status()


def _read() -> str:
    """The key, typed without being shown, or piped in: arguments stay in the shell's history."""
    if sys.stdin is None:
        raise ChatRecallError("There is no terminal", "Run it in a terminal.")
    return getpass.getpass("API key: ") if sys.stdin.isatty() else sys.stdin.readline()


def _set(value: str) -> str:
    value = keys.checked(value)
    trouble = _trouble(value)
    keys.store(value)
    checked = f"It could not be tried: {trouble}" if trouble else "The API accepts it."
    return f"The key is stored in the system keyring. {checked}"


def _trouble(value: str) -> str:
    """Why the key could not be tried; empty where the API accepts it. Asking costs nothing.

    Raises `SummaryError` where the API refuses it.
    """
    from core.summaries.reasons import Reason, SummaryError  # noqa: PLC0415  loads what only `set` needs
    from core.summaries.summarizers import model  # noqa: PLC0415
    from core.summaries.summarizers.api import ApiSummarizer  # noqa: PLC0415

    try:
        ApiSummarizer(value, model()).check()
    except SummaryError as failed:
        if failed.reason is Reason.KEY_REFUSED:
            raise
        return f"{failed.title}."
    return ""


def _status() -> str:
    key = keys.find()
    if key:
        return f"Summaries are paid with the key from {key.source}."
    return (
        "There is no API key: summaries are local, without a model. "
        f"`chatrecall key set` stores one, or set {keys.VARIABLE}."
    )
