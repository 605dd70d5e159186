from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core import times
from core.capture.sweep import sweep
from core.sessions import exchanges_of, list_sessions
from installer import samples

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


def test_samples_are_sessions_of_the_last_weeks(
    db: sqlite3.Connection, claude_dir: Path, home: Path
) -> None:
    samples.write(str(claude_dir / "projects"), str(home))

    sweep(db)

    sessions = list_sessions(db)
    assert [session.project_name for session in sessions][:2] == ["payments-api", "recipes"]
    assert sessions[0].title == "Stripe webhook test fails at night"
    begun = times.parse(sessions[0].started_at)
    assert begun
    assert timedelta(days=1) < datetime.now(UTC) - begun < timedelta(days=3)


def test_their_tools_are_no_conversation(
    db: sqlite3.Connection, claude_dir: Path, home: Path
) -> None:
    samples.write(str(claude_dir / "projects"), str(home))

    sweep(db)

    said = exchanges_of(db, list_sessions(db)[0].session_id)
    assert [exchange.role for exchange in said] == [
        "user",
        "assistant",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "utcnow" not in said[1].text


def test_writing_them_twice_is_the_same(claude_dir: Path, home: Path) -> None:
    first = samples.write(str(claude_dir / "projects"), str(home))

    assert samples.write(str(claude_dir / "projects"), str(home)) == first
