"""The place in a session that answers best."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from core.search.excerpt import EXCERPT_CHARACTERS, Place, best_place
from core.search.query import parse
from core.sessions import find_session
from tests.support.memory import Said, remember


def place(db: sqlite3.Connection, query: str) -> Place:
    """The best place of the only session; each term weighs the same."""
    terms = parse(query, datetime.now(UTC)).terms
    session = find_session(db, "one")
    return best_place(db, session, dict.fromkeys(terms, 1.0))


def test_the_exchange_with_most_words_is_the_place(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "the cache"), Said("assistant", "cache and proxy")])

    assert place(db, "cache proxy") == Place(1.0, "cache and proxy", 2)


def test_the_first_of_equal_exchanges_is_the_place(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "the cache"), Said("assistant", "a cache")])

    assert place(db, "cache proxy") == Place(0.5, "the cache", 1)


def test_the_summary_is_the_place_where_it_holds_far_more(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "the cache")], summary="Cache, proxy and queue.")

    assert place(db, "cache proxy queue") == Place(1.0, "Cache, proxy and queue.", None)


def test_an_exchange_is_shown_where_the_summary_holds_little_more(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "the cache and the proxy")], summary="Cache, proxy, queue.")

    assert place(db, "cache proxy queue") == Place(1.0, "the cache and the proxy", 1)


def test_search_terms_count_and_are_not_shown(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "it is slow")], summary="A slow page.")
    db.execute("""UPDATE sessions SET search_terms = '["latency"]'""")

    assert place(db, "latency") == Place(1.0, "A slow page.", None)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deploying", "we deployed it"),
        ("Überprüfung", "die uberprufung"),
        ("uberprufung", "Die Überprüfung"),
        ("数据库", "连接数据库失败"),
        ("库", "数据库"),
        ("src/auth.rs:42", "see src/auth.rs:42 there"),
        ("отчётов", "новый отчет"),
        ("api", "(api)"),
    ],
)
def test_a_word_is_found_in_its_forms(db: sqlite3.Connection, query: str, text: str) -> None:
    remember(db, "one", [Said("user", "nothing"), Said("user", text)])

    assert place(db, query).seq == 2


def test_a_short_word_is_not_found_inside_a_longer_one(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "apiary"), Said("user", "the api")])

    assert place(db, "api").seq == 2


def test_a_long_exchange_is_cut_around_what_was_found(db: sqlite3.Connection) -> None:
    text = "far " * 500 + "the cache\nbehind the proxy " + "away " * 500
    remember(db, "one", [Said("user", text)])

    excerpt = place(db, "cache proxy").excerpt
    assert "the cache behind the proxy" in excerpt
    assert excerpt.startswith("… ")
    assert excerpt.endswith(" …")
    assert len(excerpt) <= EXCERPT_CHARACTERS + 4


def test_the_cut_is_where_most_words_stand_together(db: sqlite3.Connection) -> None:
    text = "cache " * 3 + "far " * 200 + "cache of the proxy"
    remember(db, "one", [Said("user", text)])

    assert "proxy" in place(db, "cache proxy").excerpt


def test_a_text_without_spaces_is_cut_too(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "数" * 3000 + "缓存代理" + "据" * 3000)])

    excerpt = place(db, "缓存代理").excerpt
    assert "缓存代理" in excerpt
    assert len(excerpt) <= EXCERPT_CHARACTERS + 4


def test_without_words_the_beginning_is_shown(db: sqlite3.Connection) -> None:
    remember(db, "one", [Said("user", "how it began"), Said("assistant", "and went on")])

    assert place(db, "") == Place(0.0, "how it began", 1)


def test_an_empty_session_has_an_empty_place(db: sqlite3.Connection) -> None:
    remember(db, "one")

    assert place(db, "cache") == Place(0.0, "", None)
