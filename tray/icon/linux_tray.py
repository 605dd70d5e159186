"""The trays of Linux' desktops: which one is there, and the icon that fits it.

KDE, and GNOME with an extension, take status notifier items over D-Bus, which pystray makes with
GTK. Panels of other desktops take X11 windows. pystray could give them a GTK window as well, with
a menu; but GTK takes 20 MB, half as much as all the rest, and the X11 icon has our own menu.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

from tray.desktop import session_bus
from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tray.icon.icon_source import IconSource


def why_missing() -> str:
    """Say, as a sentence, why no icon can show; empty where one can."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "There is no display."
    takes_items = session_bus.has_tray()
    if (takes_items and _choose("appindicator")) or _has_x11_tray():
        return ""
    if takes_items:
        return (
            "The desktop's tray takes icons by AppIndicator, which this Python does not have. "
            "On Debian and Ubuntu, python3-gi and gir1.2-ayatanaappindicator3-0.1 "
            "add it to the system's Python."
        )
    return (
        "The desktop has no tray. On GNOME, the extension "
        "AppIndicator and KStatusNotifierItem Support adds one."
    )


def make_icon(source: IconSource, open_menu: Callable[[int, int], None]) -> Any:
    """Make the icon for the tray that is there, or one that waits for an X11 tray.

    At logon, panels may start later than we do. Raises `ImportError`, or an error of Xlib's, where
    there is no display.
    """
    if session_bus.has_tray() and _choose("appindicator"):
        from tray.icon.gtk_icon import GtkIcon  # noqa: PLC0415  the choice comes first

        return GtkIcon(source)
    if not _choose("xorg"):
        raise ImportError("there is no X server")
    from tray.icon.x11_icon import X11Icon  # noqa: PLC0415

    return X11Icon(source, open_menu)


@functools.cache
def _choose(backend: str) -> bool:
    """Have pystray use this back end, which it decides once, when it is imported."""
    os.environ["PYSTRAY_BACKEND"] = backend
    try:
        with _ready_for_gtk() if backend == "appindicator" else contextlib.nullcontext():
            importlib.import_module("pystray")
    except Exception as error:  # whatever Xlib or GTK raise
        log.info("pystray's back end %s can't be used: %s", backend, error)
        return False
    log.info("pystray's back end: %s", backend)
    return True


@contextlib.contextmanager
def _ready_for_gtk() -> Iterator[None]:
    """Let GTK be found, and let it start without OpenGL.

    We show no window of GTK's, and Mesa alone is as large as the rest of the app. GTK looks at the
    variable once; what we start afterwards shall not find it.
    """
    _let_gi_be_found()
    before = os.environ.get("GDK_GL")
    os.environ["GDK_GL"] = "disable"
    try:
        yield
    finally:
        if before is None:
            del os.environ["GDK_GL"]
        else:
            os.environ["GDK_GL"] = before


def _let_gi_be_found() -> None:
    """Let the private environment see the distribution's `gi`, if it is for this Python.

    Its folder goes last, so that nothing else in it comes before ours.
    """
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    for folder in (
        "/usr/lib/python3/dist-packages",
        f"/usr/lib64/python3.{sys.version_info.minor}/site-packages",
        f"/usr/lib/python3.{sys.version_info.minor}/site-packages",
    ):
        if glob.glob(f"{folder}/gi/_gi.cpython-{version}-*.so") and folder not in sys.path:
            sys.path.append(folder)


def _has_x11_tray() -> bool:
    from Xlib import X, display  # noqa: PLC0415  not on other systems

    try:
        server = display.Display()
    except Exception:
        return False
    try:
        selection = server.intern_atom(f"_NET_SYSTEM_TRAY_S{server.get_default_screen()}")
        return bool(server.get_selection_owner(selection) != X.NONE)
    finally:
        server.close()
