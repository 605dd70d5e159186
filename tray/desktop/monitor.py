"""A monitor, in pixels of the whole desktop."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Monitor:
    """The usable part of a monitor."""

    x: int
    y: int
    width: int
    height: int
    scale: float
    """1.0 at 96 dots an inch, 1.5 at "150 %"."""

    def middle(self, width: int, height: int) -> tuple[int, int]:
        """Where the upper left corner of a window of this size is, when it stands in the middle."""
        return (
            self.x + max(0, (self.width - width) // 2),
            self.y + max(0, (self.height - height) // 2),
        )
