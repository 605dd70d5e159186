"""What the installer is made of: parts behind one interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from core.errors import ChatRecallError

if TYPE_CHECKING:
    from installer.changes import Change


class NotHereError(ChatRecallError):
    """Nothing on this machine that the part could use; the rest works without it."""


@dataclass(frozen=True)
class State:
    """How a part is."""

    kind: Literal["works", "missing", "broken", "unknown"]
    words: str = ""
    """What was seen."""
    advice: str = ""
    """What to do where it doesn't work."""


class Part(Protocol):
    """One part of an installation; each module that is a part has these names.

    Installing again does what is missing and nothing else, so it is the repair as well.
    """

    NAME: str
    """What `--only` calls it."""
    TITLE: str
    """What a person reads."""
    NEEDS_ENVIRONMENT: bool
    """Whether it points to the private environment, and so must not be there without it."""

    def install(self) -> list[Change]:
        """What is missing; empty where all is in place."""

    def remove(self) -> list[Change]:
        """What there is to take away; empty where nothing is left."""

    def state(self) -> State:
        """Whether it works, seen as far as possible by using it."""
