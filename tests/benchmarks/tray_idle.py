"""What the tray app costs: `python -m tests.benchmarks.tray_idle [MINUTES]`, by default ten.

Runs the real app on an X server of its own and prints a table: how soon the icon and the search box
are there, what waiting costs in wake-ups and processor time, memory, and how soon it has quit.
Wake-ups are voluntary context switches of all its threads; looking at the clock once a minute is
what is left of them.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.benchmarks.history import write_history
from tests.support.desktop_bus import WATCHER, new_desktop
from tests.support.screen import Screen, new_screen, wait_until
from tests.support.tray_app import TrayApp

SESSIONS = 500
SESSION_BYTES = 50_000
OPENINGS = 15
SECONDS_TO_SETTLE = 5.0
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory() as folder, new_screen() as screen:
        home = Path(folder)
        write_history(home / ".claude" / "projects", SESSIONS, SESSION_BYTES)
        screen.start_window_manager()
        screen.start_tray()
        measure(screen, home, minutes)
        measure_with_gtk(screen, home)


def measure(screen: Screen, home: Path, minutes: float) -> None:
    """Use the app, let it wait, and print a row for each thing."""
    environment = {"HOME": str(home), "DBUS_SESSION_BUS_ADDRESS": "none:"}
    started = time.monotonic()
    app = TrayApp(screen, home, environment=environment)
    try:
        app.wait_for_log("Icon shown")
        print_row("icon shown after the start", f"{1000 * (time.monotonic() - started):.0f} ms")
        wait_until(lambda: "Notification: " in app.log, 120)  # the first round is over
        print_row("memory, waiting", memory(app))
        before, cpu = wake_ups(app), processor_seconds(app)
        time.sleep(60 * minutes)
        print_row(f"wake-ups in {minutes:g} min", f"{wake_ups(app) - before}")
        spent = 1000 * (processor_seconds(app) - cpu)
        print_row(f"processor time in {minutes:g} min", f"{spent:.0f} ms")
        openings = [time_opening(app) for _ in range(OPENINGS)]
        print_row("box shown after the click, median", f"{1000 * median(openings):.0f} ms")
        print_row("box shown after the click, worst", f"{1000 * max(openings):.0f} ms")
        app.screen.click(*app.icon())
        wait_until(app.box)
        app.screen.type("error")
        app.screen.press("Return")
        app.wait_for_page()
        print_row("memory after a search and a page", memory(app))
        started = time.monotonic()
        app.quit()
        print_row("ended after being asked", f"{1000 * (time.monotonic() - started):.0f} ms")
    finally:
        app.close()


def measure_with_gtk(screen: Screen, home: Path) -> None:
    """Print the memory in a tray like KDE's, for which pystray loads GTK."""
    with new_desktop(WATCHER) as desktop:
        environment = {"HOME": str(home), "DBUS_SESSION_BUS_ADDRESS": desktop.address}
        app = TrayApp(screen, home, environment=environment)
        try:
            app.wait_for_log("pystray's back end")
            if "appindicator can't be used" in app.log:
                print_row("memory in a tray like KDE's", "this Python has no gi with AppIndicator")
                return
            wait_until(lambda: desktop.items)
            time.sleep(SECONDS_TO_SETTLE)
            print_row("memory in a tray like KDE's", memory(app))
        finally:
            app.close()


def time_opening(app: TrayApp) -> float:
    """Seconds from the click on the icon to the box, with what xdotool takes to click and look."""
    place = app.icon()
    started = time.monotonic()
    app.screen.click(*place)
    while not app.box():
        pass
    seconds = time.monotonic() - started
    app.screen.press("Escape")
    wait_until(lambda: not app.box())
    return seconds


def memory(app: TrayApp) -> str:
    """Memory in MB: resident, its share of what others use, too, and what is the app's alone.

    Their usual names are RSS, PSS and USS.
    """
    rollup = Path(f"/proc/{app.process.pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in rollup.splitlines()[1:]}
    own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    parts = (kilobytes["Rss"], "resident"), (kilobytes["Pss"], "its share"), (own, "its own")
    return ", ".join(f"{size / 1024:.0f} MB {what}" for size, what in parts)


def wake_ups(app: TrayApp) -> int:
    """How often its threads have been woken so far."""
    return sum(
        int(line.split()[1])
        for thread in Path(f"/proc/{app.process.pid}/task").iterdir()
        for line in (thread / "status").read_text(encoding="ascii").splitlines()
        if line.startswith("voluntary_ctxt_switches")
    )


def processor_seconds(app: TrayApp) -> float:
    """Processor time that it has used so far."""
    fields = Path(f"/proc/{app.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / TICKS_A_SECOND


def print_row(what: str, value: str) -> None:
    """Print one line of the table at once: measuring takes its time."""
    print(f"{what:<36}{value}", flush=True)


if __name__ == "__main__":
    main()
