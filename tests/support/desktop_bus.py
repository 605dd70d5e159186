"""A session bus of a test's own, with a desktop on it: notifications and a tray, by D-Bus alone."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTIFICATIONS = "org.freedesktop.Notifications"
WATCHER = "org.kde.StatusNotifierWatcher"


class Desktop:
    """Answers what our app and the libraries under it ask of a desktop, and notes it."""

    def __init__(self, address: str, *names: str) -> None:
        from jeepney.io.blocking import open_dbus_connection

        self.address = address
        self.notified: list[tuple[Any, ...]] = []
        self.items: list[tuple[str, str]] = []
        """The tray icons: the bus name and the object path of each."""
        self.clicks = True
        """Whether the person clicks each notification."""
        self._bus = open_dbus_connection(address)
        for name in names:
            self.come(name)
        threading.Thread(target=self._serve, daemon=True).start()

    def come(self, name: str) -> None:
        """Own this name from now on, as a program that starts does."""
        self._ask_bus("RequestName", "su", name, 0)

    def leave(self, name: str) -> None:
        """Own this name no longer, as a program that ends does."""
        self._ask_bus("ReleaseName", "s", name)

    def ask(self, name: str, path: str, method: str, signature: str, *body: object) -> Any:
        """Call a method of a program on the bus and return its answer."""
        from jeepney import DBusAddress, new_method_call
        from jeepney.io.blocking import open_dbus_connection

        interface, _, member = method.rpartition(".")
        target = DBusAddress(path, name, interface)
        with contextlib.closing(open_dbus_connection(self.address)) as bus:
            call = new_method_call(target, member, signature or None, body)
            return bus.send_and_get_reply(call, timeout=10).body

    def _ask_bus(self, method: str, signature: str, *body: object) -> None:
        from jeepney import DBusAddress, new_method_call

        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        self._bus.send(new_method_call(bus, method, signature, body))

    def _serve(self) -> None:
        from jeepney import HeaderFields, MessageType, new_method_return

        with contextlib.suppress(OSError):
            while True:
                message = self._bus.receive()
                if message.header.message_type is not MessageType.method_call:
                    continue
                fields = message.header.fields
                member = fields[HeaderFields.member]
                signature, body = self._answer(member, fields[HeaderFields.sender], message.body)
                self._bus.send(new_method_return(message, signature, body))
                if member == "Notify" and self.clicks:
                    self._click(len(self.notified))

    def _answer(
        self, member: str, sender: str, body: tuple[Any, ...]
    ) -> tuple[str | None, tuple[Any, ...]]:
        if member == "Notify":
            self.notified.append(body)
            return "u", (len(self.notified),)
        if member == "RegisterStatusNotifierItem":
            self.items.append((sender, body[0]))
        if member == "GetAll":
            return "a{sv}", ({"IsStatusNotifierHostRegistered": ("b", True)},)
        if member == "Get":
            return "v", (("b", True),)
        return None, ()

    def _click(self, number: int) -> None:
        from jeepney import DBusAddress, new_signal

        source = DBusAddress("/org/freedesktop/Notifications", interface=NOTIFICATIONS)
        self._bus.send(new_signal(source, "ActionInvoked", "us", (number, "default")))


@contextlib.contextmanager
def new_desktop(*names: str) -> Iterator[Desktop]:
    """A bus with a desktop that owns these names; skips the test where there is no D-Bus."""
    if not shutil.which("dbus-daemon"):
        pytest.skip("not installed: dbus-daemon (apt-get install dbus)")
    pytest.importorskip("jeepney")
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert daemon.stdout is not None
    try:
        yield Desktop(daemon.stdout.readline().strip(), *names)
    finally:
        daemon.terminate()
        daemon.wait(10)
