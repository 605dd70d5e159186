"""Progress on one line of a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_WIDTH = 24
_BETWEEN_UPDATES = 0.1  # seconds


class Progress:
    """Draws itself on one line as it is called, and wipes it away at the end.

    `line` puts what it is called with, and the seconds since the start, into words. On anything but
    a terminal it draws nothing.
    """

    def __init__(self, stream: TextIO | None, line: Callable[..., str]) -> None:
        self._line = line
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

    def __call__(self, done: int, total: int, *more: int) -> None:
        """Show that `done` of `total` is done."""
        moment = time.monotonic()
        if self._stream and total and moment - self._drawn >= _BETWEEN_UPDATES:
            self._drawn = moment
            line = self._line(done, total, *more, moment - self._started)
            self._stream.write(f"\r{line}\x1b[K")
            self._stream.flush()


def bar(done: int, total: int, sessions: int, seconds: float) -> str:
    """Bytes and sessions read, e.g. `██████      25%  12 of 48 MB  31 sessions  9 s left`."""
    share = done / total
    drawn = ("█" * round(share * _WIDTH)).ljust(_WIDTH)
    left = f"{seconds / share - seconds:.0f} s left" if share > 0 else ""
    read = f"{done / 1e6:.0f} of {total / 1e6:.0f} MB"
    return f"{drawn} {share:4.0%}  {read}  {sessions} sessions  {left}"
