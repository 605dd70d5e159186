"""What people type, as it is understood."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.search.dates import ANY_TIME, Period
from core.search.query import MOST_TERMS, OPERATORS, Query, Term, parse

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOVEMBER = Period("2026-11-01T02:30:00.000Z", "2026-12-01T03:30:00.000Z")


def understood(text: str, *, typing: bool = False) -> Query:
    return parse(text, NOW, typing=typing)


def terms(text: str, *, typing: bool = False) -> list[str]:
    return [term.match for term in understood(text, typing=typing).terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("docker cache", ['"docker"', '"cache"']),
        ("Docker DOCKER docker", ['"docker"']),
        ("why did the login fail?", ['"login"', '"fail"']),
        ("error: timeout!", ['"error"', '"timeout"']),
        ("Caroline's key", ['"caroline"', '"key"']),
        ("C++ templates", ['"cplusplus"', '"templates"']),
        ("数据库", ['"数据"', '"据库"']),
        ("库", ['"库"*']),
        ("отчётов", ['"отчет"*']),
        ("AND OR NEAR", ['"near"']),
    ],
)
def test_each_word_is_looked_for(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("src/auth.rs:42", "src auth rs 42", ["src", "auth", "rs"]),
        ("foo_bar-baz", "foo bar baz", ["foo", "bar", "baz"]),
        ("--no-verify", "no verify", ["verify"]),
        ("v2.10.3", "v2 10 3", ["v2"]),
        ("https://example.com/a?b=1", "https example com a b 1", ["https", "example", "com"]),
    ],
)
def test_a_word_of_several_parts_is_looked_for_whole_and_in_parts(
    text: str, whole: str, parts: list[str]
) -> None:
    assert terms(text) == [f'"{whole}"', *(f'"{part}"' for part in parts)]


def test_words_that_say_nothing_are_kept_where_there_are_no_others() -> None:
    assert terms("what was it") == ['"what"', '"was"', '"it"']


@pytest.mark.parametrize(
    "text", ["", "   ", "🚀", "*", '"', "(((", "\0", "\ud800", "...", "-", "--"]
)
def test_a_text_without_letters_and_digits_has_no_words(text: str) -> None:
    query = understood(text)
    assert (query.terms, query.phrases, query.excluded) == ((), (), ())


@pytest.mark.parametrize(
    "text", ['"connection reset"', "“connection reset”", "«connection reset»", "„connection reset“"]
)
def test_a_phrase_in_any_quotes_must_stand(text: str) -> None:
    query = understood(f"{text} docker")
    assert [phrase.match for phrase in query.phrases] == ['"connection reset"']
    assert [term.match for term in query.terms] == ['"docker"']


@pytest.mark.parametrize("text", ['"connection reset', 'connection reset"', 'connection" reset'])
def test_a_lone_quotation_mark_is_overlooked(text: str) -> None:
    assert terms(text) == ['"connection"', '"reset"']


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("login -docker", ["docker"]),
        ('login -"docker compose"', ["docker compose"]),
        ("login -数据", ["数据"]),
        ("login -foo-bar", ["foo-bar"]),
    ],
)
def test_a_minus_leaves_a_word_out(text: str, excluded: list[str]) -> None:
    query = understood(text)
    assert [term.text for term in query.excluded] == excluded
    assert [term.text for term in query.terms] == ["login"]


@pytest.mark.parametrize(
    "text",
    [
        "git commit -m",
        "java -Xmx2g",
        "cut -d:",
        "run -File",
        "push --force",
        "x - y",
        "-docker",
        "a-b",
    ],
)
def test_a_flag_is_looked_for(text: str) -> None:
    assert understood(text).excluded == ()


def test_a_project_is_named() -> None:
    query = understood('project:shop PROJECT:"My App" login')
    assert query.projects == ("shop", "My App")
    assert [term.text for term in query.terms] == ["login"]


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("after:2026-11", Period(since=NOVEMBER.since)),
        ("before:2026-11", Period(until=NOVEMBER.since)),
        ("on:2026-11", NOVEMBER),
        ("on:November", NOVEMBER),
        ("on:2026 after:2026-11 before:2026-12", NOVEMBER),
        ("On:yesterday", Period("2026-11-29T03:30:00.000Z", "2026-11-30T03:30:00.000Z")),
        ('on:"last week"', Period("2026-11-23T03:30:00.000Z", "2026-11-30T03:30:00.000Z")),
    ],
)
def test_a_time_narrows(text: str, within: Period) -> None:
    assert understood(text).within == within


def test_what_is_no_date_is_looked_for_and_told() -> None:
    query = understood("login after:foo")
    assert [term.text for term in query.terms] == ["login", "foo"]
    assert query.notes == ("“foo” is no date like 2026-11-30 or yesterday.",)
    assert query.within == ANY_TIME


@pytest.mark.parametrize("text", ["std::after", "project:", "on: x", "http://on:80"])
def test_an_operator_without_a_value_is_a_word(text: str) -> None:
    assert not understood(text).narrows


def test_a_time_in_passing_puts_its_sessions_first() -> None:
    query = understood("the docker cache yesterday")
    assert [term.text for term in query.terms] == ["docker", "cache"]
    assert query.about == Period("2026-11-29T03:30:00.000Z", "2026-11-30T03:30:00.000Z")
    assert query.within == ANY_TIME


@pytest.mark.parametrize("text", ["yesterday", "what did we do yesterday?"])
def test_nothing_but_a_time_narrows(text: str) -> None:
    query = understood(text)
    assert query.terms == ()
    assert query.within == Period("2026-11-29T03:30:00.000Z", "2026-11-30T03:30:00.000Z")


def test_several_words_are_looked_for_as_a_whole_too() -> None:
    assert understood("no space left on device").whole == Term(
        "no space left on device", ("no", "space", "left", "on", "device")
    )
    assert understood("docker").whole is None


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("docker cac", '"cac"*'),
        ("docker cac ", '"cac"'),
        ("docker ca", '"docker"'),
        ("ca", '"ca"'),
        ("数据库", '"据库"'),
        ("docker 🚀", '"docker"'),
        ("docker src/aut", '"aut"'),
    ],
)
def test_while_typing_the_last_word_may_be_unfinished(text: str, last: str) -> None:
    assert terms(text, typing=True)[-1] == last


def test_a_pasted_log_is_cut() -> None:
    query = understood(" ".join(f"word{number}" for number in range(5000)))
    assert len(query.terms) == MOST_TERMS


def test_help_lists_operators_that_are_understood() -> None:
    everything = understood("x " + " ".join(written for written, _ in OPERATORS))
    assert everything.phrases
    assert everything.excluded
    assert everything.projects
    assert everything.within.since
    assert everything.within.until
