"""The page for everybody: accessible, on narrow screens, without motion, on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.written import (
    EACH_PAGE,
    NARROW,
    hostile_page,
    library_page,
    long_page,
    results_page,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from tests.browser.written import Faults, Show

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@EACH_PAGE
def test_axe_finds_no_fault(
    db: sqlite3.Connection,
    show: Show,
    faults: Faults,
    write: Callable[[sqlite3.Connection], str],
    color_scheme: str,
) -> None:
    assert faults(show(write(db), color_scheme=color_scheme).page) == []


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("write", [results_page, hostile_page, long_page])
def test_axe_finds_no_fault_in_a_conversation(
    db: sqlite3.Connection,
    show: Show,
    faults: Faults,
    write: Callable[[sqlite3.Connection], str],
    color_scheme: str,
) -> None:
    assert faults(show(write(db), "#c1", color_scheme=color_scheme).page) == []


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_an_unfolded_library(
    db: sqlite3.Connection, show: Show, faults: Faults, color_scheme: str
) -> None:
    page = show(library_page(db), color_scheme=color_scheme).page
    page.fill("#filter", "failover")
    page.locator(".row .open").first.click()
    assert faults(page) == []


@pytest.mark.parametrize("fragment", ["", "#c1"])
@EACH_PAGE
def test_nothing_sticks_out_of_a_narrow_screen(
    db: sqlite3.Connection,
    show: Show,
    write: Callable[[sqlite3.Connection], str],
    fragment: str,
) -> None:
    page = show(write(db), fragment, viewport=NARROW).page
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    wide = page.locator("dialog[open] .said")
    if wide.count():
        assert wide.evaluate("said => said.scrollWidth - said.clientWidth") == 0


def test_nothing_moves_for_those_who_want_no_motion(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db), reduced_motion="reduce").page
    duration = "getComputedStyle(document.querySelector('.quiet')).transitionDuration"
    assert page.evaluate(duration) == "0s"


def test_print_shows_the_cards_or_the_open_conversation(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db), color_scheme="dark").page
    page.emulate_media(media="print")
    white = "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'"
    assert page.evaluate(white)
    assert page.locator(".card").first.is_visible()
    assert not page.locator(".actions").first.is_visible()
    page.evaluate("location.hash = 'c1'")
    page.locator("dialog[open]").wait_for()
    assert not page.locator(".card").first.is_visible()
    assert page.locator("dialog[open] .text").last.is_visible()


def test_a_long_conversation_prints_on_as_many_pages_as_it_takes(
    db: sqlite3.Connection, show: Show
) -> None:
    printed = show(results_page(db), "#c1").page.pdf()
    assert len(re.findall(rb"/Type /Page\b", printed)) > 1
