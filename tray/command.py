"""`chatrecall tray`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import single_instance
from core.single_instance import Request

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--background",
        action="store_true",
        help="start without the search box, and leave a tray app that runs alone (for logon)",
    )
    how.add_argument("--quit", action="store_true", help="end the tray app that runs")
    how.add_argument(
        "--launch-at-logon",
        choices=("on", "off"),
        help="start the tray app at logon from now on, or no longer",
    )


def run(arguments: argparse.Namespace) -> str:
    """Run the tray app, or speak to the one that runs."""
    if arguments.quit:
        done = single_instance.ask(Request.QUIT)
        return "The tray app ends." if done else "The tray app does not run."
    if arguments.launch_at_logon:
        return _launch_at_logon(arguments.launch_at_logon == "on")
    claim = single_instance.claim()
    if claim is None:
        if not arguments.background:
            single_instance.ask(Request.SHOW)
        return "The tray app runs already."
    from tray import log  # noqa: PLC0415  a second start needs none of it
    from tray.desktop import desktop  # noqa: PLC0415  a second start needs none of it

    log.start()
    log.log.info("Started")
    desktop.prepare()
    from tray.app import App  # noqa: PLC0415  after `prepare`, before which no window may be

    App(claim).run(show=not arguments.background)
    return ""


def _launch_at_logon(wanted: bool) -> str:
    from installer import logon  # noqa: PLC0415  other uses of the command don't need it

    (logon.enable if wanted else logon.disable)()
    return f"The tray app starts at logon: {'yes' if wanted else 'no'}."
