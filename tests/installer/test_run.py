from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from core import database as core_database
from core import paths
from core.errors import ChatRecallError
from installer import changes, database, hooks, layout, run, slash_commands
from installer.inventory import PARTS as PARTS_OF_ALL
from installer.inventory import REMOVAL
from installer.parts import NotHereError
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path

PARTS = (database.NAME, hooks.NAME, slash_commands.NAME)


@pytest.mark.usefixtures("installed")
def test_a_part_that_fails_leaves_the_others_working(
    settings_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings_file.write_text("{broken", "utf-8")

    assert run.install(PARTS) == 1

    assert slash_commands.state().kind == "works"
    assert "Hooks: failed. Claude Code's settings can't be read" in capsys.readouterr().out


@pytest.mark.usefixtures("installed")
def test_the_next_run_goes_on_where_one_ended(settings_file: Path) -> None:
    settings_file.write_text("{broken", "utf-8")
    run.install(PARTS)
    settings_file.write_text("{}", "utf-8")

    assert run.install(PARTS) == 0

    assert hooks.state().kind == "works"


def test_what_a_machine_does_not_have_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing_here() -> list[changes.Change]:
        raise NotHereError("There is no clock", "Build one.")

    monkeypatch.setattr(database, "install", nothing_here)

    assert run.install([database.NAME]) == 0

    assert "Database: not here. There is no clock. Build one." in capsys.readouterr().out


@pytest.mark.usefixtures("installed")
def test_files_stay_while_a_hook_may_point_to_them(settings_file: Path) -> None:
    run.install(PARTS)
    settings_file.write_text(settings_file.read_text("utf-8") + "{broken", "utf-8")

    assert run.remove([part.NAME for part in REMOVAL]) == 1

    assert os.path.lexists(layout.current().hook)


@pytest.mark.usefixtures("installed")
def test_a_dry_run_of_removing_changes_nothing(settings_file: Path) -> None:
    run.install(PARTS)
    before = settings_file.read_bytes()

    assert run.remove([part.NAME for part in REMOVAL], dry_run=True) == 0

    assert settings_file.read_bytes() == before
    assert os.path.lexists(layout.current().hook)


@pytest.mark.parametrize(("purge", "fate"), [(True, "deleted"), (False, "kept")])
@pytest.mark.usefixtures("home")
def test_a_dry_run_tells_the_fate_of_what_is_remembered(
    capsys: pytest.CaptureFixture[str], purge: bool, fate: str
) -> None:
    run.install([database.NAME])

    run.remove([part.NAME for part in REMOVAL], purge=purge, dry_run=True)

    assert f"would be {fate}: {paths.data_dir()}" in capsys.readouterr().out
    assert os.path.exists(paths.database_file())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not root")
def test_root_does_not_install_into_another_users_home(home: Path) -> None:
    os.chown(home, 12345, -1)

    with pytest.raises(ChatRecallError, match="without sudo"):
        run.install(PARTS)
    with pytest.raises(ChatRecallError, match="without sudo"):
        run.remove([part.NAME for part in REMOVAL])

    assert os.listdir(home) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not root")
def test_sudo_does_not_install_for_root_who_never_used_claude_code(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "ann")

    with pytest.raises(ChatRecallError, match="without sudo"):
        run.install([database.NAME])
    assert os.listdir(home) == []

    (home / ".claude").mkdir()  # root's own
    assert run.install([database.NAME]) == 0


@pytest.mark.usefixtures("home")
def test_what_is_remembered_stays_unless_purged() -> None:
    run.install([database.NAME])
    names = [part.NAME for part in REMOVAL]

    run.remove(names)
    assert os.path.exists(paths.database_file())

    run.remove(names, purge=True)
    assert not os.path.exists(paths.data_dir())


@pytest.mark.parametrize(("answer", "is_kept"), [("y", False), ("", True), ("nope", True)])
def test_at_a_terminal_the_person_is_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, is_kept: bool
) -> None:
    run.install([database.NAME])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: answer)

    run.remove([part.NAME for part in REMOVAL])

    assert os.path.exists(paths.database_file()) == is_kept


@pytest.mark.usefixtures("home")
def test_an_older_database_is_brought_up_to_date() -> None:
    do(database.install())
    assert database.install() == []
    with closing(sqlite3.connect(paths.database_file())) as db:
        db.execute(f"PRAGMA user_version = {core_database.SCHEMA_VERSION - 1}")

    assert [change.words.split()[0] for change in database.install()] == ["Bring"]


@pytest.mark.parametrize("size", [None, 100])
def test_a_damaged_database_is_broken(
    home: Path, capsys: pytest.CaptureFixture[str], size: int | None
) -> None:
    do(database.install())
    with open(paths.database_file(), "r+b") as stream:
        stream.write(b"not SQLite" * 20)
        if size:
            stream.truncate(size)

    state = database.state()
    assert (state.kind, "`chatrecall sweep`" in state.advice) == ("broken", True)
    assert run.install([database.NAME]) == 1
    assert "Database: failed. The database is damaged. `chatrec" in capsys.readouterr().out


def test_a_full_disk_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = sqlite3.connect

    def little_space(*args: Any, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **options)
        db.execute("PRAGMA max_page_count = 3")
        return db

    monkeypatch.setattr(sqlite3, "connect", little_space)

    assert run.install([database.NAME]) == 1
    assert "Database: failed. The disk is full" in capsys.readouterr().out


def test_what_needs_the_environment_waits_for_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.install([part.NAME for part in PARTS_OF_ALL if part.NEEDS_ENVIRONMENT]) == 1

    told = capsys.readouterr().out
    assert "Slash commands: waits for the private environment\n" in told
    assert "failed" not in told
    assert os.listdir(home) == []
