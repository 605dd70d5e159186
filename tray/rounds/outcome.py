"""What a round did, as it goes from the process that ran it to the one that tells of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from core.errors import ChatRecallError


@dataclass(frozen=True)
class Outcome:
    """The result of one round."""

    summarized: tuple[str, ...] = ()
    """Ids of the sessions with a new summary, the latest active first."""
    titles: tuple[str, ...] = ()
    """Their titles, in the same order."""
    cost_usd: float = 0.0
    problem_title: str = ""
    """What stands in the way and needs the person; empty where nothing does."""
    problem_advice: str = ""
    problem_is_new: bool = False
    """Whether this problem has not been told before."""
    skipped: str = ""
    """Why no round took place, e.g. that capture is paused; empty where one did."""

    @property
    def problem(self) -> ChatRecallError | None:
        """What stands in the way, if anything."""
        if not self.problem_title:
            return None
        return ChatRecallError(self.problem_title, self.problem_advice)

    def to_json(self) -> str:
        """One line that `from_json` reads."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Outcome:
        """Read what `to_json` wrote; `ValueError` or `TypeError` for anything else."""
        values = json.loads(text)
        for name in ("summarized", "titles"):
            values[name] = tuple(values[name])
        return Outcome(**values)
