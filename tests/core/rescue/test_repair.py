"""What comes back from truly damaged files: overwritten, cut off, emptied, replaced."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core import database
from core.capture.sweep import sweep
from core.privacy import privacy
from core.rescue import backup, integrity, repair
from core.rescue.forget import forget_session
from core.search import index
from tests.core.rescue.damage import (
    DAMAGES,
    PAGE,
    SESSIONS,
    Damage,
    content,
    each_damage,
    garbage,
    is_old,
    name,
    overwrite,
    overwrite_every,
)
from tests.support.transcript import Transcript


@each_damage
def test_with_a_backup_nothing_is_lost(damage: Damage, backed_up: Path) -> None:
    with closing(database.connect()) as db:
        before = content(db)
    damage(backed_up)
    assert repair.repair()
    with closing(database.connect()) as db:
        assert content(db) == before
        assert integrity.damage(db) == ""


@each_damage
def test_without_a_backup_all_that_has_a_transcript_comes_back(damage: Damage, file: Path) -> None:
    with closing(database.connect()) as db:
        before = content(db)["said"]
    damage(file)
    assert repair.repair()
    with closing(database.connect()) as db:
        after = set(content(db)["said"])
    kept = {row for row in before if not is_old(int(str(row[0])[:8], 16))}
    assert kept <= after
    assert all(row in before for row in after if row in kept)


@pytest.mark.parametrize("damage", ["header", "magic", "every tenth page", "cut in half"])
def test_without_backup_and_transcripts_what_is_readable_is_kept(damage: str, file: Path) -> None:
    with closing(database.connect()) as db:
        before = set(content(db)["said"])
    DAMAGES[damage](file)
    repair.repair()
    with closing(database.connect()) as db:
        old = [row for row in content(db)["said"] if is_old(int(str(row[0])[:8], 16))]
    assert old
    assert set(old) <= before


def test_a_destroyed_header_alone_loses_nothing(file: Path) -> None:
    with closing(database.connect()) as db:
        before = content(db)
    DAMAGES["header"](file)
    repair.repair()
    with closing(database.connect()) as db:
        assert content(db) == before
        assert db.execute("SELECT cost_usd FROM calls").fetchall() == [(0.25,)]


def make_newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")


@pytest.mark.parametrize("spoil", [overwrite_every(PAGE, 2048), make_newer])
def test_a_backup_that_is_damaged_or_of_a_newer_version_is_passed_over(
    spoil: Damage, backed_up: Path
) -> None:
    good = backup.newest_first()[0]
    bad = Path(good.replace(backup.day_of(good), "2099-01-01"))
    bad.write_bytes(Path(good).read_bytes())
    spoil(bad)
    garbage(backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        assert db.execute("SELECT count(*) FROM sessions").fetchone() == (SESSIONS,)


def test_what_came_after_the_backup_is_read_from_the_damaged_file(
    backed_up: Path, claude_dir: Path
) -> None:
    late = Transcript(claude_dir / "projects" / "-srv-shop", name(99), "/srv/shop")
    late.user("said after the backup, and then the transcript is gone")
    with closing(database.connect()) as db:
        sweep(db)
        db.execute(
            "UPDATE sessions SET summary = 'newer', summarized_at = '2026-11-29T10:00:00.000Z'"
            " WHERE session_id = ?",
            (name(0),),
        )
    late.path.unlink()
    DAMAGES["magic"](backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        said = db.execute("SELECT text FROM exchanges WHERE session_id = ?", (name(99),))
        assert said.fetchall() == [("said after the backup, and then the transcript is gone",)]
        summary = db.execute("SELECT summary FROM sessions WHERE session_id = ?", (name(0),))
        assert summary.fetchone() == ("newer",)


def test_what_was_said_after_the_backup_comes_from_the_transcripts(
    backed_up: Path, claude_dir: Path
) -> None:
    path = claude_dir / "projects" / "-srv-shop" / f"{name(1)}.jsonl"
    again = Transcript(path.parent, name(1), "/srv/shop")
    again.user("said after the backup")
    garbage(backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        last = db.execute(
            "SELECT text FROM exchanges WHERE session_id = ? ORDER BY seq DESC", (name(1),)
        )
        assert last.fetchone() == ("said after the backup",)


@pytest.mark.parametrize("damage", ["header", "garbage"])
def test_what_was_forgotten_stays_forgotten(damage: str, backed_up: Path) -> None:
    with closing(database.connect()) as db:
        forget_session(db, name(1))
        forget_session(db, name(2))
        privacy.pause(db, None)
    DAMAGES[damage](backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        known = {known for (known,) in db.execute("SELECT session_id FROM sessions")}
        assert known == {name(number) for number in range(SESSIONS) if number not in {1, 2}}


def test_a_pause_outlives_a_destroyed_header(file: Path) -> None:
    with closing(database.connect()) as db:
        privacy.pause(db, None)
    DAMAGES["header"](file)
    repair.repair()
    with closing(database.connect()) as db:
        assert privacy.paused_until(db) == privacy.UNTIL_RESUMED


def test_a_rebuilt_database_is_swept_without_doubles(backed_up: Path) -> None:
    garbage(backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        before = content(db)
        sweep(db)
        assert content(db) == before


def test_a_rebuilt_database_can_be_searched(backed_up: Path) -> None:
    garbage(backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        index.bring_up_to_date(db)
        assert index.size(db) == SESSIONS
        assert integrity.index_damage(db) == ""


def test_a_damaged_index_alone_is_made_anew(file: Path) -> None:
    with closing(database.connect()) as db:
        db.execute("UPDATE sessions_fts_data SET block = x'00ff00ff' WHERE id > 1")
    assert repair.repair()
    with closing(database.connect()) as db:
        assert integrity.index_damage(db) == ""
        assert index.size(db) == SESSIONS
    assert repair.set_aside_files() == []


def test_a_stray_write_ahead_log_is_no_harm(backed_up: Path) -> None:
    with closing(database.connect()) as db:
        before = content(db)
    Path(f"{backed_up}-wal").write_bytes(random.Random(3).randbytes(64 * 1024))
    with closing(repair.open_or_repair()) as db:
        assert content(db) == before


def test_what_a_crash_left_in_the_write_ahead_log_is_kept(file: Path) -> None:
    with closing(database.connect()) as db:
        db.execute("UPDATE sessions SET title = 'in the log' WHERE session_id = ?", (name(4),))
        log, data = Path(f"{file}-wal").read_bytes(), file.read_bytes()
    assert b"in the log" in log
    assert b"in the log" not in data
    file.write_bytes(data)
    Path(f"{file}-wal").write_bytes(log)
    overwrite(0, 16)(file)
    overwrite(file.stat().st_size - PAGE, PAGE)(file)
    repair.repair()
    with closing(database.connect()) as db:
        title = db.execute("SELECT title FROM sessions WHERE session_id = ?", (name(4),))
        assert title.fetchone() == ("in the log",)
