from __future__ import annotations

import pytest

from core import times
from installer import history, record


@pytest.mark.usefixtures("home")
def test_it_says_in_local_time_when_it_was_read() -> None:
    at = "2026-11-30T20:20:40.165Z"
    record.note(history.NAME, {"at": at})

    assert history.state().words == f"read {times.parse(at):%Y-%m-%d %H:%M}"
    assert "20:20" not in history.state().words
