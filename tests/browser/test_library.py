"""All sessions on the page: filtered, narrowed, unfolded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.display import page as pages_module
from tests.browser.written import (
    library_page,
    results_page,
)
from tests.support import pages

if TYPE_CHECKING:
    import sqlite3

    from tests.browser.written import Show

pytestmark = pytest.mark.browser


def test_typing_filters_all_sessions(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.keyboard.press("/")
    page.keyboard.type("runbook dns")
    assert page.locator(".row .open").all_inner_texts() == ["Runbook for a database failover"]
    assert page.locator("#count").inner_text() == "1 of 3 sessions"
    assert not page.locator(".card").first.is_visible()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ('"archive job"', 1),
        ('"job archive"', 0),
        ("failover -runbook", 1),
        ("project:infra", 1),
        ("-project:infra", 2),
        ("after:2026-10-03", 2),
        ("before:2026-10-03", 1),
        ("on:2026-10", 1),
        ("on:2026/10/3", 1),
        ("before:3d", 3),
        ("after:tomorrow", 0),
        ("ÁRCHIVE", 1),
        ("(", 0),
        ("-", 3),
    ],
)
def test_the_filter_understands_what_the_search_does(
    db: sqlite3.Connection, show: Show, typed: str, found: int
) -> None:
    page = show(library_page(db)).page
    page.fill("#filter", typed)
    assert page.locator(".row").count() == found


def test_project_and_month_narrow_it_further(db: sqlite3.Connection, show: Show) -> None:
    page = show(library_page(db)).page
    page.select_option("#project", "shop")
    assert page.locator(".row").count() == 2
    page.select_option("#month", "2026-08")
    assert page.locator(".row").count() == 1
    assert page.locator("#rows h2").all_inner_texts() == ["August 2026"]


def test_a_row_unfolds_and_offers_what_its_card_would(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.fill("#filter", "replica")
    row = page.locator(".row").first
    row.locator(".open").click()
    assert row.locator(".open").get_attribute("aria-expanded") == "true"
    row.get_by_role("link", name="Whole conversation").click()
    assert page.locator("dialog[open] h2").inner_text() == "Replica lag after the archive job"


def test_five_thousand_sessions_are_all_within_reach(db: sqlite3.Connection, show: Show) -> None:
    pages.many(db, 5_000)
    page = show(pages_module.write_library(db)).page
    assert page.locator("#count").inner_text() == "5,000 sessions"
    assert page.locator(".row").count() < 200
    page.locator("#more").scroll_into_view_if_needed()
    page.locator(".row").nth(100).wait_for()
    page.fill("#filter", "case-4242")
    assert page.locator(".row .open").all_inner_texts() == ["The cache times out (case 4242)"]
