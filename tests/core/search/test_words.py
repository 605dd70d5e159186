"""The form in which texts and queries meet in the index."""

from __future__ import annotations

import pytest

from core.search.stop_words import is_stop_word
from core.search.words import fold, index_form, inflected_beginning, query_tokens, stem, tokens


@pytest.mark.parametrize("text", ["plain words", "foo_bar-baz.py:42", "", "a\nb"])
def test_ascii_text_is_indexed_as_it_is(text: str) -> None:
    assert index_form(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据库", ["数据", "据库", "库"]),
        ("库", ["库"]),
        ("使用Docker部署", ["使用", "用", "docker", "部署", "署"]),
        ("データベース", ["デー", "ータ", "タベ", "ベー", "ース", "ス"]),
        ("환불이 안", ["환불", "불이", "이", "안"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ", "タ"]),
    ],
)
def test_runs_without_spaces_become_overlapping_pairs(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_a_query_leaves_out_the_last_character_of_a_run() -> None:
    assert query_tokens("数据库 使用Docker") == ["数据", "据库", "使用", "docker"]


def test_a_query_keeps_a_character_that_stands_alone() -> None:
    assert query_tokens("第3章") == ["第", "3", "章"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ёлка", "елка"),
        ("đăng", "dăng"),
        ("ＡＰＩ", "api"),
        ("e\u0301", "é"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
    ],
)
def test_two_spellings_of_the_same_letters_meet(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++ code", ["cplusplus", "code"]),
        ("in C#.", ["in", "csharp"]),
        ("F#", ["fsharp"]),
        (".NET 9", ["dotnet", "9"]),
        ("ASP.NET", ["asp", "net"]),
        ("i++", ["i"]),
        ("abc#4", ["abc", "4"]),
    ],
)
def test_names_of_languages_keep_their_signs(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("отчётов", "отчёт"),
        ("заказы", "зака"),
        ("бота", "бот"),
        ("мы", "мы"),
        ("reports", "reports"),
    ],
)
def test_cyrillic_words_are_known_by_their_beginning(token: str, expected: str) -> None:
    assert inflected_beginning(token) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [("deploying", "deploy"), ("deployed", "deploy"), ("retries", "retr"), ("api", "api")],
)
def test_forms_of_an_english_word_share_a_stem(token: str, expected: str) -> None:
    assert stem(token) == expected


def test_folding_keeps_each_place() -> None:
    text = "Über\tdie İstanbul-Straße: 数据 ﬁ 🚀"
    assert len(fold(text)) == len(text)
    assert fold("Über-Fall") == "uber fall"


@pytest.mark.parametrize("token", ["the", "wurde", "nous", "что", "です", "什么"])
def test_small_words_say_nothing(token: str) -> None:
    assert is_stop_word(token)


@pytest.mark.parametrize(
    "token", ["docker", "数据", "データ", "환불", "ci", "com", "du", "io", "os"]
)
def test_other_words_say_something(token: str) -> None:
    assert not is_stop_word(token)
