from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import times
from core.errors import ChatRecallError
from core.sessions import find_session
from core.summaries import batches, failures, history, ledger
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarize import summarize_all, summarize_due, summarize_session
from core.summaries.summarizers import api as api_module
from tests.support import api_plays
from tests.support.conversations import say

if TYPE_CHECKING:
    import sqlite3

    from tests.support.api_server import Api

MANY = 25
HAIKU = "api:claude-haiku-5-5"


@pytest.fixture
def long_history(db: sqlite3.Connection) -> list[str]:
    """Sessions from before ChatRecall was there; one holds greetings only, one is a program's."""
    say(db, "greeting", [("user", "hi"), ("assistant", "Hello!")])
    say(db, "program", [("program", "Review this."), ("assistant", "Fine.")])
    return [say(db, f"s{number}") for number in range(MANY)]


def written_by(db: sqlite3.Connection) -> list[str]:
    return [
        row[0]
        for row in db.execute(
            "SELECT DISTINCT summarized_by FROM sessions WHERE session_id GLOB 's*'"
        )
    ]


@pytest.mark.usefixtures("long_history")
def test_the_price_is_told_before_anything_is_spent(db: sqlite3.Connection, api: Api) -> None:
    told = history.estimate(db)

    assert told.sessions == MANY + 1
    assert told.batched
    assert told.written_by == HAIKU
    assert 0 < told.dollars < MANY * 0.001
    assert api.asked == []
    assert api.batches == []
    assert ledger.spent_today(db) == 0


@pytest.mark.usefixtures("long_history")
def test_the_price_that_was_told_is_not_exceeded(db: sqlite3.Connection, api: Api) -> None:
    told = history.estimate(db)
    summarize_all(db)
    summarize_due(db)

    assert 0 < ledger.spent_today(db) <= told.dollars


@pytest.mark.usefixtures("long_history")
def test_a_long_history_goes_as_a_batch_and_comes_with_a_later_round(
    db: sqlite3.Connection, api: Api
) -> None:
    api.batch_is_ready = False

    assert summarize_all(db).batched == MANY
    assert len(api.batches) == 1
    assert written_by(db) == [""]

    summarize_due(db)
    assert written_by(db) == ["local"]

    api.batch_is_ready = True
    done = summarize_due(db)
    assert set(done.summarized) == {f"s{number}" for number in range(MANY)}
    assert written_by(db) == [HAIKU]
    assert api.asked == []


@pytest.mark.usefixtures("long_history")
def test_a_batch_costs_half(db: sqlite3.Connection, api: Api) -> None:
    summarize_all(db)
    done = summarize_due(db)

    assert done.cost_usd == pytest.approx(MANY * 0.0002 / 2)
    assert ledger.spent_today(db) == pytest.approx(MANY * 0.0002 / 2)


@pytest.mark.usefixtures("long_history")
def test_greetings_and_programs_are_not_in_a_batch(db: sqlite3.Connection, api: Api) -> None:
    summarize_all(db)

    assert len(api.batches[0]) == MANY
    assert "Review this." not in str(api.batches)


@pytest.mark.usefixtures("long_history")
def test_what_is_in_a_batch_is_not_asked_for_again(db: sqlite3.Connection, api: Api) -> None:
    api.batch_is_ready = False
    summarize_all(db)

    assert history.estimate(db).sessions == 1
    summarize_all(db)
    assert len(api.batches) == 1


@pytest.mark.usefixtures("long_history")
def test_requests_are_those_of_a_single_call_with_ids_that_the_api_takes(
    db: sqlite3.Connection, api: Api
) -> None:
    summarize_all(db)

    request = api.batches[0][0]
    assert request["custom_id"].isalnum()
    assert request["params"]["output_config"]["format"]["type"] == "json_schema"
    assert request["params"]["thinking"] == {"type": "disabled"}


@pytest.mark.usefixtures("long_history")
def test_results_that_are_no_summaries_lose_no_session(db: sqlite3.Connection, api: Api) -> None:
    api.plays(
        api_plays.refusal(), api_plays.expired(), api_plays.broken(), api_plays.invalid_json(),
        api_plays.success(),
    )  # fmt: skip
    summarize_all(db)
    summarize_due(db)

    by = dict(db.execute("SELECT summarized_by, count(*) FROM sessions GROUP BY 1").fetchall())
    assert by == {HAIKU: MANY - 4, "local": 6}
    reasons = {failure.reason for failure in failures.standing(db)}
    assert reasons == {Reason.REFUSED, Reason.INVALID_ANSWER}
    assert batches.sessions_in(db) == frozenset()


@pytest.mark.usefixtures("long_history")
def test_results_that_were_stored_before_a_crash_are_not_stored_twice(
    db: sqlite3.Connection, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    summarize_all(db)
    read, seen = api_module.ApiSummarizer.read, []

    def die_at_the_third(*arguments: object) -> object:
        seen.append(arguments)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(api_module.ApiSummarizer, "read", die_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        summarize_due(db)
    done = summarize_due(db)

    assert len(done.summarized) >= MANY - 2
    assert written_by(db) == [HAIKU]
    cost, calls = db.execute("SELECT total(cost_usd), count(*) FROM calls").fetchone()
    assert calls == MANY
    assert cost == pytest.approx(MANY * 0.0001)


@pytest.mark.usefixtures("long_history")
def test_a_session_that_a_person_had_summarized_meanwhile_is_left_as_it_is(
    db: sqlite3.Connection, api: Api
) -> None:
    summarize_all(db)
    api.plays(api_plays.success(summary="By hand."), api_plays.success())
    summarize_session(db, "s3")

    summarize_due(db)

    assert find_session(db, "s3").summary == "By hand."


@pytest.mark.usefixtures("long_history")
def test_a_session_that_went_on_meanwhile_is_due_again(db: sqlite3.Connection, api: Api) -> None:
    summarize_all(db)
    say(db, "s3", [("user", "And now the docs?"), ("assistant", "Done.")], at=datetime.now(UTC))

    summarize_due(db)
    summarize_due(db, now=datetime.now(UTC) + timedelta(minutes=11))

    assert "And now the docs?" in str(api.asked[-1])


@pytest.mark.usefixtures("long_history")
def test_a_batch_that_is_not_taken_costs_nothing_and_says_why(
    db: sqlite3.Connection, api: Api
) -> None:
    api.batch_play = api_plays.no_credit()

    with pytest.raises(SummaryError, match="no credit"):
        summarize_all(db)

    assert ledger.spent_today(db) == 0
    assert batches.sessions_in(db) == frozenset()


@pytest.mark.usefixtures("long_history")
def test_a_batch_whose_results_are_gone_is_given_up(db: sqlite3.Connection, api: Api) -> None:
    summarize_all(db)
    api.batches.clear()
    month_ago = times.stored(datetime.now(UTC) - timedelta(days=30))
    db.execute("UPDATE state SET value = json_set(value, '$.at', ?) WHERE key GLOB 'batch:*'",
               (month_ago,))  # fmt: skip

    summarize_due(db)

    assert batches.sessions_in(db) == frozenset()
    assert written_by(db) == ["local"]


def test_a_short_history_is_summarized_at_once(db: sqlite3.Connection, api: Api) -> None:
    for number in range(3):
        say(db, f"s{number}")

    assert not history.estimate(db).batched
    done = summarize_all(db)

    assert len(done.summarized) == 3
    assert api.batches == []
    assert written_by(db) == [HAIKU]


def test_without_a_model_there_is_nothing_to_say_yes_to(db: sqlite3.Connection) -> None:
    say(db, "s1")

    assert history.estimate(db).written_by == "local"
    assert history.estimate(db).dollars == 0
    with pytest.raises(ChatRecallError, match="No model is set up"):
        summarize_all(db)


def test_an_account_that_fails_ends_the_import_after_one_call(
    db: sqlite3.Connection, api: Api
) -> None:
    api.plays(api_plays.key_refused())
    for number in range(3):
        say(db, f"s{number}")

    done = summarize_all(db)

    assert len(api.asked) == 1
    assert done.problem
    assert done.waiting == 3
