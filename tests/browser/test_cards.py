"""The cards of what was found, and what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.written import (
    hostile_page,
    results_page,
)

if TYPE_CHECKING:
    import sqlite3

    from tests.browser.written import Show

pytestmark = pytest.mark.browser


def test_a_card_tells_where_when_and_what(db: sqlite3.Connection, show: Show) -> None:
    card = show(results_page(db)).page.locator(".card").first
    assert card.locator(".meta").inner_text().split("\n") == [
        "shop",
        "Thu 12 Nov 2026, 06:00",  # 09:30 UTC in Newfoundland
        "7 exchanges",
    ]
    assert card.locator("h2").inner_text() == "Replica lag after the archive job"
    assert card.locator(".summary mark").all_inner_texts() == ["failover", "failover timeout"]
    assert card.locator(".decisions li").count() == 3
    assert card.locator(".by").inner_text() == "summary by claude-haiku-5-5"


def test_the_neighbours_of_the_match_are_folded_below_it(
    db: sqlite3.Connection, show: Show
) -> None:
    card = show(results_page(db)).page.locator(".card").first
    neighbours = card.locator(".excerpt .turn")
    assert neighbours.count() == 3
    assert not neighbours.first.is_visible()
    card.get_by_text("Before and after").click()
    assert neighbours.first.is_visible()


def test_the_resume_command_is_copied(
    db: sqlite3.Connection, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    opened = show(results_page(db), permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    page.get_by_role("button", name="Copy resume command").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == (
        "cd -- /home/lena/src/shop && claude --resume 6f1c2f8e-7f0f-4c3e-9d7e-2f6f3b0a1c11"
    )
    assert page.locator("#said").inner_text() == "Resume command copied"


def test_copying_works_where_the_clipboard_is_out_of_reach(
    db: sqlite3.Connection, show: Show
) -> None:
    opened = show(results_page(db), permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    page.get_by_role("button", name="Copy id").first.click()
    page.locator("#said", has_text="Session id copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "6f1c2f8e-7f0f-4c3e-9d7e-2f6f3b0a1c11"


def test_the_project_of_a_card_leads_to_its_sessions(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.get_by_role("button", name="All sessions in shop").first.click()
    assert page.locator(".row .in").all_inner_texts() == ["shop", "shop"]
    page.keyboard.press("Escape")
    assert page.locator(".card").first.is_visible()


def test_a_long_project_name_begins_at_the_edge_of_its_card(
    db: sqlite3.Connection, show: Show
) -> None:
    project = show(hostile_page(db)).page.locator(".card .project").first
    assert project.evaluate("button => getComputedStyle(button).textAlign") == "start"
