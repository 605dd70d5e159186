"""Why there is no summary: what happened, whom it concerns, what to do, when to try again.

Some reasons concern everything (no credit, offline): the round stops and tries again later. The
others concern one session: the round goes on with the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import ChatRecallError

if TYPE_CHECKING:
    from core.summaries.ledger import Usage

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Reason(StrEnum):
    """Why there is no summary."""

    NO_KEY = "no key"
    KEY_REFUSED = "key refused"
    NO_CREDIT = "no credit"
    UNKNOWN_MODEL = "unknown model"
    OVERLOADED = "overloaded"
    OFFLINE = "offline"
    CERTIFICATE = "certificate"
    NOT_INSTALLED = "not installed"
    NOT_LOGGED_IN = "not logged in"
    DAILY_CAP = "daily cap"
    REFUSED = "refused by the model"
    INVALID_ANSWER = "invalid answer"
    REJECTED = "request rejected"
    SEVERAL = "several failures"


@dataclass(frozen=True)
class Handling:
    """What a reason means for a person and for the timer."""

    title: str
    advice: str
    waits: tuple[timedelta, ...]
    """How long after each failed attempt the next one is due; after the last it is given up."""
    concerns_all: bool = True
    endless: bool = False
    """The last wait is repeated: it passes by itself and an attempt costs nothing."""


_NEEDS_A_PERSON = (_HOUR, 6 * _HOUR, _DAY, _DAY, _DAY)
_PASSES = (10 * _MINUTE, 30 * _MINUTE, _HOUR, 2 * _HOUR, 6 * _HOUR)

HANDLING = {
    Reason.NO_KEY: Handling(
        "There is no API key",
        "Store one with `chatrecall key set`, or choose another summarizer in the settings.",
        (timedelta(),),
        endless=True,  # looking for a key again asks nobody
    ),
    Reason.KEY_REFUSED: Handling(
        "The API key was refused",
        "Make a new one on platform.claude.com and store it with `chatrecall key set`.",
        _NEEDS_A_PERSON,
    ),
    Reason.NO_CREDIT: Handling(
        "The API account has no credit",
        "Buy credits on platform.claude.com, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.UNKNOWN_MODEL: Handling(
        "The model is not available",
        "Set another one in the settings (`model`) or in CHATRECALL_MODEL.",
        _NEEDS_A_PERSON,
    ),
    Reason.OVERLOADED: Handling(
        "The API is overloaded or a limit is reached",
        "ChatRecall tries again later.",
        _PASSES,
        endless=True,
    ),
    Reason.OFFLINE: Handling(
        "The API can't be reached",
        "ChatRecall tries again later. Behind a proxy, HTTPS_PROXY has to name it.",
        _PASSES,
        endless=True,
    ),
    Reason.CERTIFICATE: Handling(
        "The API's certificate is not trusted",
        "A proxy or security software seems to sign the connection. Install its root certificate "
        "in the operating system's trust store, or name its file in SSL_CERT_FILE.",
        _NEEDS_A_PERSON,
    ),
    Reason.NOT_INSTALLED: Handling(
        "The summarizer is not installed",
        "Install it, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.NOT_LOGGED_IN: Handling(
        "Claude Code is not logged in to a plan",
        "Run `claude` and log in, or choose another summarizer in the settings.",
        _NEEDS_A_PERSON,
    ),
    Reason.DAILY_CAP: Handling(
        "The daily cap is reached",
        "The rest follows tomorrow. `daily_cap_usd` in the settings changes the cap.",
        (timedelta(),),
        endless=True,  # the ledger decides, not the clock
    ),
    Reason.SEVERAL: Handling(
        "Several summaries failed in a row",
        "`chatrecall status` tells more; another model may do better (`model` in the settings).",
        _NEEDS_A_PERSON,
    ),
    Reason.REFUSED: Handling(
        "The model refused to summarize a session",
        "Its local summary stays; `chatrecall summarize --session` tries once more.",
        (),  # asking again is refused again, and billed
        concerns_all=False,
    ),
    Reason.INVALID_ANSWER: Handling(
        "The model's answer was not usable",
        "It is asked again later, three times at most.",
        (_HOUR, 6 * _HOUR),
        concerns_all=False,
    ),
    Reason.REJECTED: Handling(
        "The API rejected the request for a session",
        "Its local summary stays; `chatrecall summarize --session` tries once more.",
        (),  # the same request is rejected again
        concerns_all=False,
    ),
}


class SummaryError(ChatRecallError):
    """A summary that did not come about. `detail` is what the other side said.

    `usage` is what was billed nevertheless; None where nobody knows (the connection broke).
    """

    def __init__(
        self,
        reason: Reason,
        detail: str = "",
        *,
        usage: Usage | None = None,
        retry_after: timedelta | None = None,
    ) -> None:
        handling = HANDLING[reason]
        said = f"{detail.rstrip('.')}. " if detail else ""
        super().__init__(handling.title, f"{said}{handling.advice}")
        self.reason = reason
        self.detail = detail
        self.usage = usage
        self.retry_after = retry_after
        self.concerns_all = handling.concerns_all
