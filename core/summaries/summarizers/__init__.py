"""Summarizers: who writes summaries, behind one small interface, and how one is chosen.

`api` asks the Messages API with a key, `claude` runs the unmodified Claude Code client on the
user's plan, `local` picks sentences and terms without any network.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core import settings
from core.errors import ChatRecallError
from core.summaries import keys
from core.summaries.failures import Reason, SummaryError
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


def choose() -> Summarizer:
    """The summarizer that the settings name; `auto` takes `api` where there is a key, else `local`.

    Raises `SummaryError` (no key) where `api` is wanted without a key, and `ChatRecallError` where
    the setting names no summarizer.
    """
    name = str(settings.read()["summarizer"])
    if name == LOCAL:
        return local_summarizer()
    if name == "claude":
        from core.summaries.summarizers.claude import ClaudeSummarizer  # noqa: PLC0415  only when chosen

        return ClaudeSummarizer(model())
    if name not in ("auto", "api"):
        raise ChatRecallError(
            f"There is no summarizer called {name}",
            "Set `summarizer` to auto, api, claude or local in the settings.",
        )
    key = keys.find()
    if key:
        from core.summaries.summarizers.api import ApiSummarizer  # noqa: PLC0415

        return ApiSummarizer(key.value, model())
    if name == "api":
        raise SummaryError(Reason.NO_KEY)
    return local_summarizer()


def local_summarizer() -> Summarizer:
    """The summarizer that always works."""
    from core.summaries.summarizers.local import LocalSummarizer  # noqa: PLC0415

    return LocalSummarizer()


def model() -> str:
    """The model that writes summaries: `CHATRECALL_MODEL`, else the setting."""
    return os.environ.get("CHATRECALL_MODEL") or str(settings.read()["model"])
