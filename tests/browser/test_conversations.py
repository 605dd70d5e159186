"""A conversation on the page: opened at its match, stepped through, left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.display import page as pages_module
from core.search.results import Result
from tests.browser.written import (
    long_page,
    results_page,
)
from tests.support import pages

if TYPE_CHECKING:
    import sqlite3

    from tests.browser.written import Show

pytestmark = pytest.mark.browser


def test_a_conversation_opens_at_its_match_and_steps_through_all(
    db: sqlite3.Connection, show: Show
) -> None:
    page = show(results_page(db)).page
    page.get_by_role("link", name="Whole conversation").first.click()
    where = page.locator("dialog[open] output")
    here = page.locator("dialog[open] mark.here")
    assert where.inner_text() == "3 of 7"
    assert here.inner_text() == "failover"
    page.keyboard.press("n")
    assert here.inner_text() == "failover timeout"
    page.get_by_role("button", name="Previous match").click()
    page.keyboard.press("p")
    assert where.inner_text() == "2 of 7"


def test_a_match_in_folded_code_unfolds_it(db: sqlite3.Connection, show: Show) -> None:
    pages.ordinary(db)
    match = pages.match(db, "6f1c2f8e", "step_63: run", 5)
    result = Result("step_63", (match,), ("step_63",), 3)
    page = show(pages_module.write_results(db, result), "#c1").page
    assert page.locator("dialog[open] mark.here").is_visible()
    assert page.locator("dialog[open] details.code").evaluate("fold => fold.open")


def test_escape_and_the_back_button_close_a_conversation(
    db: sqlite3.Connection, show: Show
) -> None:
    page = show(results_page(db)).page
    link = page.get_by_role("link", name="Whole conversation").first
    link.click()
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    assert link.evaluate("link => link === document.activeElement")
    link.click()
    page.go_back()
    page.locator("dialog[open]").wait_for(state="detached")


def test_a_page_opened_at_a_conversation_can_be_left(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db), "#c2").page
    page.get_by_role("button", name="Close").click()
    page.locator("dialog[open]").wait_for(state="detached")
    assert page.locator(".card").first.is_visible()


def test_only_what_is_near_the_match_of_a_long_session_is_shown(
    db: sqlite3.Connection, show: Show
) -> None:
    page = show(long_page(db), "#c2").page
    assert "not shown here" in page.locator("dialog[open] .left-out").first.inner_text()
    assert page.locator("dialog[open] mark.here").is_visible()
    assert "not shown here" in page.locator("dialog[open] .turn + .left-out").last.inner_text()
    assert page.get_by_text("chatrecall show 11111111-0000-4000-8000-000000000002").is_visible()
    near = page.locator('dialog[open] [data-seq="1000"]')
    assert near.locator("mark.here").count() == 1
