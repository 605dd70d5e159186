"""Where the words of a query stand in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.display.marks import spans


def found(text: str, *words: str) -> list[str]:
    return [text[start:end] for start, end in spans(text, words)]


@pytest.mark.parametrize(
    ("text", "word", "marked"),
    [
        ("Failover, failovers", "failover", ["Failover", "failovers"]),
        (
            "deployed and deploying a deployment",
            "deployments",
            ["deployed", "deploying", "deployment"],
        ),
        ("the cachet of caching", "cache", ["caching"]),
        ("submitted", "submit", ["submitted"]),
        ("два запроса", "запрос", ["запроса"]),
        ("a cat in a category", "cat", ["cat"]),
        ("Café, cafe", "cafe", ["Café", "cafe"]),
        ("cafe", "café", ["cafe"]),
        ("İstanbul", "istanbul", ["İstanbul"]),
        ("C++ and C and c++", "C++", ["C++", "c++"]),
        ("src/auth.rs:42 src auth rs 42", "src/auth.rs:42", ["src/auth.rs:42", "src auth rs 42"]),
        ("run --no-verify now", "--no-verify", ["no-verify"]),
        ("my_func calls my-func", "my_func", ["my_func", "my-func"]),
        ("don't do it", "don't", ["don't"]),
        ("请检查为什么构建失败", "构建", ["构建"]),
        ("使用GPT模型来", "gpt模型", ["GPT模型"]),
        ("한국어를 배우다", "한국어", ["한국어"]),
        ("🚀 launch", "🚀", ["🚀"]),
        ("the quick brown fox", "quick brown", ["quick brown"]),
        ("kubernetes, kube", "kub*", ["kubernetes", "kube"]),
        ("новый отчёт", "отчет*", ["отчёт"]),
        ("version 2.14.0 or 2.14.01", "2.14.0", ["2.14.0"]),
    ],
)
def test_a_word_is_found_as_the_index_would(text: str, word: str, marked: list[str]) -> None:
    assert found(text, word) == marked


def test_nothing_is_looked_for_without_words() -> None:
    assert spans("some text", ()) == []
    assert spans("some text", ("", "  ")) == []


def test_the_longest_of_several_words_wins() -> None:
    assert found("load balancer", "load", "load balancer") == ["load balancer"]


@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=4))
def test_spans_are_in_order_and_inside_the_text(text: str, words: list[str]) -> None:
    end_before = 0
    for start, end in spans(text, words):
        assert end_before <= start < end <= len(text)
        end_before = end


@given(st.text(min_size=1, max_size=20))
def test_a_text_finds_itself(text: str) -> None:
    if text.strip():
        assert spans(text, (text,))
