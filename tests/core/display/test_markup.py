"""Plain text as safe HTML."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.display.markup import marked
from core.display.visible import visible


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
