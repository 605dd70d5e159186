from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import database, failures, lease, ledger, paths, settings, times
from core.failures import Failure, Reason, SummaryError
from core.sessions import find_session
from core.summarize import summarize_due, summarize_session
from core.summarizers.api import ApiSummarizer
from core.write_summary import BusyError
from tests.support import api_plays
from tests.support.conversations import LOGIN_BUG, say

if TYPE_CHECKING:
    import sqlite3

    from tests.support.api_plays import Play
    from tests.support.api_server import Api


def test_a_session_without_a_key_gets_a_local_summary(db: sqlite3.Connection) -> None:
    say(db, "s1")

    done = summarize_due(db)

    session = find_session(db, "s1")
    assert done.summarized == ("s1",)
    assert session.summarized_by == "local"
    assert "auth_test.py" in session.summary
    assert "pytest-xdist" in session.topics
    assert any("instead of locking" in decision for decision in session.decisions)


def test_a_summarized_session_is_not_due_again(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)

    assert summarize_due(db).summarized == ()


def test_a_session_that_went_on_is_due_again(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)
    say(db, "s1", [("user", "Now fix the typo in README.md"), ("assistant", "Fixed the typo.")])

    assert summarize_due(db).summarized == ("s1",)
    assert "Fixed the typo." in find_session(db, "s1").summary


def test_a_session_that_is_being_written_is_left_alone(db: sqlite3.Connection) -> None:
    say(db, "s1", at=datetime.now(UTC) - timedelta(minutes=9))

    assert summarize_due(db).summarized == ()


def test_a_person_may_have_a_session_summarized_while_it_is_written(
    db: sqlite3.Connection,
) -> None:
    say(db, "s1", at=datetime.now(UTC))

    assert summarize_session(db, "s1").written_by == "local"


def test_a_round_leaves_quietly_when_another_is_at_work(db: sqlite3.Connection) -> None:
    say(db, "s1")
    with lease.hold(db, "round"):
        done = summarize_due(db)

    assert done.busy
    assert done.summarized == ()


def test_a_turn_whose_line_has_not_come_does_not_make_a_session_due(db: sqlite3.Connection) -> None:
    say(db, "s1")
    summarize_due(db)
    db.execute(
        "INSERT INTO exchanges (session_id, seq, role, kind, text, at) "
        "VALUES ('s1', 99, 'assistant', 'provisional', 'More', ?)",
        (times.now(),),
    )

    assert summarize_due(db).summarized == ()


def test_the_index_learns_of_a_summary(db: sqlite3.Connection) -> None:
    say(db, "s1", LOGIN_BUG)
    before = db.execute("SELECT revision FROM sessions").fetchone()[0]

    summarize_due(db)

    assert db.execute("SELECT revision FROM sessions").fetchone()[0] == before + 1


@pytest.fixture
def history_is_over(db: sqlite3.Connection) -> None:
    """ChatRecall has been here for a day."""
    yesterday = times.stored(datetime.now(UTC) - timedelta(days=1))
    db.execute("INSERT INTO state (key, value) VALUES ('history_ends_at', ?)", (yesterday,))


def failure_of(db: sqlite3.Connection, key: str) -> Failure:
    failure = failures.get(db, key)
    assert failure
    return failure


def outcomes(db: sqlite3.Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT outcome FROM calls ORDER BY id")]


@pytest.mark.usefixtures("history_is_over")
class TestWithAModel:
    """Rounds whose summaries a model writes."""

    def test_a_summary_says_who_wrote_it_and_what_it_cost(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")

        done = summarize_due(db)

        row = db.execute("SELECT summarized_by, summary_cost_usd, search_terms FROM sessions")
        written_by, cost, search_terms = row.fetchone()
        assert written_by == "api:claude-haiku-5-5"
        assert cost == done.cost_usd == pytest.approx(0.0002)
        assert "race condition" in search_terms
        assert ledger.spent_today(db) == pytest.approx(0.0002)
        assert outcomes(db) == ["ok"]

    def test_the_model_is_a_setting_and_the_variable_comes_first(
        self, db: sqlite3.Connection, api: Api, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.write({"model": "claude-sonnet-5-5"})
        monkeypatch.setenv("CHATRECALL_MODEL", "claude-haiku-4-5")
        say(db, "s1")

        summarize_due(db)

        assert api.asked[0]["model"] == "claude-haiku-4-5"
        assert find_session(db, "s1").summarized_by == "api:claude-haiku-4-5"

    def test_a_grown_session_is_summarized_from_its_former_summary_and_what_is_new(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")
        summarize_due(db)
        say(db, "s1", [("user", "Now translate the manual"), ("assistant", "Translated.")])

        summarize_due(db)

        sent = api.asked[1]["messages"][0]["content"]
        assert str(api_plays.GOOD_ANSWER["summary"]) in sent
        assert "translate the manual" in sent
        assert "why" not in sent

    def test_a_thank_you_at_the_end_costs_no_call(self, db: sqlite3.Connection, api: Api) -> None:
        say(db, "s1")
        summarize_due(db)
        say(db, "s1", [("user", "Thanks!"), ("assistant", "You're welcome.")])

        assert summarize_due(db).summarized == ()
        assert summarize_due(db).summarized == ()
        assert len(api.asked) == 1

    def test_greetings_only_cost_no_call(self, db: sqlite3.Connection, api: Api) -> None:
        say(db, "s1", [("user", "hello claude"), ("assistant", "Hello! How can I help?")])

        summarize_due(db)
        summarize_due(db)

        assert api.asked == []
        assert find_session(db, "s1").summarized_by == "local"

    def test_a_program_s_session_is_summarized_locally(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1", [("program", "Review the diff below."), ("assistant", "It looks good.")])

        summarize_due(db)

        assert api.asked == []
        assert find_session(db, "s1").summarized_by == "local"

    def test_a_program_s_session_is_sent_when_a_person_asks(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1", [("program", "Review the diff below."), ("assistant", "It looks good.")])

        assert summarize_session(db, "s1").written_by == "api:claude-haiku-5-5"

    def test_a_local_summary_is_replaced_once_there_is_a_key(
        self, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, api: Api
    ) -> None:
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        say(db, "s1")
        summarize_due(db)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")

        assert summarize_due(db).summarized == ("s1",)
        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"

    def test_a_summary_by_a_model_is_not_replaced_when_the_key_is_gone(
        self, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, api: Api
    ) -> None:
        say(db, "s1")
        summarize_due(db)
        monkeypatch.delenv("ANTHROPIC_API_KEY")

        assert summarize_due(db).summarized == ()
        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"

    def test_asking_again_for_the_same_is_not_paid_again(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")
        summarize_session(db, "s1")

        done = summarize_session(db, "s1")

        assert not done.is_new
        assert len(api.asked) == 1

    def test_a_secret_that_was_stored_is_not_sent(self, db: sqlite3.Connection, api: Api) -> None:
        key = "sk-ant-api03-" + "a1B2c3D4" * 12
        say(db, "s1", [("user", f"Why does the key {key} not work?"), ("assistant", "Typo.")])

        summarize_due(db)

        assert key not in str(api.asked[0])

    def test_a_dead_round_s_lease_runs_out(self, db: sqlite3.Connection, api: Api) -> None:
        say(db, "s1")
        past = times.stored(datetime.now(UTC) - timedelta(seconds=1))
        db.execute("INSERT INTO leases VALUES ('round', 'dead', ?), ('session:s1', 'dead', ?)",
                   (past, past))  # fmt: skip

        assert summarize_due(db).summarized == ("s1",)

    def test_a_session_that_another_process_summarizes_is_left_to_it(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")
        with lease.hold(db, "session:s1"):
            assert summarize_due(db).summarized == ()
            with pytest.raises(BusyError):
                summarize_session(db, "s1")


class TestHistory:
    """Sessions from before ChatRecall was there."""

    def test_history_is_summarized_locally_unless_a_person_says_yes(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")

        summarize_due(db)
        summarize_due(db)

        assert find_session(db, "s1").summarized_by == "local"
        assert api.asked == []

    def test_a_session_that_goes_on_is_no_history_any_more(
        self, db: sqlite3.Connection, api: Api
    ) -> None:
        say(db, "s1")
        summarize_due(db)
        say(db, "s1", [("user", "Next question: why is the build slow?")], at=datetime.now(UTC))

        summarize_due(db, now=datetime.now(UTC) + timedelta(minutes=11))

        assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"


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


def test_a_person_who_asks_keeps_a_model_s_summary_when_the_api_fails(
    db: sqlite3.Connection, api: Api
) -> None:
    say(db, "s1")
    summarize_session(db, "s1")
    api.plays(api_plays.broken())
    say(db, "s1", [("user", "And now the docs"), ("assistant", "Done.")])

    done = summarize_session(db, "s1")

    assert done.problem
    assert find_session(db, "s1").summarized_by == "api:claude-haiku-5-5"
    assert "shared Redis database" in find_session(db, "s1").summary


ROUND = """
from core import database
from core.summarize import summarize_due
db = database.connect()
print(len(summarize_due(db).summarized))
"""


def start_round() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ROUND], cwd=paths.ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.usefixtures("history_is_over")
def test_several_processes_at_once_pay_for_each_session_once(
    db: sqlite3.Connection, api: Api
) -> None:
    for number in range(8):
        say(db, f"s{number}")

    told = [process.communicate()[0] for process in [start_round() for _ in range(3)]]

    assert sum(map(int, told)) == 8
    assert len(api.asked) == 8


@pytest.mark.usefixtures("history_is_over")
def test_a_process_that_is_killed_in_a_call_loses_no_session_and_no_money(
    db: sqlite3.Connection, api: Api
) -> None:
    api.plays(api_plays.hung())
    say(db, "s1")
    process = start_round()
    while not api.asked:
        time.sleep(0.02)
    process.kill()
    process.communicate()

    assert outcomes(db) == ["started"]
    assert ledger.spent_today(db) > 0
    assert summarize_due(db).busy

    db.execute("UPDATE leases SET expires_at = '2000-01-01T00:00:00.000Z'")
    api.plays(api_plays.success())
    assert summarize_due(db).summarized == ("s1",)
