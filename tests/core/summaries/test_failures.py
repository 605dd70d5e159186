from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core.summaries import failures
from core.summaries.reasons import Reason, SummaryError

if TYPE_CHECKING:
    import sqlite3

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def attempts_within(db: sqlite3.Connection, reason: Reason, span: timedelta) -> int:
    """How often something that always fails is tried when the timer runs every ten minutes."""
    moment, attempts = NOW, 0
    while moment < NOW + span:
        if failures.may_try(failures.get(db, "key"), moment):
            failures.record(db, "key", SummaryError(reason), now=moment)
            attempts += 1
        moment += timedelta(minutes=10)
    return attempts


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_words_for_a_person(reason: Reason) -> None:
    error = SummaryError(reason, "The other side said so.")

    assert error.title
    assert error.title[-1] != "."
    assert "The other side said so. " in error.advice
    assert error.advice.endswith(".")


@pytest.mark.parametrize(
    ("reason", "most"),
    [(Reason.REFUSED, 1), (Reason.REJECTED, 1), (Reason.INVALID_ANSWER, 3)],
)
def test_what_costs_money_is_tried_a_few_times_and_given_up(
    db: sqlite3.Connection, reason: Reason, most: int
) -> None:
    assert attempts_within(db, reason, timedelta(days=60)) == most


@pytest.mark.parametrize("reason", [Reason.KEY_REFUSED, Reason.NO_CREDIT, Reason.CERTIFICATE])
def test_what_needs_a_person_is_given_up_after_some_days(
    db: sqlite3.Connection, reason: Reason
) -> None:
    assert attempts_within(db, reason, timedelta(days=60)) == 6


@pytest.mark.parametrize("reason", [Reason.OVERLOADED, Reason.OFFLINE])
def test_what_passes_by_itself_is_tried_ever_more_rarely(
    db: sqlite3.Connection, reason: Reason
) -> None:
    assert attempts_within(db, reason, 12 * HOUR) <= 7
    assert attempts_within(db, reason, timedelta(days=10)) <= 4 * 10 + 7


def test_another_reason_begins_to_count_anew(db: sqlite3.Connection) -> None:
    failures.record(db, "key", SummaryError(Reason.OFFLINE), now=NOW)
    failures.record(db, "key", SummaryError(Reason.OFFLINE), now=NOW)

    assert failures.record(db, "key", SummaryError(Reason.OVERLOADED), now=NOW).attempts == 1


def test_a_retry_after_lengthens_the_wait_but_not_beyond_a_day(db: sqlite3.Connection) -> None:
    asked = SummaryError(Reason.OVERLOADED, retry_after=timedelta(days=30))
    failure = failures.record(db, "key", asked, now=NOW)

    assert not failures.may_try(failure, NOW + 23 * HOUR)
    assert failures.may_try(failure, NOW + 24 * HOUR)


def test_a_wait_that_is_too_far_off_was_a_wrong_clock_s(db: sqlite3.Connection) -> None:
    failure = failures.record(
        db, "key", SummaryError(Reason.OFFLINE), now=NOW + timedelta(days=900)
    )

    assert failures.may_try(failure, NOW)


def test_it_is_told_once_and_again_when_the_reason_changes(db: sqlite3.Connection) -> None:
    failures.record(db, "key", SummaryError(Reason.OFFLINE), now=NOW)
    assert failures.tell_once(db, "key")
    failures.record(db, "key", SummaryError(Reason.OFFLINE), now=NOW)
    assert not failures.tell_once(db, "key")
    failures.record(db, "key", SummaryError(Reason.KEY_REFUSED), now=NOW)
    assert failures.tell_once(db, "key")


def test_failures_of_a_key_that_is_not_used_any_more_are_forgotten(db: sqlite3.Connection) -> None:
    for key in (failures.key_of_backend("old"), failures.key_of_backend("new"), "s1"):
        failures.record(db, key, SummaryError(Reason.KEY_REFUSED), now=NOW)

    failures.forget_other_backends(db, failures.key_of_backend("new"))

    assert [failure.key for failure in failures.standing(db)] == ["*new", "s1"]


def test_a_cap_that_was_reached_yesterday_does_not_stand_any_more(db: sqlite3.Connection) -> None:
    now = datetime.now(UTC)
    failures.record(db, "*api", SummaryError(Reason.DAILY_CAP), now=now)
    assert [failure.reason for failure in failures.standing(db)] == [Reason.DAILY_CAP]

    failures.record(db, "*api", SummaryError(Reason.DAILY_CAP), now=now - timedelta(days=1))
    assert failures.standing(db) == []
