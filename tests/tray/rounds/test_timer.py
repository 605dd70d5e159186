from __future__ import annotations

import threading

import pytest

from tests.support.screen import wait_until
from tray.rounds.timer import Interval, Timer

HOUR = 3600.0
WALL = 1_800_000_000.0


def test_an_interval_is_over_when_it_has_passed() -> None:
    interval = Interval(wall=WALL, monotonic=50)
    assert not interval.is_over(HOUR, WALL + HOUR - 1, 50 + HOUR - 1)
    assert interval.is_over(HOUR, WALL + HOUR, 50 + HOUR)


def test_an_interval_is_over_after_sleep_in_which_the_monotonic_clock_stood_still() -> None:
    interval = Interval(wall=WALL, monotonic=50)
    assert interval.is_over(HOUR, WALL + 8 * HOUR, 50 + 60)


def test_a_clock_that_is_set_back_does_not_hold_the_interval_up() -> None:
    interval = Interval(wall=WALL, monotonic=50)
    assert interval.is_over(HOUR, WALL - 24 * HOUR, 50 + HOUR)


def test_a_clock_that_is_set_forward_costs_one_round_and_no_more() -> None:
    interval = Interval(wall=WALL, monotonic=50)
    next_year = WALL + 365 * 24 * HOUR
    assert interval.is_over(HOUR, next_year, 50 + 60)
    interval.restart(next_year, 50 + 60)
    assert not interval.is_over(HOUR, next_year + 60, 50 + 120)


def timer(work: object, *, first: float = HOUR, interval: float = HOUR) -> Timer:
    assert callable(work)
    return Timer(work, lambda: None, lambda: interval, first_seconds=first)


def started(made: Timer) -> threading.Thread:
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    return thread


def test_the_timer_works_again_and_again() -> None:
    rounds: list[int] = []
    made = timer(lambda: rounds.append(1), first=0.01, interval=0.01)
    started(made)
    wait_until(lambda: len(rounds) >= 3)
    made.end()


def test_the_timer_works_at_once_when_asked() -> None:
    worked = threading.Event()
    made = timer(worked.set)
    started(made)
    made.work_now()
    assert worked.wait(10)
    made.end()


def test_the_timer_ends_while_it_waits() -> None:
    made = timer(lambda: pytest.fail("nothing was due"))
    thread = started(made)
    made.end()
    thread.join(10)
    assert not thread.is_alive()


def test_a_changed_interval_counts_from_the_next_round_on() -> None:
    rounds: list[int] = []
    intervals = iter([0.01, HOUR])
    work = lambda: rounds.append(1)  # noqa: E731
    made = Timer(work, lambda: None, lambda: next(intervals), first_seconds=0.01)
    started(made)
    wait_until(lambda: len(rounds) == 2)
    made.end()
