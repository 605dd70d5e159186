"""Fixtures for the core: a Messages API on the loopback."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import times
from tests.support import api_server

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from tests.support.api_server import Api


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """A Messages API on the loopback, which the environment points at with a key."""
    with api_server.serve() as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
        yield api


@pytest.fixture
def history_is_over(db: sqlite3.Connection) -> None:
    """ChatRecall has been here for a day."""
    yesterday = times.stored(datetime.now(UTC) - timedelta(days=1))
    db.execute("INSERT INTO state (key, value) VALUES ('history_ends_at', ?)", (yesterday,))
