"""The timer: says when a round is due, and is not fooled by sleep or a changed clock."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_SECONDS = 60.0
"""How often the clocks are looked at. A wait does not go on while the computer sleeps, so one long
wait would come too late by the length of the sleep."""


class Interval:
    """An interval on two clocks: over when either says so.

    The monotonic clock stands still in sleep (on Linux and macOS); the wall clock may be set. Set
    back, it says nothing until the other one does; set forward, it costs one early round.
    """

    def __init__(self, wall: float, monotonic: float) -> None:
        self.restart(wall, monotonic)

    def restart(self, wall: float, monotonic: float) -> None:
        """Begin anew at these times, both in seconds."""
        self._wall = wall
        self._monotonic = monotonic

    def is_over(self, seconds: float, wall: float, monotonic: float) -> bool:
        """Whether `seconds` have passed at these times."""
        return max(wall - self._wall, monotonic - self._monotonic) >= seconds


class Timer:
    """Calls `work` when an interval is over or when asked to, and `look` before and each minute."""

    def __init__(
        self,
        work: Callable[[], None],
        look: Callable[[], None],
        interval_seconds: Callable[[], float],
        *,
        first_seconds: float,
    ) -> None:
        self._work = work
        self._look = look
        self._interval_seconds = interval_seconds
        self._first_seconds = first_seconds
        self._now = threading.Event()
        self._ended = False

    def run(self) -> None:
        """Wait and work until `end`."""
        interval = Interval(time.time(), time.monotonic())
        seconds = self._first_seconds
        while not self._ended:
            asked = self._now.wait(min(LOOK_SECONDS, seconds))
            self._now.clear()
            if self._ended:
                return
            self._look()
            if asked or interval.is_over(seconds, time.time(), time.monotonic()):
                interval.restart(time.time(), time.monotonic())
                self._work()
                seconds = self._interval_seconds()

    def work_now(self) -> None:
        """Work at once. For any thread."""
        self._now.set()

    def end(self) -> None:
        """Return from `run` soon. For any thread."""
        self._ended = True
        self._now.set()
