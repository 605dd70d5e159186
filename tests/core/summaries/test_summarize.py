from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import lease, settings, times
from core.sessions import find_session
from core.summaries import ledger
from core.summaries.summarize import summarize_due, summarize_session
from core.summaries.write_summary import BusyError
from tests.support import api_plays
from tests.support.conversations import LOGIN_BUG, outcomes, say

if TYPE_CHECKING:
    import sqlite3

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
