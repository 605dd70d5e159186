from __future__ import annotations

import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core import database, paths, times
from core.rescue import backup
from core.rescue.forget import forget_session
from core.search import index
from tests.support.memory import Said, remember


@pytest.fixture
def memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """A database with three sessions, indexed."""
    for number in range(3):
        remember(db, f"session-{number}", [Said("user", f"words {number}")], summary="A summary.")
    index.bring_up_to_date(db)
    return db


def on(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    monkeypatch.setattr(times, "now", lambda: f"{day}T09:00:00.000Z")


def days() -> list[str]:
    return [backup.day_of(file) for file in backup.newest_first()]


def sessions(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT session_id FROM sessions ORDER BY 1")]


def test_a_backup_holds_all_that_was_said(memory: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(backup.back_up(memory))) as copy:
        assert copy.execute("SELECT count(*) FROM exchanges").fetchone() == (3,)
        assert sessions(copy) == ["session-0", "session-1", "session-2"]


def test_a_backup_is_one_file_that_only_its_owner_can_read(memory: sqlite3.Connection) -> None:
    file = backup.back_up(memory)
    assert os.listdir(paths.backups_dir()) == [os.path.basename(file)]
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(paths.backups_dir()).st_mode) == 0o700


def test_there_is_one_backup_a_day(
    memory: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, "2026-11-30")
    assert backup.back_up(memory)
    assert backup.back_up(memory) == ""
    on(monkeypatch, "2026-12-01")
    assert backup.back_up(memory)
    assert days() == ["2026-12-01", "2026-11-30"]


def test_three_daily_and_four_weekly_backups_are_kept(
    memory: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        on(monkeypatch, f"2026-{10 + number // 30}-{1 + number % 30:02}")
        backup.back_up(memory)
    assert days() == [
        *("2026-11-30", "2026-11-29", "2026-11-28"),
        *("2026-11-27", "2026-11-22", "2026-11-15", "2026-11-08"),
    ]


def test_a_backup_from_the_future_does_not_hold_its_place(
    memory: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, "2031-01-01")
    backup.back_up(memory)
    on(monkeypatch, "2026-11-30")
    backup.back_up(memory)
    assert days() == ["2026-11-30"]


def test_files_of_other_names_are_left_alone(memory: sqlite3.Connection) -> None:
    folder = Path(paths.backups_dir())
    folder.mkdir(parents=True)
    for name in ("chatrecall-mine.db", "chatrecall-2026-1-1.db", "notes.txt"):
        (folder / name).write_text("mine", encoding="utf-8")
    backup.back_up(memory)
    assert len(list(folder.iterdir())) == 4


def test_a_damaged_database_is_not_backed_up(memory: sqlite3.Connection) -> None:
    root = memory.execute("SELECT rootpage FROM sqlite_master WHERE name = 'calls'").fetchone()[0]
    memory.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    memory.close()
    with open(paths.database_file(), "r+b") as stream:
        stream.seek((root - 1) * 4096)
        stream.write(b"\xff" * 4096)
    with closing(database.connect()) as db, pytest.raises(sqlite3.DatabaseError):
        backup.back_up(db)
    assert days() == []


def test_a_full_or_closed_folder_costs_no_more_than_the_backup(
    memory: sqlite3.Connection,
) -> None:
    Path(paths.backups_dir()).write_text("not a folder", encoding="utf-8")
    assert backup.back_up(memory) == ""
    assert "backup:" in Path(paths.log_file()).read_text(encoding="utf-8")


def test_an_unfinished_backup_is_no_backup(
    memory: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, "2026-11-30")
    unfinished = Path(paths.backups_dir()) / "chatrecall-2026-11-30.db.part"
    unfinished.parent.mkdir(parents=True)
    unfinished.write_bytes(b"half")
    assert days() == []
    assert backup.back_up(memory)
    assert not unfinished.exists()


def test_writing_goes_on_while_a_backup_is_made(memory: sqlite3.Connection) -> None:
    with closing(database.connect()) as writer, database.transaction(writer):
        remember(writer, "session-late", [Said("user", "late")])
        file = backup.back_up(memory)
    assert file
    with closing(sqlite3.connect(file)) as copy:
        assert "session-late" not in sessions(copy)


def test_what_was_lost_with_a_deleted_file_comes_back(memory: sqlite3.Connection) -> None:
    backup.back_up(memory)
    memory.close()
    os.remove(paths.database_file())
    with closing(database.connect()) as db:
        remember(db, "session-new", [Said("user", "new")])
        backup.back_up(db)
        assert sessions(db) == ["session-0", "session-1", "session-2", "session-new"]
        assert db.execute("SELECT count(*) FROM exchanges").fetchone() == (4,)
        index.bring_up_to_date(db)
        assert index.size(db) == 4


def test_a_backup_of_a_newer_version_is_passed_over(memory: sqlite3.Connection) -> None:
    """As after going back to an older ChatRecall, which can't open the newer database."""
    with closing(sqlite3.connect(backup.back_up(memory))) as copy:
        copy.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")
    memory.close()
    os.remove(paths.database_file())
    with closing(database.connect()) as db:
        assert backup.back_up(db) == ""
        assert sessions(db) == []
    assert "newer ChatRecall" in Path(paths.log_file()).read_text(encoding="utf-8")


def test_what_was_forgotten_does_not_come_back(memory: sqlite3.Connection) -> None:
    backup.back_up(memory)
    forget_session(memory, "session-1")
    backup.back_up(memory)
    assert sessions(memory) == ["session-0", "session-2"]
