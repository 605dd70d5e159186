"""The page is safe: hostile text does nothing, and nothing is asked of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.written import (
    EACH_PAGE,
    hostile_page,
    results_page,
)
from tests.support import pages

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from tests.browser.written import Show

pytestmark = pytest.mark.browser


@EACH_PAGE
def test_a_page_asks_for_nothing_and_complains_of_nothing(
    db: sqlite3.Connection, show: Show, write: Callable[[sqlite3.Connection], str]
) -> None:
    opened = show(write(db))
    for link in opened.page.locator("a.open").all():
        link.click()
        # The first conversation takes a while to open: an Escape before it does closes nothing.
        opened.page.locator("dialog[open]").wait_for()
        opened.page.keyboard.press("Escape")
        opened.page.locator("dialog[open]").wait_for(state="detached")
    opened.page.wait_for_timeout(50)
    assert [url for url in opened.requests if not url.startswith("file://")] == []
    assert len(opened.requests) == 1
    assert opened.complaints == []
    assert opened.page.evaluate("window.violations") == []


def test_hostile_text_is_shown_and_does_nothing(db: sqlite3.Connection, show: Show) -> None:
    opened = show(hostile_page(db), "#c1")
    page = opened.page
    shown = page.locator("dialog .turn.user").inner_text()
    for text in pages.HOSTILE[:9]:
        assert text in shown
    assert page.title() == f"{pages.HOSTILE[1]} – ChatRecall"
    assert page.locator("script").count() == 2
    assert page.locator("style").count() == 1
    assert page.locator("img, iframe, object, base, form, link[rel=stylesheet]").count() == 0
    links = page.locator("dialog .text a").evaluate_all("links => links.map(a => a.href)")
    assert set(links) == {"https://example.org/"}


def test_hostile_text_in_the_library_is_text(db: sqlite3.Connection, show: Show) -> None:
    opened = show(hostile_page(db))
    opened.page.fill("#filter", "img")
    row = opened.page.locator(".row")
    assert row.locator(".open").inner_text() == pages.HOSTILE[3]
    assert row.locator(".topics li").first.text_content() == pages.HOSTILE[0]
    assert opened.page.locator("img").count() == 0


def test_direction_overrides_are_named_and_not_obeyed(db: sqlite3.Connection, show: Show) -> None:
    opened = show(hostile_page(db))
    assert "safe[U+202E]gnp.exe[U+202C]" in opened.page.locator(".decisions").inner_text()
    assert "\u202e" not in opened.page.content()


def test_the_policy_refuses_injected_code_and_style(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          try { script.textContent = "window.owned = true"; } catch {}
          document.body.append(script);
          const button = document.createElement("button");
          try { button.setAttribute("onclick", "window.owned = true"); } catch {}
          document.body.append(button);
          button.click();
          document.body.setAttribute("style", "display: none");
          const image = new Image();
          image.src = "https://127.0.0.1:9/pixel.png";
          document.body.append(image);
        }"""
    )
    page.wait_for_timeout(50)
    assert page.evaluate("window.owned") is None
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    refused = set(page.evaluate("window.violations"))
    assert {"style-src-attr", "img-src"} <= refused


def test_the_policy_refuses_html_from_text(db: sqlite3.Connection, show: Show) -> None:
    page = show(results_page(db)).page
    done = page.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; return 'done' }"
        " catch (error) { return error.name } }"
    )
    assert done == "TypeError"
