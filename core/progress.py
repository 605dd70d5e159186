"""A progress bar for a terminal: share done, megabytes, sessions, time left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_WIDTH = 24
_BETWEEN_UPDATES = 0.1  # seconds


class Progress:
    """Draws itself on one line as it is called, and wipes it away at the end.

    On anything but a terminal it draws nothing.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream and stream.isatty() else None
        self._started = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream and self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __call__(self, done: int, total: int, sessions: int) -> None:
        """Show that `done` of `total` bytes and so many sessions are read."""
        moment = time.monotonic()
        if self._stream and total and moment - self._drawn >= _BETWEEN_UPDATES:
            self._drawn = moment
            line = progress_line(done, total, sessions, moment - self._started)
            self._stream.write(f"\r{line}\x1b[K")
            self._stream.flush()


def progress_line(done: int, total: int, sessions: int, seconds: float) -> str:
    """The bar as text, e.g. `██████      25%  12 of 48 MB  31 sessions  9 s left`."""
    share = done / total
    bar = ("█" * round(share * _WIDTH)).ljust(_WIDTH)
    left = f"{seconds / share - seconds:.0f} s left" if share > 0 else ""
    return (
        f"{bar} {share:4.0%}  {done / 1e6:.0f} of {total / 1e6:.0f} MB  {sessions} sessions  {left}"
    )
