"""Truly damaged files: bytes overwritten at many places, cut off, emptied, replaced."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core import database, paths
from core.capture.sweep import sweep
from core.command_line import main
from core.errors import ChatRecallError
from core.privacy import privacy
from core.rescue import backup, integrity, repair
from core.rescue.forget import forget_session
from core.search import index
from tests.support.transcript import Transcript

PAGE = 4096
SESSIONS = 20

Damage = Callable[[Path], None]


def name(number: int) -> str:
    return f"{number:08x}-2222-4333-8444-555555555555"


def is_old(number: int) -> bool:
    """Whether a session's transcript is gone, as after 30 days."""
    return number % 2 == 0


@pytest.fixture
def file(claude_dir: Path) -> Path:
    """A database of 20 sessions, every second without transcript, and closed."""
    rng = random.Random(7)
    transcripts = []
    for number in range(SESSIONS):
        transcript = Transcript(claude_dir / "projects" / "-srv-shop", name(number), "/srv/shop")
        for turn in range(10):
            words = " ".join(f"word{rng.randrange(10**6)}" for _ in range(60))
            transcript.user(f"{number}/{turn} {words}")
            transcript.assistant(f"answer {number}/{turn} {words}")
        transcripts.append(transcript)
    with closing(database.connect()) as db:
        sweep(db)
        db.execute(
            "UPDATE sessions SET summary = 'A summary of ' || session_id, summarized_by = 'local',"
            " summarized_at = '2026-11-20T10:00:00.000Z', revision = revision + 1"
        )
        db.execute(
            "INSERT INTO calls (at, session_id, backend, model, cost_usd, outcome)"
            " VALUES ('2026-11-20T10:00:00.000Z', ?, 'api', 'm', 0.25, 'ok')",
            (name(0),),
        )
        index.bring_up_to_date(db)
    for number, transcript in enumerate(transcripts):
        if is_old(number):
            transcript.path.unlink()
    return Path(paths.database_file())


@pytest.fixture
def backed_up(file: Path) -> Path:
    with closing(database.connect()) as db:
        assert backup.back_up(db)
    return file


def content(db: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """All that matters to a person, in a form that can be compared."""
    said = "SELECT session_id, seq, role, kind, text, at FROM exchanges ORDER BY 1, 2"
    known = "SELECT session_id, project_path, project_name, summary FROM sessions ORDER BY 1"
    return {"said": db.execute(said).fetchall(), "known": db.execute(known).fetchall()}


def overwrite(at: int, length: int = 512) -> Damage:
    def damage(file: Path) -> None:
        with file.open("r+b") as stream:
            stream.seek(at)
            stream.write(random.Random(at).randbytes(length))

    return damage


def overwrite_every(step: int, length: int) -> Damage:
    def damage(file: Path) -> None:
        for at in range(step, file.stat().st_size, step):
            overwrite(at, length)(file)

    return damage


def cut_to(share: float) -> Damage:
    def damage(file: Path) -> None:
        os.truncate(file, int(file.stat().st_size * share))

    return damage


def garbage(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(file.stat().st_size))


def text_file(file: Path) -> None:
    file.write_text("This is no database.\n" * 500, encoding="utf-8")


def no_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("DROP TABLE exchanges")
        db.commit()


def bytes_in_texts(file: Path) -> None:
    """Bytes that no page structure notices: they are within the texts."""
    data = bytearray(file.read_bytes())
    at = data.find(b"answer 7/3 ")
    data[at + 20 : at + 40] = b"\xff" * 20
    file.write_bytes(data)


DAMAGES: dict[str, Damage] = {
    "header": overwrite(0, 100),
    "magic": overwrite(0, 16),
    "first page": overwrite(0, PAGE),
    "schema": overwrite(100, PAGE - 100),
    "third page": overwrite(2 * PAGE, PAGE),
    "every tenth page": overwrite_every(10 * PAGE, PAGE),
    "a few bytes in every fifth page": overwrite_every(5 * PAGE + 300, 64),
    "every page": overwrite_every(PAGE, 2048),
    "cut in half": cut_to(0.5),
    "cut within a page": cut_to(0.333),
    "cut to a page": lambda file: os.truncate(file, PAGE),
    "cut to ten bytes": lambda file: os.truncate(file, 10),
    "garbage": garbage,
    "another file": text_file,
    "a table is gone": no_tables,
    "bytes in texts": bytes_in_texts,
}
each_damage = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)


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


def test_the_damaged_file_is_kept(backed_up: Path) -> None:
    garbage(backed_up)
    damaged = backed_up.read_bytes()
    repair.repair()
    [kept] = repair.set_aside_files()
    assert Path(kept).read_bytes() == damaged


def test_each_damaged_file_is_kept(backed_up: Path) -> None:
    for _ in range(3):
        garbage(backed_up)
        repair.repair()
    assert len(repair.set_aside_files()) == 3


def test_a_whole_database_is_left_alone(file: Path) -> None:
    before = file.read_bytes()
    assert not repair.repair()
    assert file.read_bytes() == before
    assert repair.set_aside_files() == []


def test_where_there_is_no_database_nothing_is_repaired(home: Path) -> None:
    assert home
    os.makedirs(paths.data_dir())
    assert not repair.repair()


def test_the_repair_is_told_once(backed_up: Path) -> None:
    garbage(backed_up)
    repair.repair()
    with closing(database.connect()) as db:
        notice = repair.take_notice(db)
        assert "20 sessions" in notice
        assert repair.set_aside_files()[0] in notice
        assert repair.take_notice(db) == ""


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


def test_opening_repairs_what_can_not_be_opened(backed_up: Path) -> None:
    text_file(backed_up)
    with closing(repair.open_or_repair()) as db:
        assert db.execute("SELECT count(*) FROM sessions").fetchone() == (SESSIONS,)


@each_damage
def test_a_command_repairs_and_goes_on(
    damage: Damage, backed_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(backed_up)
    assert main(["show", name(7)], {}) == 0
    captured = capsys.readouterr()
    assert "7/9 " in captured.out
    if repair.set_aside_files():  # some damage is elsewhere than what this command reads
        assert "has been rebuilt" in captured.err


def test_a_mistake_in_a_query_repairs_nothing(file: Path) -> None:
    error = sqlite3.OperationalError("no such column: x")
    assert integrity.may_be_damage(error)
    before = file.read_bytes()
    assert not repair.repair()
    assert file.read_bytes() == before


def test_a_locked_database_is_no_damaged_one(file: Path) -> None:
    with closing(database.connect()) as one, closing(database.connect(wait_seconds=0)) as other:
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            other.execute("BEGIN IMMEDIATE")
        one.execute("ROLLBACK")
    assert not integrity.may_be_damage(caught.value)
    assert file.exists()


def test_a_second_process_waits_for_the_first(
    backed_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garbage(backed_up)
    Path(f"{backed_up}.repair").touch()
    monkeypatch.setattr(repair, "_PATIENCE", 0.3)
    with pytest.raises(ChatRecallError, match="being repaired"):
        repair.repair()


def test_a_process_that_died_while_repairing_is_not_waited_for(backed_up: Path) -> None:
    garbage(backed_up)
    lock = Path(f"{backed_up}.repair")
    lock.touch()
    os.utime(lock, (1_000_000, 1_000_000))
    Path(f"{backed_up}.new").write_bytes(b"half a database")
    assert repair.repair()
    assert not lock.exists()


def test_where_the_repair_fails_the_damaged_file_stays_where_it_was(
    backed_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garbage(backed_up)
    damaged = backed_up.read_bytes()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(repair, "sweep", full)
    with pytest.raises(sqlite3.OperationalError):
        repair.repair()
    assert backed_up.read_bytes() == damaged


def test_all_tables_are_looked_at(db: sqlite3.Connection) -> None:
    tables = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sessions_fts%'"
    )
    assert {table for (table,) in tables} == set(integrity.TABLES)
