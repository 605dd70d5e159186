"""The summarizer that runs the unmodified Claude Code client, on the user's own plan.

The client runs without hooks, tools, settings, MCP servers and transcript, in ChatRecall's data
folder, and with a variable that our own hook knows: no session of its own comes out of it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core import paths
from core.summaries import prices, prompt
from core.summaries.ledger import NO_USAGE, Usage
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizer import Summary
from core.summaries.summarizers import api_errors, claude_client

if TYPE_CHECKING:
    from core.summaries.condense import Condensed
    from core.summaries.summarizers.claude_client import Ended

SECONDS = 150.0

NO_CAPTURE = "CHATRECALL_NO_CAPTURE"
"""The hook leaves at once where this is set."""

# A key would be billed in place of the plan; the others belong to a session that we may be inside.
_NOT_PASSED_ON = (
    "ANTHROPIC_API_KEY",
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_MESSAGING_",
    "CLAUDE_CODE_SESSION_",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PROJECT_DIR",
)
_DETAIL_MOST = 300  # characters of what the client said
_STATUS = re.compile(r"API Error: (\d{3})")
_REASONS = (
    (Reason.NOT_LOGGED_IN, ("not logged in", "/login", "invalid api key", "authenticat")),
    (Reason.NO_CREDIT, ("credit balance", "spend limit")),
    (Reason.OVERLOADED, ("limit reached", "rate limit", "overloaded")),
    (Reason.CERTIFICATE, ("certificate",)),
    (Reason.OFFLINE, ("connection", "econn", "enotfound", "network", "timed out")),
    (Reason.UNKNOWN_MODEL, ("model",)),
)
_OVERHEAD_TOKENS = 600  # what the client adds to the prompt, as seen with 2.1.332


@dataclass(frozen=True)
class ClaudeSummarizer:
    """One run of `claude -p` a summary."""

    model: str

    @property
    def written_by(self) -> str:
        """See `Summarizer`."""
        return f"claude:{self.model}"

    @property
    def account(self) -> str:
        """See `Summarizer`."""
        return self.written_by

    @property
    def input_budget(self) -> int:
        """See `Summarizer`."""
        return prices.input_budget(self.model)

    def expected(self, conversation_tokens: int) -> Usage:
        """See `Summarizer`. A plan isn't billed by the token; the API's price stands for it."""
        asked = conversation_tokens + prompt.SYSTEM_TOKENS + _OVERHEAD_TOKENS
        cost = prices.price_of(self.model).of(asked, prices.OUTPUT_TOKENS)
        return Usage(asked, prices.OUTPUT_TOKENS, cost)

    def summarize(self, conversation: Condensed) -> Summary:
        """See `Summarizer`."""
        client = claude_client.find()
        if not client:
            raise SummaryError(Reason.NOT_INSTALLED, "`claude` was not found", usage=NO_USAGE)
        try:
            ended = claude_client.run(
                [client, *self._arguments()],
                stdin=prompt.render(conversation),
                environment=_environment(),
                folder=paths.data_dir(),  # no project's settings, memory or .env file
                seconds=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise SummaryError(Reason.OFFLINE, "Claude Code did not answer in time") from None
        except OSError as error:
            raise SummaryError(Reason.NOT_INSTALLED, str(error), usage=NO_USAGE) from error
        return _read(ended, conversation, self.model)

    def _arguments(self) -> list[str]:
        return [
            "-p",
            "--model", self.model,
            "--output-format", "json",
            "--json-schema", json.dumps(prompt.SCHEMA),
            "--system-prompt", prompt.SYSTEM,
            "--no-session-persistence",
            "--setting-sources", "",
            "--settings", '{"disableAllHooks":true}',
            "--strict-mcp-config",
            "--disable-slash-commands",
            "--permission-mode", "dontAsk",
            "--tools", "",
        ]  # fmt: skip


def _environment() -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith(_NOT_PASSED_ON)
    }
    # The client would try ten times, in three minutes; `core.summaries.failures` tries again later.
    return {**inherited, NO_CAPTURE: "1", "CLAUDE_CODE_MAX_RETRIES": "0"}


def _read(ended: Ended, conversation: Condensed, model: str) -> Summary:
    result = _result(ended.output)
    usage = _usage(result, model)
    # An API error or a missing login still has the subtype "success".
    if ended.code or result.get("is_error", True):
        said = str(result.get("result") or ended.errors.strip() or f"exit code {ended.code}")
        raise SummaryError(_reason(said), said[:_DETAIL_MOST], usage=usage)
    answer = result.get("structured_output")
    text = json.dumps(answer) if answer else _unfenced(str(result.get("result", "")))
    try:
        return prompt.read_answer(text, conversation, usage)
    except prompt.AnswerError as error:
        raise SummaryError(Reason.INVALID_ANSWER, f"In it, {error}", usage=usage) from error


def _result(output: str) -> dict[str, Any]:
    """The client's result object; empty where it printed something else."""
    try:
        result = json.loads(output)
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


def _usage(result: dict[str, Any], model: str) -> Usage:
    """What the client reports, at the API's price: its own sum takes new models for dear ones."""
    used = result.get("usage") or {}
    asked = sum(
        int(used.get(name) or 0)
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    answered = int(used.get("output_tokens") or 0)
    return Usage(asked, answered, prices.price_of(model).of(asked, answered))


def _reason(said: str) -> Reason:
    if (status := _STATUS.search(said)) and int(status[1]) in api_errors.BY_STATUS:
        reason = api_errors.BY_STATUS[int(status[1])]
        return Reason.NOT_LOGGED_IN if reason is Reason.KEY_REFUSED else reason
    lowered = said.lower()
    for reason, words in _REASONS:
        if any(word in lowered for word in words):
            return reason
    return Reason.OVERLOADED


def _unfenced(text: str) -> str:
    """The JSON in an answer that puts it into a fence, as older clients' models may."""
    begin, end = text.find("{"), text.rfind("}")
    return text[begin : end + 1] if 0 <= begin < end else text
