"""Pauses, exclusions and tombstones, as hook and sweep heed them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core import folders, paths, times
from core.capture.store import keep_answer
from core.capture.sweep import sweep
from core.capture.watermark import Watermark
from core.privacy import exclusions, privacy
from tests.support.transcript import SESSION, Transcript

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

HOUR = timedelta(hours=1)


@pytest.fixture
def transcript(claude_dir: Path) -> Transcript:
    return Transcript(claude_dir / "projects" / "-home-dev-shop")


def now() -> datetime:
    return datetime.now(UTC)


def say(transcript: Transcript, text: str, at: datetime) -> None:
    transcript.user(text, timestamp=times.stored(at))


def remembered(db: sqlite3.Connection) -> list[str]:
    sweep(db)
    return [text for (text,) in db.execute("SELECT text FROM exchanges ORDER BY session_id, seq")]


def set_pause(db: sqlite3.Connection, began: datetime, ends: datetime) -> None:
    """Store a pause as it was set at another time than now."""
    privacy.pause(db, None)
    db.execute(
        "UPDATE state SET value = ? WHERE key = 'pauses'",
        (f'[["{times.stored(began)}", "{times.stored(ends)}"]]',),
    )


def test_capture_is_not_paused_at_first(db: sqlite3.Connection) -> None:
    assert privacy.paused_until(db) is None


def test_a_pause_ends_at_its_time(db: sqlite3.Connection) -> None:
    until = now().replace(microsecond=0) + HOUR
    privacy.pause(db, until)
    assert privacy.paused_until(db) == until
    set_pause(db, now() - 2 * HOUR, now() - HOUR)
    assert privacy.paused_until(db) is None


def test_a_pause_without_end_lasts_until_resumed(db: sqlite3.Connection) -> None:
    privacy.pause(db, None)
    assert privacy.paused_until(db) == privacy.UNTIL_RESUMED
    privacy.resume(db)
    assert privacy.paused_until(db) is None


def test_a_second_pause_takes_the_place_of_the_first(db: sqlite3.Connection) -> None:
    privacy.pause(db, None)
    until = now().replace(microsecond=0) + HOUR
    privacy.pause(db, until)
    assert privacy.paused_until(db) == until


def test_resuming_when_nothing_is_paused_is_no_error(db: sqlite3.Connection) -> None:
    privacy.resume(db)
    assert privacy.paused_until(db) is None


def test_a_clock_that_was_set_back_does_not_prolong_a_pause(db: sqlite3.Connection) -> None:
    set_pause(db, now() + 48 * HOUR, now() + 49 * HOUR)
    assert privacy.paused_until(db) is None
    assert not privacy.said_while_paused(db, times.stored(now() + 48.5 * HOUR))


def test_a_clock_that_was_set_back_a_little_changes_nothing(db: sqlite3.Connection) -> None:
    ends = (now() + HOUR).replace(microsecond=0)
    set_pause(db, now() + timedelta(seconds=30), ends)
    assert privacy.paused_until(db) == ends


def test_what_is_said_during_a_pause_is_never_remembered(
    db: sqlite3.Connection, transcript: Transcript
) -> None:
    set_pause(db, now() - 3 * HOUR, now() - HOUR)
    say(transcript, "before", now() - 4 * HOUR)
    say(transcript, "during", now() - 2 * HOUR)
    say(transcript, "after", now())
    assert remembered(db) == ["before", "after"]


def test_what_was_said_before_a_pause_is_remembered_even_if_found_later(
    db: sqlite3.Connection, transcript: Transcript
) -> None:
    say(transcript, "before", now() - HOUR)
    privacy.pause(db, None)
    assert remembered(db) == ["before"]


def test_a_fork_does_not_bring_back_what_was_said_during_a_pause(
    db: sqlite3.Connection, transcript: Transcript
) -> None:
    privacy.pause(db, None)
    say(transcript, "during", now() + timedelta(seconds=1))
    assert remembered(db) == []
    privacy.resume(db)
    copy = transcript.path.read_bytes().replace(SESSION.encode(), b"f" + SESSION[1:].encode())
    transcript.path.with_name(f"f{SESSION[1:]}.jsonl").write_bytes(copy)
    assert remembered(db) == []


def test_an_answer_from_the_hook_is_not_kept_during_a_pause(
    db: sqlite3.Connection, transcript: Transcript
) -> None:
    say(transcript, "before", now() - HOUR)
    assert remembered(db) == ["before"]
    privacy.pause(db, None)
    mark = Watermark.load(db, str(transcript.path))
    keep_answer(db, mark, transcript.cwd, "an answer", times.stored(now() + timedelta(seconds=1)))
    assert remembered(db) == ["before"]


def test_an_excluded_project_is_not_captured_and_its_transcripts_are_not_read_again(
    db: sqlite3.Connection, transcript: Transcript
) -> None:
    exclusions.exclude(transcript.cwd)
    say(transcript, "excluded", now())
    assert remembered(db) == []
    exclusions.include(transcript.cwd)
    say(transcript, "included", now())
    assert remembered(db) == ["included"]


def test_the_summarizers_own_runs_are_never_captured(
    claude_dir: Path, db: sqlite3.Connection
) -> None:
    own = Transcript(claude_dir / "projects" / "-own", cwd=paths.data_dir())
    own.user("Summarize this conversation.")
    assert remembered(db) == []


def test_the_home_folder_is_not_around_the_projects_in_it(home: Path) -> None:
    assert folders.key(str(home)) in privacy.projects_around(str(home))
    assert folders.key(str(home)) not in privacy.projects_around(str(home / "shop"))


def test_a_session_without_folder_belongs_to_no_project() -> None:
    assert privacy.projects_around("") == []
