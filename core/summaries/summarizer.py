"""What every summarizer is: something that writes one summary at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.summaries.ledger import NO_USAGE, Usage

if TYPE_CHECKING:
    from core.summaries.condense import Condensed

LOCAL = "local"


@dataclass(frozen=True)
class Summary:
    """What is remembered of a session."""

    summary: str
    topics: tuple[str, ...]
    decisions: tuple[str, ...]
    search_terms: tuple[str, ...] = ()
    """Words of somebody who remembers the session otherwise; indexed, never shown."""
    project_name: str = ""
    usage: Usage = NO_USAGE


class Summarizer(Protocol):
    """Writes one summary at a time."""

    @property
    def written_by(self) -> str:
        """What is stored beside its summaries: `local`, `api:<model>` or `claude:<model>`."""

    @property
    def account(self) -> str:
        """Tells apart whose failures these are: another key or model begins afresh."""

    @property
    def input_budget(self) -> int:
        """How many tokens of conversation it takes."""

    def expected(self, conversation_tokens: int) -> Usage:
        """What a summary of so much conversation will use, rather too much than too little."""

    def summarize(self, conversation: Condensed) -> Summary:
        """Write the summary. Raises `SummaryError`."""
