"""How a repair goes: when there is one, what it keeps and tells, and who waits for whom."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core import database, paths
from core.command_line import main
from core.errors import ChatRecallError
from core.rescue import integrity, repair
from tests.core.rescue.damage import (
    SESSIONS,
    Damage,
    each_damage,
    garbage,
    name,
    text_file,
)


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
