"""What the Messages API may answer to one request, well or badly."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

GOOD_ANSWER = {
    "summary": "The flaky login test was traced to a shared Redis database. It is fixed.",
    "topics": ["auth_test.py", "pytest-xdist", "Redis"],
    "decisions": ["Each worker gets a Redis database of its own."],
    "project_name": "shop",
    "search_terms": ["random test failures", "parallel tests", "race condition"],
}
USAGE = {"input_tokens": 1_000, "output_tokens": 200}


@dataclass(frozen=True)
class Play:
    """One answer: a status with a body, or something ruder."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    how: str = "whole"
    """`whole`; `cut` after half of the body; `hung`, which never answers."""


def message(blocks: list[dict[str, Any]], stop_reason: str = "end_turn", **more: Any) -> Play:
    """A message of these content blocks."""
    return in_json(
        200,
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-haiku-5-5",
            "content": blocks,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": USAGE,
            **more,
        },
    )


def text(said: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": said}


def success(**fields: object) -> Play:
    """A good answer, with some fields changed."""
    return message([text(json.dumps({**GOOD_ANSWER, **fields}))])


def thinking_first() -> Play:
    """A good answer behind a thinking block."""
    thought = {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}
    return message([thought, text(json.dumps(GOOD_ANSWER))])


def refusal() -> Play:
    """A refusal by the safety system, with a text that is no JSON."""
    details = {"type": "refusal", "category": "cyber", "explanation": "It is about malware."}
    return message([text("I can't help with that.")], "refusal", stop_details=details)


def truncated() -> Play:
    """An answer that was cut at `max_tokens`."""
    return message([text(json.dumps(GOOD_ANSWER)[:80])], "max_tokens")


def invalid_json() -> Play:
    """An answer that breaks the schema."""
    return message([text("Here is your summary: it went well.")])


def error(status: int, kind: str, said: str, **headers: str) -> Play:
    """An error in the API's own form; `retry_after="3600"` becomes a header."""
    body = {"type": "error", "error": {"type": kind, "message": said}, "request_id": "req_1"}
    return in_json(status, body, **headers)


def key_refused() -> Play:
    """401."""
    return error(401, "authentication_error", "invalid bearer token")


def no_credit() -> Play:
    """402."""
    return error(402, "billing_error", "Your credit balance is too low to access the API.")


def unknown_model() -> Play:
    """404."""
    return error(404, "not_found_error", "model: claude-haiku-9")


def rejected() -> Play:
    """400."""
    return error(400, "invalid_request_error", "messages: text content blocks must be non-empty")


def rate_limited(retry_after: str = "86400") -> Play:
    """429, to be tried again after a long time."""
    return error(429, "rate_limit_error", "Too many requests.", retry_after=retry_after)


def broken() -> Play:
    """500."""
    return error(500, "api_error", "Internal server error")


def overloaded() -> Play:
    """529."""
    return error(529, "overloaded_error", "Overloaded")


def hung() -> Play:
    """A connection on which nothing ever comes."""
    return Play(how="hung")


def cut() -> Play:
    """A connection that breaks in the middle of the answer."""
    return Play(body=success().body, how="cut")


def login_page() -> Play:
    """What the network of a hotel answers to everything."""
    return Play(
        200, b"<html><title>Welcome to our WiFi</title></html>", {"content-type": "text/html"}
    )


def expired() -> Play:
    """For a request in a batch that was not answered within a day."""
    return in_json(410, {})


def in_json(status: int, body: dict[str, Any], **headers: str) -> Play:
    """A body as JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Play(status, json.dumps(body).encode(), {"content-type": "application/json", **named})
