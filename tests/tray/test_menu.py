from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from core.errors import ChatRecallError
from core.privacy.privacy import UNTIL_RESUMED
from tray.menu import SEPARATOR, Item, build
from tray.present import Present, RecentSession

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))


class Recorder:
    """Notes what the menu's items do."""

    def __init__(self) -> None:
        self.done: list[tuple[object, ...]] = []

    def search(self) -> None:
        self.done.append(("search",))

    def open_session(self, session_id: str) -> None:
        self.done.append(("open", session_id))

    def summarize_now(self) -> None:
        self.done.append(("summarize",))

    def pause(self, until: datetime | None) -> None:
        self.done.append(("pause", until))

    def resume(self) -> None:
        self.done.append(("resume",))

    def launch_at_logon(self, wanted: bool) -> None:
        self.done.append(("logon", wanted))

    def explain_trouble(self) -> None:
        self.done.append(("explain",))

    def open_data_folder(self) -> None:
        self.done.append(("folder",))

    def quit(self) -> None:
        self.done.append(("quit",))


def session(number: int, name: str = "Fix the login", project: str = "webshop") -> RecentSession:
    return RecentSession(f"{number:08}", name, project)


def lines(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from lines(item.submenu)


def choose(present: Present, label: str) -> tuple[object, ...]:
    """Choose the line that begins with `label` and return what it did."""
    recorder = Recorder()
    found = [
        item
        for item in lines(build(present, recorder, now=NOW))
        if item.label.startswith(label) and not item.submenu
    ]
    assert len(found) == 1, [item.label for item in found]
    assert found[0].action is not None
    found[0].action()
    return recorder.done[0]


def labels(present: Present) -> list[str]:
    return [item.label for item in lines(build(present, Recorder(), now=NOW))]


def test_the_menu_has_its_lines_in_their_order() -> None:
    present = Present(recent=(session(1),), spent_today=0.012, spent_this_month=1.5)
    assert labels(present) == [
        "Search…",
        "Recent sessions",
        "Fix the login · webshop",
        "",
        "Summarize now",
        "Pause capture",
        "For an hour",
        "Until tomorrow",
        "Until I resume it",
        "Launch at logon",
        "",
        "Spent today $0.012, this month $1.50",
        "Open data folder",
        "",
        "Quit",
    ]


def test_search_is_the_default_line_and_the_only_one() -> None:
    defaults = [item.label for item in build(Present(), Recorder()) if item.default]
    assert defaults == ["Search…"]


@pytest.mark.parametrize(
    ("label", "done"),
    [
        ("Search…", ("search",)),
        ("Summarize now", ("summarize",)),
        ("For an hour", ("pause", NOW + timedelta(hours=1))),
        ("Until tomorrow", ("pause", datetime(2026, 12, 1, tzinfo=NOW.tzinfo))),
        ("Until I resume it", ("pause", None)),
        ("Launch at logon", ("logon", True)),
        ("Open data folder", ("folder",)),
        ("Quit", ("quit",)),
    ],
)
def test_each_line_does_what_it_says(label: str, done: tuple[object, ...]) -> None:
    assert choose(Present(), label) == done


def test_a_recent_session_opens_itself() -> None:
    present = Present(recent=(session(1, "One"), session(2, "Two")))
    assert choose(present, "Two") == ("open", "00000002")


def test_without_sessions_the_line_says_so_and_does_nothing() -> None:
    line = build(Present(), Recorder())[1]
    assert line == Item("No sessions yet")


@pytest.mark.parametrize(
    ("until", "label"),
    [
        (NOW + timedelta(hours=1), "Resume capture (paused until 15:05)"),
        (NOW + timedelta(hours=12), "Resume capture (paused until 2026-12-01 02:05)"),
        (UNTIL_RESUMED, "Resume capture"),
    ],
)
def test_while_paused_the_menu_offers_to_resume_and_says_until_when(
    until: datetime, label: str
) -> None:
    present = Present(paused_until=until)
    assert label in labels(present)
    assert "Pause capture" not in labels(present)
    assert choose(present, "Resume capture") == ("resume",)


def test_while_paused_nothing_can_be_summarized() -> None:
    items = build(Present(paused_until=UNTIL_RESUMED), Recorder())
    assert next(item for item in items if item.label == "Summarize now").action is None


def test_while_working_the_line_says_so() -> None:
    assert "Summarizing…" in labels(Present(working=True))
    assert "Summarize now" not in labels(Present(working=True))


def test_launch_at_logon_is_checked_when_on_and_switches_off() -> None:
    present = Present(at_logon=True)
    line = next(i for i in build(present, Recorder()) if i.label == "Launch at logon")
    assert line.checked is True
    assert choose(present, "Launch at logon") == ("logon", False)


def test_trouble_stands_first_with_the_way_out() -> None:
    present = Present(trouble=ChatRecallError("The API key was refused", "Make a new one."))
    items = build(present, Recorder())
    assert items[0].label == "The API key was refused: what to do…"
    assert items[1] is SEPARATOR
    assert choose(present, "The API key") == ("explain",)


def test_a_title_of_any_length_and_form_makes_one_line_of_bounded_length() -> None:
    present = Present(recent=(session(1, "Line one\nline\ttwo " + "日本" * 200),))
    label = labels(present)[2]
    assert label.startswith("Line one line two 日本")
    assert len(label.encode("utf-16-le")) // 2 <= 100


def test_a_session_outside_of_any_project_is_named_alone() -> None:
    assert "Fix the login" in labels(Present(recent=(session(1, project=""),)))
