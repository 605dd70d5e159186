"""Plain text as safe HTML."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.display.markup import has_tricks, marked, visible


def test_matches_are_marked_and_the_rest_is_escaped() -> None:
    assert marked("<b> cache & co", ("cache",)) == "&lt;b&gt; <mark>cache</mark> &amp; co"


@pytest.mark.parametrize("between", [" ", "_", "-", "/"])
def test_matches_that_only_a_sign_divides_are_one_mark(between: str) -> None:
    text = f"load{between}balancer"
    assert marked(text, ("load", "balancer")) == f"<mark>{text}</mark>"


@given(st.text(), st.lists(st.text(max_size=4), max_size=3))
def test_marking_changes_no_text(text: str, words: list[str]) -> None:
    without_marks = re.sub("</?mark>", "", marked(text, words))
    assert html.unescape(without_marks) == html.unescape(html.escape(visible(text)))
    assert "<" not in without_marks


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a[U+202E]b"),
        ("\u2066a\u2069", "[U+2066]a[U+2069]"),
        ("bell\x07", "bell\u2407"),
        ("\x1b[31m", "\u241b[31m"),
        ("a\x7f", "a\u2421"),
        ("\ud800", "\ufffd"),
    ],
)
def test_what_could_deceive_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert has_tricks(text)


@pytest.mark.parametrize("text", ["plain", "tab\there", "日本", "שלום\u200f", "👩\u200d💻", "é"])
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text
    assert not has_tricks(text)
