from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from core.summaries import prompt
from core.summaries.condense import Condensed, Turn
from core.summaries.ledger import NO_USAGE
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizers import api as api_module
from core.summaries.summarizers.api import ApiSummarizer
from tests.support import api_plays
from tests.support.conversations import LOGIN_BUG

if TYPE_CHECKING:
    from tests.support.api_plays import Play
    from tests.support.api_server import Api

CONVERSATION = Condensed("s1", "shop", tuple(Turn(role, text) for role, text in LOGIN_BUG))


@pytest.fixture
def summarizer() -> ApiSummarizer:
    return ApiSummarizer("sk-ant-test", "claude-haiku-5-5")


def failure(summarizer: ApiSummarizer) -> SummaryError:
    with pytest.raises(SummaryError) as caught:
        summarizer.summarize(CONVERSATION)
    return caught.value


def test_an_answer_becomes_a_summary_with_its_price(api: Api, summarizer: ApiSummarizer) -> None:
    summary = summarizer.summarize(CONVERSATION)

    assert summary.summary == api_plays.GOOD_ANSWER["summary"]
    assert summary.topics == ("auth_test.py", "pytest-xdist", "Redis")
    assert summary.search_terms[0] == "random test failures"
    assert summary.usage.input_tokens == 1_000
    assert summary.usage.cost_usd == pytest.approx(1_000 * 0.1e-6 + 200 * 0.5e-6)


def test_the_request_is_what_haiku_5_5_wants(api: Api, summarizer: ApiSummarizer) -> None:
    summarizer.summarize(CONVERSATION)

    asked = api.asked[0]
    assert asked["model"] == "claude-haiku-5-5"
    assert asked["thinking"] == {"type": "disabled"}
    assert asked["output_config"]["format"]["type"] == "json_schema"
    assert asked["output_config"]["format"]["schema"] == prompt.SCHEMA
    assert "temperature" not in asked
    assert api.headers[0]["authorization"] == "Bearer sk-ant-test"


def test_a_model_that_always_thinks_is_not_told_not_to(api: Api) -> None:
    ApiSummarizer("sk-ant-test", "claude-opus-5-5").summarize(CONVERSATION)

    assert "thinking" not in api.asked[0]
    assert api.asked[0]["output_config"]["effort"] == "low"


def test_the_tries_of_two_models_do_not_share_a_schema(api: Api) -> None:
    ApiSummarizer("sk-ant-test", "claude-opus-5-5").summarize(CONVERSATION)
    ApiSummarizer("sk-ant-test", "claude-haiku-5-5").summarize(CONVERSATION)

    assert "effort" not in api.asked[1]["output_config"]


def test_a_thinking_block_first_is_passed_over(api: Api, summarizer: ApiSummarizer) -> None:
    api.plays(api_plays.thinking_first())

    assert summarizer.summarize(CONVERSATION).topics


@pytest.mark.parametrize(
    ("play", "reason", "words"),
    [
        (api_plays.refusal(), Reason.REFUSED, "It is about malware"),
        (api_plays.truncated(), Reason.INVALID_ANSWER, "cut for its length"),
        (api_plays.invalid_json(), Reason.INVALID_ANSWER, "no JSON"),
        (api_plays.success(summary=" "), Reason.INVALID_ANSWER, "empty"),
        (api_plays.success(topics="Redis"), Reason.INVALID_ANSWER, "topics"),
    ],
)
def test_a_useless_answer_is_a_failure_of_that_session_and_is_paid_for(
    api: Api, summarizer: ApiSummarizer, play: Play, reason: Reason, words: str
) -> None:
    api.plays(play)

    failed = failure(summarizer)

    assert failed.reason is reason
    assert words in failed.advice
    assert not failed.concerns_all
    assert failed.usage is not None
    assert failed.usage.output_tokens == 200


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (api_plays.key_refused(), Reason.KEY_REFUSED),
        (api_plays.no_credit(), Reason.NO_CREDIT),
        (api_plays.error(400, "invalid_request_error", "Your credit balance is too low to access "
                         "the API."), Reason.NO_CREDIT),
        (api_plays.unknown_model(), Reason.UNKNOWN_MODEL),
        (api_plays.rate_limited(), Reason.OVERLOADED),
        (api_plays.broken(), Reason.OVERLOADED),
        (api_plays.overloaded(), Reason.OVERLOADED),
        (api_plays.login_page(), Reason.OFFLINE),
    ],
)  # fmt: skip
def test_an_error_of_the_account_concerns_all_and_is_asked_once(
    api: Api, summarizer: ApiSummarizer, play: Play, reason: Reason
) -> None:
    api.plays(play)

    failed = failure(summarizer)

    assert failed.reason is reason
    assert failed.concerns_all
    assert failed.usage == NO_USAGE
    assert len(api.asked) == 1


def test_a_rejected_request_concerns_its_session_only(api: Api, summarizer: ApiSummarizer) -> None:
    api.plays(api_plays.rejected())

    failed = failure(summarizer)

    assert failed.reason is Reason.REJECTED
    assert not failed.concerns_all


def test_a_long_retry_after_is_remembered_and_not_slept(
    api: Api, summarizer: ApiSummarizer
) -> None:
    api.plays(api_plays.rate_limited(retry_after="86400"))

    assert failure(summarizer).retry_after == timedelta(days=1)


@pytest.mark.parametrize("play", [api_plays.hung(), api_plays.cut()])
def test_a_connection_that_hangs_or_breaks_may_have_cost_money(
    api: Api, summarizer: ApiSummarizer, monkeypatch: pytest.MonkeyPatch, play: Play
) -> None:
    monkeypatch.setattr(api_module, "ANSWER_SECONDS", 1.0)
    api.plays(play)

    failed = failure(summarizer)

    assert failed.reason is Reason.OFFLINE
    assert failed.usage is None
    assert len(api.asked) == 1


def test_nobody_at_the_address_costs_nothing(
    monkeypatch: pytest.MonkeyPatch, summarizer: ApiSummarizer
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")

    failed = failure(summarizer)

    assert failed.reason is Reason.OFFLINE
    assert failed.usage == NO_USAGE


@pytest.mark.parametrize("address", ["foo", "http://", "http://[::", "http://user@:x/", "ftp://x"])
def test_a_senseless_address_is_a_failure_that_costs_nothing(
    monkeypatch: pytest.MonkeyPatch, summarizer: ApiSummarizer, address: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)

    failed = failure(summarizer)

    assert failed.reason is Reason.OFFLINE
    assert failed.usage == NO_USAGE


def test_a_senseless_proxy_is_named(
    monkeypatch: pytest.MonkeyPatch, summarizer: ApiSummarizer
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks9://somewhere")

    failed = failure(summarizer)

    assert failed.reason is Reason.OFFLINE
    assert "socks9" in failed.advice


def test_the_key_is_never_printed(summarizer: ApiSummarizer) -> None:
    assert "sk-ant" not in f"{summarizer!r} {summarizer.account}"


def test_haiku_4_5_is_paid_ten_times_as_much_and_reads_less() -> None:
    new = ApiSummarizer("k", "claude-haiku-5-5")
    old = ApiSummarizer("k", "claude-haiku-4-5")

    assert old.expected(1_000).cost_usd == pytest.approx(10 * new.expected(1_000).cost_usd)
    assert old.input_budget < new.input_budget
    assert old.expected(old.input_budget).cost_usd < 0.0075


def test_the_schema_holds_only_what_structured_outputs_allow() -> None:
    text = json.dumps(prompt.SCHEMA)

    assert prompt.SCHEMA["additionalProperties"] is False
    assert not any(word in text for word in ("minItems", "maxItems", "maxLength", "minLength"))
