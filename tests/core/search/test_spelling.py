"""Did you mean: the known word nearest to an unknown one."""

from __future__ import annotations

import sqlite3

import pytest

from core.search import index
from core.search.spelling import correct
from tests.support.conversations import say


@pytest.fixture
def known(db: sqlite3.Connection) -> sqlite3.Connection:
    say(db, "one", [("user", "The failover of kubernetes took an authentication token. Timeouts.")])
    say(db, "two", [("user", "The promise of Straßenbahn and сообщение; ein Verschlüsselung test")])
    index.bring_up_to_date(db)
    return db


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("faliover", "failover"),
        ("kuberentes", "kubernetes"),
        ("kubernets", "kubernetes"),
        ("kubernettes", "kubernetes"),
        ("kubernates", "kubernetes"),
        ("authetication", "authentication"),
        ("ikubernetes", "kubernetes"),
        ("tset", "test"),
        ("сообщене", "сообщение"),
        ("verschlusselng", "verschlusselung"),
    ],
)
def test_a_slip_is_corrected(known: sqlite3.Connection, typed: str, meant: str) -> None:
    assert correct(known, typed) == meant


@pytest.mark.parametrize(
    "word", ["tokem2", "tkn", "x" * 200, "walnut", "", "token", "数据库", "promisent"]
)
def test_no_known_word_is_near(known: sqlite3.Connection, word: str) -> None:
    assert correct(known, word) in ("", word)


def test_of_several_near_words_the_commonest_is_meant(db: sqlite3.Connection) -> None:
    for number, text in enumerate(("the cable", "the table", "a table")):
        say(db, str(number), [("user", text)])
    index.bring_up_to_date(db)

    assert correct(db, "xable") == "table"
