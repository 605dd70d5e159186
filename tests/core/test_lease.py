from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import database, lease, times

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


@pytest.fixture
def other(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """The same database as another process sees it."""
    connection = database.connect()
    yield connection
    connection.close()


def test_only_one_holds_a_lease(db: sqlite3.Connection, other: sqlite3.Connection) -> None:
    with lease.hold(db, "round") as first, lease.hold(other, "round") as second:
        assert first
        assert second is None


def test_leases_of_other_names_are_free(db: sqlite3.Connection, other: sqlite3.Connection) -> None:
    with lease.hold(db, "round"), lease.hold(other, "session:s1") as second:
        assert second


def test_it_is_given_back_even_after_an_exception(
    db: sqlite3.Connection, other: sqlite3.Connection
) -> None:
    with pytest.raises(ZeroDivisionError), lease.hold(db, "round"):
        raise ZeroDivisionError

    with lease.hold(other, "round") as second:
        assert second


def test_one_who_could_not_get_it_does_not_give_it_back(
    db: sqlite3.Connection, other: sqlite3.Connection
) -> None:
    with lease.hold(db, "round"):
        with lease.hold(other, "round"):
            pass
        with lease.hold(other, "round") as third:
            assert third is None


def test_a_holder_that_crashed_loses_it(db: sqlite3.Connection) -> None:
    with lease.hold(db, "round", seconds=-1), lease.hold(db, "round") as second:
        assert second


def test_who_lost_it_is_told_when_renewing(
    db: sqlite3.Connection, other: sqlite3.Connection
) -> None:
    with lease.hold(db, "round", seconds=-1) as first, lease.hold(other, "round") as second:
        assert first
        assert second
        assert not first.renew()
        assert second.renew()


def test_who_lost_it_does_not_take_it_from_the_next(
    db: sqlite3.Connection, other: sqlite3.Connection
) -> None:
    with lease.hold(db, "round", seconds=-1):
        next_one = lease.hold(other, "round")
        next_one.__enter__()
    with lease.hold(db, "round") as third:
        assert third is None
    next_one.__exit__(*sys.exc_info())


def test_one_that_ends_in_a_far_future_was_a_wrong_clock_s(db: sqlite3.Connection) -> None:
    far = times.stored(datetime.now(UTC) + timedelta(days=400))
    db.execute("INSERT INTO leases VALUES ('round', 'somebody', ?)", (far,))

    with lease.hold(db, "round") as held:
        assert held
