"""The summarizer that asks the Messages API, with the official client and the user's own key."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from core.summaries import prices, prompt
from core.summaries.ledger import NO_USAGE, Usage
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizer import Summary
from core.summaries.summarizers import api_errors, tls

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    from core.summaries.condense import Condensed

_BASE_URL = "https://api.anthropic.com"
CONNECT_SECONDS = 15.0
ANSWER_SECONDS = 90.0
MOST_OUTPUT_TOKENS = 2_000
"""Three times what a summary takes: only a model that has lost its way reaches it."""

# https://platform.claude.com/docs/en/models/, read on 2026-11-30: "Adaptive (always on)".
_ALWAYS_THINKING = ("claude-opus-5-5", "claude-fable-", "claude-mythos-")
_ROOM_FOR_THINKING = 6_000  # tokens; thinking counts as output


@dataclass(frozen=True)
class ApiSummarizer:
    """One call of the Messages API a summary.

    Nothing is retried here: `core.summaries.failures` decides.
    """

    key: str
    model: str

    def __repr__(self) -> str:
        return f"ApiSummarizer({self.model})"

    @property
    def written_by(self) -> str:
        """See `Summarizer`."""
        return f"api:{self.model}"

    @property
    def account(self) -> str:
        """Model and key, the latter only as a trace that can't be turned back."""
        return f"{self.written_by}:{prompt.trace(self.key)}"

    @property
    def input_budget(self) -> int:
        """See `Summarizer`."""
        return prices.input_budget(self.model)

    def expected(self, conversation_tokens: int) -> Usage:
        """See `Summarizer`."""
        return self._priced(conversation_tokens + prompt.SYSTEM_TOKENS, prices.OUTPUT_TOKENS)

    def summarize(self, conversation: Condensed) -> Summary:
        """See `Summarizer`."""
        client = self.client
        try:
            message = client.messages.create(**self.request(conversation))
        except Exception as error:
            raise api_errors.failure(error) from error
        return self.read(message, conversation)

    def check(self) -> None:
        """Ask the API something that is free, to see that it takes the key.

        Raises `SummaryError` where it does not, or can't be asked.
        """
        client = self.client
        try:
            client.models.retrieve(self.model)
        except Exception as error:
            raise api_errors.failure(error) from error

    def request(self, conversation: Condensed) -> MessageCreateParamsNonStreaming:
        """What is asked, be it in a call of its own or in a batch."""
        request: MessageCreateParamsNonStreaming = {
            "model": self.model,
            "max_tokens": MOST_OUTPUT_TOKENS,
            "system": prompt.SYSTEM,
            "messages": [{"role": "user", "content": prompt.render(conversation)}],
            "output_config": {"format": {"type": "json_schema", "schema": prompt.SCHEMA}},
            "thinking": {"type": "disabled"},
        }
        if self.model.startswith(_ALWAYS_THINKING):
            del request["thinking"]
            request["output_config"]["effort"] = "low"
            request["max_tokens"] += _ROOM_FOR_THINKING
        return request

    def read(self, message: Message, conversation: Condensed, discount: float = 1.0) -> Summary:
        """The summary in an answer. Raises `SummaryError` with what was billed."""
        api_errors.check_is_message(message)
        usage = self.usage(message, discount)
        if message.stop_reason == "refusal":
            raise SummaryError(Reason.REFUSED, _explanation(message), usage=usage)
        if message.stop_reason == "max_tokens":
            raise SummaryError(Reason.INVALID_ANSWER, "It was cut for its length", usage=usage)
        text = next((block.text for block in message.content if block.type == "text"), "")
        try:
            return prompt.read_answer(text, conversation, usage)
        except prompt.AnswerError as error:
            raise SummaryError(Reason.INVALID_ANSWER, f"In it, {error}", usage=usage) from error

    @cached_property
    def client(self) -> anthropic.Anthropic:
        """The official client, without retries of its own and with the system's trust store.

        Raises `SummaryError` where it can't be made, e.g. for a proxy setting without sense.
        """
        try:
            context = tls.context()
            import anthropic  # noqa: PLC0415  1.2 s, and only this summarizer needs it

            return anthropic.Anthropic(
                api_key=self.key,
                base_url=os.environ.get("ANTHROPIC_BASE_URL", "").strip() or _BASE_URL,
                max_retries=0,  # the client would sleep for as long as any Retry-After says
                timeout=anthropic.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
                http_client=anthropic.DefaultHttpxClient(verify=context),
                open_telemetry=False,  # conversations go to the API and nowhere else
            )
        except ModuleNotFoundError as error:
            raise SummaryError(Reason.NOT_INSTALLED, str(error), usage=NO_USAGE) from error
        except OSError as error:
            # httpx2 reads the file that SSL_CERT_FILE names when the client is made.
            raise SummaryError(Reason.CERTIFICATE, str(error), usage=NO_USAGE) from error
        except Exception as error:  # an address or a proxy without sense fails in many ways
            raise SummaryError(Reason.OFFLINE, str(error), usage=NO_USAGE) from error

    def usage(self, message: Message, discount: float = 1.0) -> Usage:
        """What an answer was billed."""
        used = message.usage
        cached = (used.cache_creation_input_tokens or 0) + (used.cache_read_input_tokens or 0)
        return self._priced(used.input_tokens + cached, used.output_tokens, discount)

    def _priced(self, input_tokens: int, output_tokens: int, discount: float = 1.0) -> Usage:
        cost = prices.price_of(self.model).of(input_tokens, output_tokens) * discount
        return Usage(input_tokens, output_tokens, cost)


def _explanation(message: Message) -> str:
    details = message.stop_details
    return (details and (details.explanation or details.category)) or ""
