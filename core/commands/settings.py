"""`chatrecall settings`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core import settings
from core.errors import ChatRecallError

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the setting and its new value."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a setting; without it, all")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="what to set it to")


def run(arguments: argparse.Namespace) -> str:
    """Print the settings, or change one."""
    name = arguments.name
    known = settings.read()
    if name is None:
        return "\n".join(f"{key:<20}{_text(known[key])}" for key in settings.DEFAULTS)
    if name not in settings.DEFAULTS:
        raise ChatRecallError(
            f"There is no setting called {name}", f"There are {', '.join(settings.DEFAULTS)}."
        )
    if arguments.value is not None:
        settings.write({name: _value(name, arguments.value)})
    return _text(settings.read()[name])


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(name: str, text: str) -> object:
    """The value that a person typed: plain words for a text, JSON for everything else."""
    if isinstance(settings.DEFAULTS[name], str):
        value: object = text
    else:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
    trouble = settings.trouble(name, value)
    if trouble:
        raise ChatRecallError(f"{name} can't be {text}", trouble)
    return value
