from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core import times
from installer import history, record
from tests.installer.conftest import words
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.usefixtures("home")
def test_it_says_in_local_time_when_it_was_read() -> None:
    at = "2026-11-30T20:20:40.165Z"
    record.note(history.NAME, {"at": at})

    assert history.state().words == f"read {times.parse(at):%Y-%m-%d %H:%M}"
    assert "20:20" not in history.state().words


def test_where_there_is_none_nothing_is_to_be_done_and_nothing_is_missing(claude_dir: Path) -> None:
    assert claude_dir.exists()
    assert history.install() == []
    assert history.state().kind == "works"


def test_what_is_there_is_read_summarized_indexed_and_shown(claude_dir: Path) -> None:
    Transcript(claude_dir / "projects" / "-shop [1]").user("Why does the checkout charge twice?")

    assert [line.split()[0] for line in words(history.install())] == [
        "Read", "Summarize", "Make", "Look", "Open",
    ]  # fmt: skip
    assert history.state().kind == "missing"
