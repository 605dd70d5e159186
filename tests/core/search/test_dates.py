"""Days as people write them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from core.search.dates import period, spoken_period

# A Monday, in the tests' time zone: St. John's, 3½ hours behind UTC in winter.
NOW = datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))


def days(value: str) -> tuple[str, str] | None:
    found = period(value, NOW)
    return (found.since, found.until) if found else None


def test_a_day_is_the_persons_own() -> None:
    assert days("2026-11-29") == ("2026-11-29T03:30:00.000Z", "2026-11-30T03:30:00.000Z")


def test_a_day_in_summer_begins_an_hour_earlier_in_utc() -> None:
    assert days("2026-07-01") == ("2026-07-01T02:30:00.000Z", "2026-07-02T02:30:00.000Z")


@pytest.mark.parametrize(
    ("value", "first", "behind"),
    [
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026/2/3", "2026-02-03", "2026-02-04"),
        ("today", "2026-11-30", "2026-12-01"),
        ("Yesterday", "2026-11-29", "2026-11-30"),
        ("monday", "2026-11-30", "2026-12-01"),
        ("Friday", "2026-11-27", "2026-11-28"),
        ("this week", "2026-11-30", "2026-12-07"),
        ("last-week", "2026-11-23", "2026-11-30"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("november", "2026-11-01", "2026-12-01"),
        ("december", "2025-12-01", "2026-01-01"),
        ("3d", "2026-11-27", "2026-11-28"),
        ("2w", "2026-11-16", "2026-11-17"),
    ],
)
def test_a_time_is_understood(value: str, first: str, behind: str) -> None:
    found = days(value)
    assert found is not None
    assert (found[0][:10], found[1][:10]) == (first, behind)


@pytest.mark.parametrize(
    "value", ["", "foo", "2026-13", "2026-02-30", "0001", "9999", "9999y", "12"]
)
def test_anything_else_is_no_time(value: str) -> None:
    assert days(value) is None


@pytest.mark.parametrize(
    ("text", "said", "first"),
    [
        ("the login bug from yesterday", "yesterday", "2026-11-29"),
        ("What did we do LAST WEEK?", "LAST WEEK", "2026-11-23"),
        ("gestern ESP32 Neustart", "gestern", "2026-11-29"),
        ("на прошлой неделе отчёт", "на прошлой неделе", "2026-11-23"),
        ("上周小程序", "上周", "2026-11-23"),
        ("qu'avons-nous fait aujourd’hui", "aujourd’hui", "2026-11-30"),
    ],
)
def test_a_time_named_in_passing_is_noticed(text: str, said: str, first: str) -> None:
    found = spoken_period(text, NOW)
    assert found is not None
    start, end, when = found
    assert text[start:end] == said
    assert when.since[:10] == first


@pytest.mark.parametrize("text", ["yesterdays", "the last weekend", "hier ist nichts", ""])
def test_other_words_name_no_time(text: str) -> None:
    assert spoken_period(text, NOW) is None
