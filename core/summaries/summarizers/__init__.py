"""Summarizers: who writes summaries, and how one is chosen.

`api` asks the Messages API with a key, `claude` runs the unmodified Claude Code client on the
user's plan, `local` picks sentences and terms without any network.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from core import settings
from core.errors import ChatRecallError
from core.summaries import keys
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizer import LOCAL

if TYPE_CHECKING:
    from core.summaries.summarizer import Summarizer


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
