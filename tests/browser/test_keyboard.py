"""The page by the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.written import (
    results_page,
)

if TYPE_CHECKING:
    import sqlite3

    from tests.browser.written import Show

pytestmark = pytest.mark.browser


def test_arrows_move_through_cards_and_enter_opens(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    opened = page.locator("dialog[open] h2")
    assert opened.inner_text() == "Runbook for a database failover"
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "filter"


def test_escape_leaves_the_filter(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.keyboard.press("/")
    page.keyboard.type("dns")
    page.keyboard.press("Escape")
    assert page.locator("#filter").input_value() == ""
    assert page.locator(".card").first.is_visible()


def test_what_has_the_focus_shows_it(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    for _ in range(12):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])"
            "(getComputedStyle(document.activeElement))"
        )
        assert style == ["solid", "2px"]
