"""Days and times as people write them in a query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from core import times
from core.search.words import is_unspaced

# Not `strftime` and `calendar`: their names follow the process's locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_YEAR = re.compile(r"(\d{4})")
_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})")
_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_AGO = re.compile(r"(\d{1,4})([dwmy])")
_DAYS_IN = {"d": 1, "w": 7, "m": 30, "y": 365}
# Beyond these, a local time can't be turned into UTC everywhere.
_FIRST_YEAR, _LAST_YEAR = 1971, 9998

_THIS_WEEK, _LAST_WEEK, _LAST_MONTH = "this week", "last week", "last month"
# The same in other languages, where the word can't mean anything else.
_SPOKEN = {
    phrase: plain
    for plain, phrases in {
        "today": "heute|aujourd'hui|hoy|сегодня|今天|今日|오늘|hôm nay",
        "yesterday": "gestern|ayer|вчера|昨天|昨日|어제|hôm qua",
        _THIS_WEEK: "diese woche|cette semaine|esta semana|на этой неделе"
        "|这周|本周|今週|이번 주|tuần này",
        _LAST_WEEK: "letzte woche|semaine dernière|semana pasada|на прошлой неделе"
        "|上周|上星期|先週|지난주|tuần trước",
        _LAST_MONTH: "letzten monat|mois dernier|mes pasado|в прошлом месяце"
        "|上个月|先月|지난달|tháng trước",
    }.items()
    for phrase in phrases.split("|")
}
_PHRASES = re.compile(
    "|".join(
        re.escape(phrase) if is_unspaced(phrase[0]) else rf"(?<!\w){re.escape(phrase)}(?!\w)"
        for phrase in ("today", "yesterday", _THIS_WEEK, _LAST_WEEK, _LAST_MONTH, *_SPOKEN)
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Period:
    """A time from `since` up to, not including, `until`, as stored; empty: open at that end."""

    since: str = ""
    until: str = ""


ANY_TIME = Period()


def period(value: str, now: datetime) -> Period | None:
    """The local day, month or year that `value` names; None where it names none.

    Understood are `2026`, `2026-11`, `2026-11-30`, `today`, `yesterday`, `last week`, weekdays and
    months (the latest that has begun), and `3d`, `2w`, `1m`, `1y` (the day so long ago).
    """
    bounds = _bounds(value.strip().lower(), now.date())
    if bounds is None or not _FIRST_YEAR <= bounds[0].year <= bounds[1].year <= _LAST_YEAR:
        return None
    first, behind = (times.stored(datetime.combine(day, time()).astimezone()) for day in bounds)
    return Period(first, behind)


def spoken_period(text: str, now: datetime) -> tuple[int, int, Period] | None:
    """A time that a sentence names in passing, e.g. `last week`: where, from and to, and when."""
    match = _PHRASES.search(text.replace("’", "'"))
    if not match:
        return None
    phrase = match[0].lower()
    found = period(_SPOKEN.get(phrase, phrase), now)
    return (*match.span(), found) if found else None


def _bounds(value: str, today: date) -> tuple[date, date] | None:
    try:
        return _written(value, today) or _named(value.replace("-", " "), today)
    except (ValueError, OverflowError):  # no such day
        return None


def _written(value: str, today: date) -> tuple[date, date] | None:
    if match := _DAY.fullmatch(value):
        return _one_day(date(int(match[1]), int(match[2]), int(match[3])))
    if match := _MONTH.fullmatch(value):
        return _one_month(int(match[1]), int(match[2]))
    if match := _YEAR.fullmatch(value):
        return date(int(match[1]), 1, 1), date(int(match[1]) + 1, 1, 1)
    if match := _AGO.fullmatch(value):
        return _one_day(today - timedelta(days=int(match[1]) * _DAYS_IN[match[2]]))
    return None


def _named(name: str, today: date) -> tuple[date, date] | None:
    monday = today - timedelta(days=today.weekday())
    week = timedelta(days=7)
    if name == _THIS_WEEK:
        return monday, monday + week
    if name == _LAST_WEEK:
        return monday - week, monday
    if name == _LAST_MONTH:
        before = today.replace(day=1) - timedelta(days=1)
        return _one_month(before.year, before.month)
    if name in ("today", "yesterday"):
        return _one_day(today - timedelta(days=name == "yesterday"))
    if name.title() in WEEKDAYS:
        return _one_day(
            today - timedelta(days=(today.weekday() - WEEKDAYS.index(name.title())) % 7)
        )
    if name.title() in MONTHS:
        month = MONTHS.index(name.title()) + 1
        return _one_month(today.year - (month > today.month), month)
    return None


def _one_day(day: date) -> tuple[date, date]:
    return day, day + timedelta(days=1)


def _one_month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)
