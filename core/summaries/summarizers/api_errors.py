"""What the official client's exceptions mean for summaries."""

from __future__ import annotations

import ssl
from datetime import timedelta
from typing import TYPE_CHECKING

from core.summaries.ledger import NO_USAGE
from core.summaries.reasons import Reason, SummaryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import anthropic

BY_STATUS = {
    400: Reason.REJECTED,
    401: Reason.KEY_REFUSED,
    402: Reason.NO_CREDIT,
    403: Reason.KEY_REFUSED,
    404: Reason.UNKNOWN_MODEL,
    408: Reason.OVERLOADED,
    409: Reason.OVERLOADED,
    413: Reason.REJECTED,
    429: Reason.OVERLOADED,
}
_CREDIT_WORDS = ("credit balance", "spend limit", "spending limit", "billing")
_DETAIL_MOST = 300  # characters of what the server said


def failure(error: Exception) -> SummaryError:
    """The failure that an exception of the official client stands for.

    What a broken connection was billed is unknown; an error that the server tells costs nothing.
    """
    import anthropic  # noqa: PLC0415  loaded already: the exception is its own
    import httpx2  # noqa: PLC0415

    if isinstance(error, anthropic.APIStatusError):
        return _told(error)
    if isinstance(error, anthropic.APITimeoutError) and not _never_connected(error):
        return SummaryError(Reason.OFFLINE, "The answer did not come in time")
    if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError):
        certificate = next((e for e in _causes(error) if isinstance(e, ssl.SSLError)), None)
        if certificate and "CERTIFICATE" in str(certificate).upper():
            return SummaryError(Reason.CERTIFICATE, _reason(certificate), usage=NO_USAGE)
        billed = NO_USAGE if _never_connected(error) else None
        cause = next(iter(_causes(error)), error)
        return SummaryError(Reason.OFFLINE, str(cause)[:_DETAIL_MOST], usage=billed)
    if isinstance(error, anthropic.AnthropicError | ValueError):
        return SummaryError(Reason.OFFLINE, _no_api(str(error)))
    raise error


def check_is_message(answer: object) -> None:
    """Raise `SummaryError` where something else than the API answered, e.g. a log-in page."""
    from anthropic.types import Message  # noqa: PLC0415

    if not isinstance(answer, Message) or answer.content is None or answer.usage is None:
        raise SummaryError(Reason.OFFLINE, _no_api(str(answer)), usage=NO_USAGE)


def _told(error: anthropic.APIStatusError) -> SummaryError:
    detail = (error.api_message or error.message)[:_DETAIL_MOST]
    if any(words in detail.lower() for words in _CREDIT_WORDS):
        reason = Reason.NO_CREDIT
    elif error.status_code >= 500:
        reason = Reason.OVERLOADED
    else:
        reason = BY_STATUS.get(error.status_code, Reason.REJECTED)
    after = _seconds(error.response.headers.get("retry-after"))
    return SummaryError(reason, f"{error.status_code}: {detail}", usage=NO_USAGE, retry_after=after)


def _seconds(header: str | None) -> timedelta | None:
    try:
        return timedelta(seconds=float(header)) if header else None
    except (ValueError, OverflowError):
        return None


def _never_connected(error: BaseException) -> bool:
    import httpx2  # noqa: PLC0415

    early = (
        httpx2.ConnectError,
        httpx2.ConnectTimeout,
        httpx2.ProxyError,
        httpx2.UnsupportedProtocol,
    )
    return any(isinstance(cause, early) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause = error.__cause__ or error.__context__
    while cause:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _reason(certificate: ssl.SSLError) -> str:
    return str(getattr(certificate, "verify_message", "") or certificate)[:_DETAIL_MOST]


def _no_api(said: str) -> str:
    return f"Something else than the API answered: {said[:80]!r}"
