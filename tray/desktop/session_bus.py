"""What Linux' desktops offer over D-Bus: notifications, the preferred colours, a tray.

`jeepney` speaks the protocol in Python, so no program needs to be there to speak it for us.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jeepney.io.blocking import DBusConnection

_QUICK = 1.0
"""Seconds that a desktop gets to answer a small question."""

_BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
_NOTIFICATIONS = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
_PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_TRAY = "org.kde.StatusNotifierWatcher"


class NoBusError(Exception):
    """There is no session bus, or nobody on it does what was asked for."""


def colour_scheme() -> int:
    """Ask for the colours that the person prefers: 0 no preference, 1 dark, 2 light."""
    try:
        with _connection() as bus:
            read = "org.freedesktop.portal.Settings.Read"
            answer = _call(bus, _PORTAL, read, "ss", _COLOUR_SCHEME)
    except NoBusError:
        return 0
    value = answer[0]
    while isinstance(value, tuple):  # a variant, maybe in a variant: (signature, value)
        value = value[1]
    return int(value)


def has_tray() -> bool:
    """Whether a panel takes status notifier items, as KDE, and GNOME with its extension, do."""
    try:
        with _connection() as bus:
            return bool(_call(bus, _BUS, f"{_BUS[0]}.NameHasOwner", "s", (_TRAY,))[0])
    except NoBusError:
        return False


def notify(title: str, body: str, icon_file: str, *, wait_seconds: float) -> bool:
    """Show a notification and wait until it is clicked, closed or `wait_seconds` have passed.

    Returns whether it was clicked. Raises `NoBusError` where none could be shown.
    """
    with _connection() as bus:
        from jeepney import MatchRule  # noqa: PLC0415

        name, _ = _NOTIFICATIONS
        events = MatchRule(type="signal", interface=name)
        with bus.filter(events) as signals:
            _call(bus, _BUS, f"{_BUS[0]}.AddMatch", "s", (events.serialise(),))
            hints: dict[str, object] = {}
            message = ("ChatRecall", 0, icon_file, title, body, ["default", "Open"], hints, -1)
            shown = _call(bus, _NOTIFICATIONS, f"{name}.Notify", "susssasa{sv}i", message)[0]
            deadline = time.monotonic() + wait_seconds
            while (left := deadline - time.monotonic()) > 0:
                try:
                    signal = bus.recv_until_filtered(signals, timeout=left)
                except TimeoutError:
                    break
                if signal.body[0] == shown:
                    return bool(signal.body[1] == "default")
    return False


_COLOUR_SCHEME = ("org.freedesktop.appearance", "color-scheme")


@contextlib.contextmanager
def _connection() -> Iterator[DBusConnection]:
    try:
        # Only here: most of the time nobody asks, and Windows does not have it.
        from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415

        bus = open_dbus_connection("SESSION")
    except (ImportError, OSError, KeyError, ValueError) as error:
        raise NoBusError("no session bus") from error
    try:
        yield bus
    except (OSError, TimeoutError) as error:
        raise NoBusError("the session bus went away") from error
    finally:
        bus.close()


def _call(
    bus: DBusConnection,
    address: tuple[str, str],
    method: str,
    signature: str,
    body: tuple[object, ...],
) -> tuple[Any, ...]:
    from jeepney import DBusAddress, MessageType, new_method_call  # noqa: PLC0415

    name, path = address
    interface, _, member = method.rpartition(".")
    target = DBusAddress(path, bus_name=name, interface=interface)
    answer = bus.send_and_get_reply(
        new_method_call(target, member, signature, body), timeout=_QUICK
    )
    if answer.header.message_type is MessageType.error:
        raise NoBusError(str(answer.body))
    return tuple(answer.body)
