from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core import database, paths
from core.errors import ChatRecallError
from tests.support.dump_database import FOLDER

former_versions = pytest.mark.parametrize("version", range(1, database.SCHEMA_VERSION + 1))


def schema(db: sqlite3.Connection) -> dict[str, str]:
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: " ".join(sql.split()) for name, sql in rows}


def former(version: int, file: Path) -> Path:
    """A database as this version of the schema left it."""
    dump = (FOLDER / f"v{version}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(file)) as db:
        db.executescript(dump)
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("PRAGMA journal_mode = WAL")
    return file


@former_versions
def test_a_database_of_each_former_version_is_brought_up_to_date(
    version: int, tmp_path: Path
) -> None:
    file = former(version, tmp_path / "former.db")
    with (
        closing(database.connect(str(file))) as db,
        closing(database.connect(str(tmp_path / "new.db"))) as new,
    ):
        assert schema(db) == schema(new)
        assert db.execute("PRAGMA user_version").fetchone() == (database.SCHEMA_VERSION,)


@former_versions
def test_what_a_former_version_held_is_still_there(version: int, tmp_path: Path) -> None:
    file = former(version, tmp_path / "former.db")
    with closing(database.connect(str(file))) as db:
        assert db.execute("SELECT session_id, summary FROM sessions").fetchall() == [
            ("11111111-2222-4333-8444-555555555555", "They fixed the till.")
        ]
        assert db.execute("SELECT role, text FROM exchanges ORDER BY seq").fetchall() == [
            ("user", "Why is the till wrong?"),
            ("assistant", "A rounding error: Ünï 日本."),
        ]
        found = db.execute("SELECT session_id FROM sessions_fts WHERE sessions_fts MATCH 'till'")
        assert found.fetchall() == [("11111111-2222-4333-8444-555555555555",)]


def test_there_is_a_dump_of_each_version() -> None:
    assert [path.name for path in sorted(FOLDER.glob("v*.sql"))] == [
        f"v{version}.sql" for version in range(1, database.SCHEMA_VERSION + 1)
    ]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(home: Path) -> None:
    assert home
    with closing(database.connect()) as db:
        db.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")
    before = Path(paths.database_file()).read_bytes()
    with pytest.raises(ChatRecallError, match="newer ChatRecall"):
        database.connect()
    assert Path(paths.database_file()).read_bytes() == before


def test_a_newer_version_that_was_faster_is_left_alone(home: Path) -> None:
    """An update while hooks of the version before are running."""
    database.connect().close()
    with closing(sqlite3.connect(paths.database_file(), isolation_level=None)) as newer:
        newer.execute("PRAGMA user_version = 0")
        newer.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as pool:
            older = pool.submit(database.connect)
            newer.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")
            time.sleep(0.2)  # so that the other waits for us
            newer.execute("COMMIT")
            with pytest.raises(ChatRecallError, match="newer ChatRecall"):
                older.result()
        version = newer.execute("PRAGMA user_version").fetchone()[0]
    assert version == database.SCHEMA_VERSION + 1


def test_a_migration_that_fails_leaves_the_former_version(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home
    database.connect().close()
    bad = "CREATE TABLE half (x);\nINSERT INTO nowhere VALUES (1);\n"
    with monkeypatch.context() as later, pytest.raises(sqlite3.OperationalError):
        later.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, bad))
        later.setattr(database, "SCHEMA_VERSION", database.SCHEMA_VERSION + 1)
        database.connect()
    with closing(database.connect()) as db:
        assert "half" not in schema(db)


_OPEN = "import sys; sys.path.insert(0, sys.argv[1]); from core import database; database.connect()"


def test_ten_processes_that_create_the_database_at_once_get_one(home: Path) -> None:
    environment = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    processes = [
        subprocess.Popen([sys.executable, "-c", _OPEN, paths.ROOT], env=environment)
        for _ in range(10)
    ]
    assert [process.wait(timeout=120) for process in processes] == [0] * 10
    with closing(database.connect()) as db:
        assert db.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


class RefusedAtFirst(sqlite3.Connection):
    """A database that others create at the same moment: SQLite refuses without waiting."""

    refused = 0

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if "journal_mode = WAL" in sql and self.refused < 3:
            self.refused += 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *parameters)


def test_a_refusal_while_others_create_the_database_is_waited_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home
    at_once = functools.partial(sqlite3.connect, factory=RefusedAtFirst)
    monkeypatch.setattr(sqlite3, "connect", at_once)
    with closing(database.connect()) as db:
        assert isinstance(db, RefusedAtFirst)
        assert db.refused == 3
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.skipif(sys.platform == "win32", reason="the profile's own rights apply")
def test_only_the_owner_can_read_what_is_remembered(home: Path) -> None:
    assert home
    before = os.umask(0)
    try:
        db = database.connect()
        db.execute("INSERT INTO state VALUES ('key', 'value')")
        files = [Path(paths.data_dir()), *Path(paths.data_dir()).glob("chatrecall.db*")]
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
        db.close()
    finally:
        os.umask(before)
    assert modes == {
        "chatrecall": 0o700,
        "chatrecall.db": 0o600,
        "chatrecall.db-wal": 0o600,
        "chatrecall.db-shm": 0o600,
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the profile's own rights apply")
def test_a_folder_that_was_open_to_others_is_closed(home: Path) -> None:
    assert home
    os.makedirs(paths.data_dir(), mode=0o755)
    os.chmod(paths.data_dir(), 0o755)
    database.connect().close()
    assert stat.S_IMODE(os.stat(paths.data_dir()).st_mode) == 0o700


class OnANetworkFolder(sqlite3.Connection):
    """A connection to a file where SQLite can't keep a write-ahead log: it stays at `delete`."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("journal_mode = WAL", "journal_mode"), *parameters)


def test_a_folder_without_write_ahead_log_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home
    far = functools.partial(sqlite3.connect, factory=OnANetworkFolder)
    monkeypatch.setattr(sqlite3, "connect", far)
    with pytest.raises(ChatRecallError, match="local disk"):
        database.connect()


def test_a_folder_that_can_not_be_made_is_an_error_in_words(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("CHATRECALL_HOME", str(home / "file"))
    with pytest.raises((ChatRecallError, OSError)):
        database.connect()


def test_a_transaction_is_all_or_nothing(db: sqlite3.Connection) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction(db):
        db.execute("INSERT INTO state VALUES ('key', 'value')")
        raise ZeroDivisionError
    assert not db.in_transaction
    assert db.execute("SELECT count(*) FROM state").fetchone() == (0,)


def test_a_lock_is_waited_for_as_long_as_was_said(home: Path) -> None:
    assert home
    with closing(database.connect()) as one, closing(database.connect(wait_seconds=0.1)) as other:
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"), database.transaction(other):
            pass
        one.execute("ROLLBACK")
        with database.transaction(other):
            pass


def test_the_database_works_under_a_name_of_any_script(tmp_path: Path) -> None:
    file = tmp_path / "First Last Ünï 日本 #1 %20" / "chatrecall.db"
    with closing(database.connect(str(file))) as db:
        db.execute("INSERT INTO state VALUES ('key', 'value')")
    shutil.copy(file, tmp_path / "copy.db")
    with closing(database.connect(str(tmp_path / "copy.db"))) as db:
        assert db.execute("SELECT value FROM state").fetchall() == [("value",)]
