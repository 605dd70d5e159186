"""The page in a real Chromium: what it does, what it refuses, and that everybody can use it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.display import page as pages_module
from core.search.results import Result
from tests.support import pages

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Opened

    Show = Callable[..., Opened]
    Faults = Callable[[Page], list[str]]

pytestmark = pytest.mark.browser

NARROW = {"width": 380, "height": 800}
NOTHING = Result("kubernetes ingress", (), ("kubernetes", "ingress"), 3)


def results_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.ordinary(db))


def no_match_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_results(db, NOTHING)


def not_indexed_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_results(db, replace(NOTHING, not_indexed=2))


def empty_page(db: sqlite3.Connection) -> str:
    return pages_module.write_library(db)


def library_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_library(db)


def hostile_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.hostile(db))


def long_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.long(db))


EACH_PAGE = pytest.mark.parametrize(
    "write",
    [
        *(results_page, library_page, no_match_page, not_indexed_page),
        *(empty_page, hostile_page, long_page),
    ],
)


class TestSafety:
    @EACH_PAGE
    def test_a_page_asks_for_nothing_and_complains_of_nothing(
        self, db: sqlite3.Connection, show: Show, write: Callable[[sqlite3.Connection], str]
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

    def test_hostile_text_is_shown_and_does_nothing(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
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

    def test_hostile_text_in_the_library_is_text(self, db: sqlite3.Connection, show: Show) -> None:
        opened = show(hostile_page(db))
        opened.page.fill("#filter", "img")
        row = opened.page.locator(".row")
        assert row.locator(".open").inner_text() == pages.HOSTILE[3]
        assert row.locator(".topics li").first.text_content() == pages.HOSTILE[0]
        assert opened.page.locator("img").count() == 0

    def test_direction_overrides_are_named_and_not_obeyed(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        opened = show(hostile_page(db))
        assert "safe[U+202E]gnp.exe[U+202C]" in opened.page.locator(".decisions").inner_text()
        assert "\u202e" not in opened.page.content()

    def test_the_policy_refuses_injected_code_and_style(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
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

    def test_the_policy_refuses_html_from_text(self, db: sqlite3.Connection, show: Show) -> None:
        page = show(results_page(db)).page
        done = page.evaluate(
            "() => { try { document.body.innerHTML = '<b>x</b>'; return 'done' }"
            " catch (error) { return error.name } }"
        )
        assert done == "TypeError"


class TestCards:
    def test_a_card_tells_where_when_and_what(self, db: sqlite3.Connection, show: Show) -> None:
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
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        card = show(results_page(db)).page.locator(".card").first
        neighbours = card.locator(".excerpt .turn")
        assert neighbours.count() == 3
        assert not neighbours.first.is_visible()
        card.get_by_text("Before and after").click()
        assert neighbours.first.is_visible()

    def test_the_resume_command_is_copied(
        self, db: sqlite3.Connection, show: Show, monkeypatch: pytest.MonkeyPatch
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
        self, db: sqlite3.Connection, show: Show
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

    def test_the_project_of_a_card_leads_to_its_sessions(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        page = show(results_page(db)).page
        page.get_by_role("button", name="All sessions in shop").first.click()
        assert page.locator(".row .in").all_inner_texts() == ["shop", "shop"]
        page.keyboard.press("Escape")
        assert page.locator(".card").first.is_visible()


class TestConversations:
    def test_a_conversation_opens_at_its_match_and_steps_through_all(
        self, db: sqlite3.Connection, show: Show
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

    def test_a_match_in_folded_code_unfolds_it(self, db: sqlite3.Connection, show: Show) -> None:
        pages.ordinary(db)
        match = pages.match(db, "6f1c2f8e", "step_63: run", 5)
        result = Result("step_63", (match,), ("step_63",), 3)
        page = show(pages_module.write_results(db, result), "#c1").page
        assert page.locator("dialog[open] mark.here").is_visible()
        assert page.locator("dialog[open] details.code").evaluate("fold => fold.open")

    def test_escape_and_the_back_button_close_a_conversation(
        self, db: sqlite3.Connection, show: Show
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

    def test_a_page_opened_at_a_conversation_can_be_left(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        page = show(results_page(db), "#c2").page
        page.get_by_role("button", name="Close").click()
        page.locator("dialog[open]").wait_for(state="detached")
        assert page.locator(".card").first.is_visible()

    def test_only_what_is_near_the_match_of_a_long_session_is_shown(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        page = show(long_page(db), "#c2").page
        assert "not shown here" in page.locator("dialog[open] .left-out").first.inner_text()
        assert page.locator("dialog[open] mark.here").is_visible()
        assert "not shown here" in page.locator("dialog[open] .turn + .left-out").last.inner_text()
        assert page.get_by_text("chatrecall show 11111111-0000-4000-8000-000000000002").is_visible()
        near = page.locator('dialog[open] [data-seq="1000"]')
        assert near.locator("mark.here").count() == 1


class TestLibrary:
    def test_typing_filters_all_sessions(self, db: sqlite3.Connection, show: Show) -> None:
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
        self, db: sqlite3.Connection, show: Show, typed: str, found: int
    ) -> None:
        page = show(library_page(db)).page
        page.fill("#filter", typed)
        assert page.locator(".row").count() == found

    def test_project_and_month_narrow_it_further(self, db: sqlite3.Connection, show: Show) -> None:
        page = show(library_page(db)).page
        page.select_option("#project", "shop")
        assert page.locator(".row").count() == 2
        page.select_option("#month", "2026-08")
        assert page.locator(".row").count() == 1
        assert page.locator("#rows h2").all_inner_texts() == ["August 2026"]

    def test_a_row_unfolds_and_offers_what_its_card_would(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        page = show(results_page(db)).page
        page.fill("#filter", "replica")
        row = page.locator(".row").first
        row.locator(".open").click()
        assert row.locator(".open").get_attribute("aria-expanded") == "true"
        row.get_by_role("link", name="Whole conversation").click()
        assert page.locator("dialog[open] h2").inner_text() == "Replica lag after the archive job"

    def test_five_thousand_sessions_are_all_within_reach(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        pages.many(db, 5_000)
        page = show(pages_module.write_library(db)).page
        assert page.locator("#count").inner_text() == "5,000 sessions"
        assert page.locator(".row").count() < 200
        page.locator("#more").scroll_into_view_if_needed()
        page.locator(".row").nth(100).wait_for()
        page.fill("#filter", "case-4242")
        assert page.locator(".row .open").all_inner_texts() == ["The cache times out (case 4242)"]


class TestKeyboard:
    def test_arrows_move_through_cards_and_enter_opens(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
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

    def test_escape_leaves_the_filter(self, db: sqlite3.Connection, show: Show) -> None:
        page = show(results_page(db)).page
        page.keyboard.press("/")
        page.keyboard.type("dns")
        page.keyboard.press("Escape")
        assert page.locator("#filter").input_value() == ""
        assert page.locator(".card").first.is_visible()

    def test_what_has_the_focus_shows_it(self, db: sqlite3.Connection, show: Show) -> None:
        page = show(results_page(db)).page
        for _ in range(12):
            page.keyboard.press("Tab")
            style = page.evaluate(
                "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])"
                "(getComputedStyle(document.activeElement))"
            )
            assert style == ["solid", "2px"]


class TestForEverybody:
    @pytest.mark.parametrize("color_scheme", ["light", "dark"])
    @EACH_PAGE
    def test_axe_finds_no_fault(
        self,
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
        self,
        db: sqlite3.Connection,
        show: Show,
        faults: Faults,
        write: Callable[[sqlite3.Connection], str],
        color_scheme: str,
    ) -> None:
        assert faults(show(write(db), "#c1", color_scheme=color_scheme).page) == []

    @pytest.mark.parametrize("color_scheme", ["light", "dark"])
    def test_axe_finds_no_fault_in_an_unfolded_library(
        self, db: sqlite3.Connection, show: Show, faults: Faults, color_scheme: str
    ) -> None:
        page = show(library_page(db), color_scheme=color_scheme).page
        page.fill("#filter", "failover")
        page.locator(".row .open").first.click()
        assert faults(page) == []

    @pytest.mark.parametrize("fragment", ["", "#c1"])
    @EACH_PAGE
    def test_nothing_sticks_out_of_a_narrow_screen(
        self,
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

    def test_nothing_moves_for_those_who_want_no_motion(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        page = show(results_page(db), reduced_motion="reduce").page
        duration = "getComputedStyle(document.querySelector('.quiet')).transitionDuration"
        assert page.evaluate(duration) == "0s"

    def test_print_shows_the_cards_or_the_open_conversation(
        self, db: sqlite3.Connection, show: Show
    ) -> None:
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
        self, db: sqlite3.Connection, show: Show
    ) -> None:
        printed = show(results_page(db), "#c1").page.pdf()
        assert len(re.findall(rb"/Type /Page\b", printed)) > 1
