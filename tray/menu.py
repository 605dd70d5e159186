"""The menu: built as plain data from the present state, so that any toolkit can show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from core.privacy.privacy import UNTIL_RESUMED
from core.summaries.money import dollars
from tray.text import fit, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from tray.present import Present, RecentSession

_LABEL_UNITS = 60


class Actions(Protocol):
    """What the menu's items do. Each returns at once."""

    def search(self) -> None:
        """Bring up the search box."""

    def open_session(self, session_id: str) -> None:
        """Open the page of one session."""

    def summarize_now(self) -> None:
        """Run a round now."""

    def pause(self, until: datetime | None) -> None:
        """Hold capture and timer until then; None: until resumed."""

    def resume(self) -> None:
        """Go on with capture and timer."""

    def launch_at_logon(self, wanted: bool) -> None:
        """Start at logon from now on, or no longer."""

    def explain_trouble(self) -> None:
        """Say what is wrong and what to do."""

    def open_data_folder(self) -> None:
        """Show the folder with the database and the settings."""

    def quit(self) -> None:
        """End the app."""


@dataclass(frozen=True)
class Item:
    """One line of the menu."""

    label: str
    action: Callable[[], None] | None = None
    """None: the line only tells something."""
    submenu: tuple[Item, ...] = ()
    checked: bool | None = None
    """None: not a switch."""
    default: bool = False
    """What a click on the icon itself does."""


SEPARATOR = Item("")


def build(present: Present, actions: Actions, *, now: datetime | None = None) -> tuple[Item, ...]:
    """All lines, top to bottom."""
    return (
        *_trouble(present, actions),
        Item("Search…", actions.search, default=True),
        _recent_sessions(present, actions),
        SEPARATOR,
        _summarize(present, actions),
        _pause_or_resume(present, actions, now or datetime.now().astimezone()),
        _launch_at_logon(present, actions),
        SEPARATOR,
        Item(spending(present)),
        Item("Open data folder", actions.open_data_folder),
        SEPARATOR,
        Item("Quit", actions.quit),
    )


def spending(present: Present) -> str:
    """Say what summaries cost, e.g. `Spent today $0.03, this month $0.41`."""
    return (
        f"Spent today {dollars(present.spent_today)}, "
        f"this month {dollars(present.spent_this_month)}"
    )


def clock(moment: datetime, now: datetime) -> str:
    """Say the time of day, with the date where it is another day."""
    if moment.date() == now.date():
        return f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d %H:%M}"


def _trouble(present: Present, actions: Actions) -> tuple[Item, ...]:
    if not present.trouble:
        return ()
    label = fit(one_line(present.trouble.title), _LABEL_UNITS)
    return Item(f"{label}: what to do…", actions.explain_trouble), SEPARATOR


def _recent_sessions(present: Present, actions: Actions) -> Item:
    if not present.recent:
        return Item("No sessions yet")
    lines = (
        Item(_session_label(session), _opener(actions, session.session_id))
        for session in present.recent
    )
    return Item("Recent sessions", submenu=tuple(lines))


def _session_label(session: RecentSession) -> str:
    name = fit(one_line(session.name), _LABEL_UNITS)
    project = fit(one_line(session.project), _LABEL_UNITS // 2)
    return f"{name} · {project}" if project else name


def _opener(actions: Actions, session_id: str) -> Callable[[], None]:
    return lambda: actions.open_session(session_id)


def _summarize(present: Present, actions: Actions) -> Item:
    if present.working:
        return Item("Summarizing…")
    return Item("Summarize now", None if present.paused_until else actions.summarize_now)


def _pause_or_resume(present: Present, actions: Actions, now: datetime) -> Item:
    until = present.paused_until
    if until:
        how_long = "" if until == UNTIL_RESUMED else f" (paused until {clock(until, now)})"
        return Item(f"Resume capture{how_long}", actions.resume)
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    choices = (
        Item("For an hour", lambda: actions.pause(now + timedelta(hours=1))),
        Item("Until tomorrow", lambda: actions.pause(tomorrow)),
        Item("Until I resume it", lambda: actions.pause(None)),
    )
    return Item("Pause capture", submenu=choices)


def _launch_at_logon(present: Present, actions: Actions) -> Item:
    wanted = not present.at_logon
    return Item(
        "Launch at logon", lambda: actions.launch_at_logon(wanted), checked=present.at_logon
    )
