"""Money and failures: a round spends no more than the cap, and every failure is a state."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import database, settings
from core.sessions import find_session
from core.summaries import failures, ledger
from core.summaries.failures import Failure
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarize import summarize_all, summarize_due, summarize_session
from core.summaries.summarizers.api import ApiSummarizer
from tests.support import api_plays
from tests.support.conversations import outcomes, say

if TYPE_CHECKING:
    from tests.support.api_plays import Play
    from tests.support.api_server import Api


def failure_of(db: sqlite3.Connection, key: str) -> Failure:
    failure = failures.get(db, key)
    assert failure
    return failure


@pytest.mark.usefixtures("history_is_over")
class TestTheCap:
    """The timer spends no more than the cap a day."""

    def test_the_cap_ends_the_paid_part_and_the_rest_is_local(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        settings.write({"daily_cap_usd": 0.0008})
        for number in range(4):
            say(db, f"s{number}")

        done = summarize_due(db)

        assert ledger.spent_today(db) <= 0.0008
        assert 0 < len(api.asked) < 4
        assert len(done.summarized) == 4
        assert done.waiting == 4 - len(api.asked)
        assert done.problem
        assert done.problem.title == "The daily cap is reached"

    def test_no_other_process_spends_between_the_look_at_the_cap_and_the_call(
        self, db: sqlite3.Connection, api: Api, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        say(db, "s1")
        refused = []
        spent_today = ledger.spent_today

        def spend_meanwhile(db: sqlite3.Connection) -> float:
            spent = spent_today(db)
            with closing(database.connect(wait_seconds=0)) as other:
                try:
                    ledger.begin(other, "s2", "api:model", ledger.Usage(cost_usd=0.25))
                except sqlite3.OperationalError as error:
                    refused.append(str(error))
            return spent

        monkeypatch.setattr(ledger, "spent_today", spend_meanwhile)
        summarize_due(db)

        assert refused == ["database is locked"]

    def test_the_cap_is_told_once(self, db: sqlite3.Connection, api: Api) -> None:
        settings.write({"daily_cap_usd": 0})
        say(db, "s1")

        assert summarize_due(db).is_news
        assert not summarize_due(db).is_news

    def test_a_person_who_asks_is_not_held_up_but_recorded(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        settings.write({"daily_cap_usd": 0})
        say(db, "s1")

        summarize_session(db, "s1")

        assert ledger.spent_today(db) == pytest.approx(0.0002)

    def test_raising_the_cap_lets_the_next_round_go_on(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        settings.write({"daily_cap_usd": 0})
        say(db, "s1")
        summarize_due(db)
        settings.write({"daily_cap_usd": 1})

        done = summarize_due(db)

        assert done.problem is None
        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"

    def test_a_process_that_dies_in_a_call_leaves_its_estimate_in_the_ledger(
        self, db: sqlite3.Connection, api: Api, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(ApiSummarizer, "read", die)
        say(db, "s1")
        with pytest.raises(KeyboardInterrupt):
            summarize_due(db)

        assert outcomes(db) == ["started"]
        assert ledger.spent_today(db) > 0


@pytest.mark.usefixtures("history_is_over")
class TestFailures:
    """Every failure is a state with a reason, and no session is lost."""

    @pytest.mark.parametrize(
        ("play", "reason"),
        [
            (api_plays.key_refused(), Reason.KEY_REFUSED),
            (api_plays.no_credit(), Reason.NO_CREDIT),
            (api_plays.rate_limited(), Reason.OVERLOADED),
            (api_plays.broken(), Reason.OVERLOADED),
            (api_plays.overloaded(), Reason.OVERLOADED),
            (api_plays.cut(), Reason.OFFLINE),
        ],
    )
    def test_a_failure_of_the_account_ends_the_round_after_one_call(
        self, db: sqlite3.Connection, api: Api, play: Play, reason: Reason
    ) -> None:
        api.plays(play)
        say(db, "s1")
        say(db, "s2")

        done = summarize_due(db)

        assert len(api.asked) == 1
        assert outcomes(db) == [reason]
        assert isinstance(done.problem, SummaryError)
        assert done.problem.reason is reason
        assert done.is_news
        assert done.waiting == 2
        assert {find_session(db, name).summarized_by for name in ("s1", "s2")} == {"local"}

    def test_it_is_not_asked_again_before_its_time_even_by_another_process(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.overloaded())
        say(db, "s1")
        summarize_due(db)

        again = database.connect()
        done = summarize_due(again)
        again.close()

        assert len(api.asked) == 1
        assert done.problem
        assert done.problem.title == "The API is overloaded or a limit is reached"
        assert not done.is_news

    def test_it_is_asked_again_later_and_then_goes_on(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.overloaded(), api_plays.success())
        say(db, "s1")
        summarize_due(db)

        done = summarize_due(db, now=datetime.now(UTC) + timedelta(minutes=11))

        assert done.problem is None
        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"
        assert failures.standing(db) == []

    def test_a_long_retry_after_is_obeyed_up_to_a_day(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.rate_limited(retry_after="4294967"))
        say(db, "s1")
        summarize_due(db)

        summarize_due(db, now=datetime.now(UTC) + timedelta(hours=23))
        assert len(api.asked) == 1
        summarize_due(db, now=datetime.now(UTC) + timedelta(hours=25))
        assert len(api.asked) == 2

    def test_a_refused_key_is_given_up_after_a_few_days_and_another_key_begins_afresh(
        self, db: sqlite3.Connection, api: Api, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        api.plays(api_plays.key_refused())
        say(db, "s1")
        for hours in range(0, 24 * 14, 6):
            summarize_due(db, now=datetime.now(UTC) + timedelta(hours=hours))
        assert len(api.asked) == 6
        assert failures.standing(db)[0].given_up

        api.plays(api_plays.success())
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-fresh")
        summarize_due(db)

        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"

    def test_a_refusal_is_paid_once_and_the_others_go_on(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.refusal(), api_plays.success())
        say(db, "s1")
        say(db, "s2", at=datetime.now(UTC) - timedelta(hours=2))

        summarize_due(db)
        summarize_due(db, now=datetime.now(UTC) + timedelta(days=3))

        assert outcomes(db) == ["refused by the model", "ok"]
        assert ledger.spent_today(db) == pytest.approx(0.0004)
        assert failure_of(db, "s1").given_up
        assert find_session(db, "s1").summarized_by == "local"
        assert find_session(db, "s2").summarized_by == "api:claude-haiku-5-5"

    def test_a_person_may_try_a_given_up_session_once_more(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.refusal(), api_plays.success())
        say(db, "s1")
        summarize_due(db)

        assert summarize_session(db, "s1").written_by == "api:claude-haiku-5-5"
        assert failures.standing(db) == []

    @pytest.mark.parametrize("play", [api_plays.invalid_json(), api_plays.truncated()])
    def test_an_invalid_answer_is_asked_for_three_times_at_most(
        self, db: sqlite3.Connection, api: Api, play: Play
    ) -> None:
        api.plays(play)
        say(db, "s1")

        for days in range(6):
            summarize_due(db, now=datetime.now(UTC) + timedelta(days=days))

        assert len(api.asked) == 3
        assert failure_of(db, "s1").given_up
        assert find_session(db, "s1").summarized_by == "local"

    def test_a_server_that_answers_nonsense_ends_the_round_after_three_sessions(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.invalid_json())
        for number in range(6):
            say(db, f"s{number}")

        done = summarize_due(db)

        assert len(api.asked) == 3
        assert done.problem
        assert len(done.summarized) == 6

    def test_the_api_without_a_key_is_a_state_and_summaries_are_local(
        self, db: sqlite3.Connection
    ) -> None:
        settings.write({"summarizer": "api"})
        say(db, "s1")

        first, second = summarize_due(db), summarize_due(db)

        assert first.problem
        assert first.problem.title == "There is no API key"
        assert (first.is_news, second.is_news) == (True, False)
        assert find_session(db, "s1").summarized_by == "local"

    def test_a_long_yes_ends_after_three_failures_in_a_row_too(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        api.plays(api_plays.invalid_json())
        for number in range(6):
            say(db, f"s{number}")

        done = summarize_all(db)

        assert len(api.asked) == 3
        assert done.problem
        assert done.problem.title == "Several summaries failed in a row"
        assert done.waiting == 6

    def test_failures_that_are_not_in_a_row_end_nothing(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        bad, good = api_plays.refusal(), api_plays.success()
        api.plays(bad, bad, good, bad, bad, good)
        for number in range(6):
            say(db, f"s{number}")

        assert summarize_due(db).problem is None
        assert len(api.asked) == 6
