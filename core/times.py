"""Times: stored in UTC as transcripts write them, shown in the person's own zone."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """This moment as it is stored, e.g. `2026-11-30T20:20:40.165Z`; texts compare like times."""
    return stored(datetime.now(UTC))


def stored(moment: datetime) -> str:
    """An aware datetime as it is stored."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(at: str) -> datetime | None:
    """The local time of a stored one; None for an empty or unreadable text."""
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
