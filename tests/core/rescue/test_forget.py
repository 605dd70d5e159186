from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core import database, folders, paths
from core.capture.sweep import sweep
from core.errors import ChatRecallError
from core.rescue import backup
from core.rescue.forget import (
    forget_project,
    forget_queries,
    forget_session,
    remember_project,
    remember_session,
    sessions_of,
)
from core.search import index, recent_queries
from tests.support.transcript import SESSION, Transcript

OTHER = "99999999-2222-4333-8444-555555555555"
WORD = "Quokkasecret"


@pytest.fixture
def transcript(claude_dir: Path) -> Transcript:
    """A session that is captured and one, in another project, that stays."""
    other = Transcript(claude_dir / "projects" / "-srv-other", OTHER, "/srv/other")
    other.user("keep this")
    forgettable = Transcript(claude_dir / "projects" / "-srv-shop", SESSION, "/srv/shop")
    for number in range(50):
        forgettable.user(f"{WORD} number {number}")
        forgettable.assistant(f"An answer about {WORD}")
    forgettable.queue("enqueue", f"{WORD} that was never delivered")
    return forgettable


@pytest.fixture
def memory(db: sqlite3.Connection, transcript: Transcript) -> sqlite3.Connection:
    """A database with both sessions, indexed, with a failure and a call."""
    assert transcript
    sweep(db)
    index.bring_up_to_date(db)
    db.execute("INSERT INTO failures VALUES (?, 'refused', ?, 1, NULL, 0)", (SESSION, WORD))
    db.execute(
        "INSERT INTO calls (at, session_id, backend, model, cost_usd, outcome)"
        " VALUES ('2026-11-03T10:00:00.000Z', ?, 'api', 'm', 0.25, 'ok')",
        (SESSION,),
    )
    return db


def sessions(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT session_id FROM sessions ORDER BY 1")]


def traces() -> list[str]:
    """The files below the data folder that hold the word in any case."""
    word = WORD.lower().encode()
    return [
        str(file)
        for file in Path(paths.data_dir()).rglob("*")
        if file.is_file() and word in file.read_bytes().lower()
    ]


def test_a_forgotten_session_is_gone_from_all_tables(memory: sqlite3.Connection) -> None:
    forget_session(memory, SESSION)
    assert sessions(memory) == [OTHER]
    for table in ("exchanges", "failures"):
        assert not memory.execute(
            f"SELECT 1 FROM {table} WHERE session_id = ?", (SESSION,)
        ).fetchone()
    assert index.size(memory) == 1


def test_the_words_of_a_forgotten_session_are_gone_from_every_file(
    memory: sqlite3.Connection,
) -> None:
    recent_queries.add(memory, f"{WORD} 7")
    backup.back_up(memory)
    Path(paths.pages_dir()).mkdir()
    (Path(paths.pages_dir()) / "results.html").write_text(WORD, encoding="utf-8")
    assert traces()
    forget_session(memory, SESSION)
    assert traces() == []


def test_forgotten_queries_are_gone_from_every_file_and_the_sessions_stay(
    db: sqlite3.Connection, claude_dir: Path
) -> None:
    Transcript(claude_dir / "projects" / "-srv-other", OTHER, "/srv/other").user("keep this")
    sweep(db)
    recent_queries.add(db, f"{WORD} 7")
    backup.back_up(db)
    Path(paths.pages_dir()).mkdir()
    (Path(paths.pages_dir()) / "results.html").write_text(WORD, encoding="utf-8")
    assert len(traces()) > 2
    forget_queries(db)
    assert traces() == []
    assert recent_queries.read(db) == []
    assert sessions(db) == [OTHER]


def test_what_was_spent_stays_in_the_ledger(memory: sqlite3.Connection) -> None:
    forget_session(memory, SESSION)
    assert memory.execute("SELECT session_id, cost_usd FROM calls").fetchall() == [("", 0.25)]


def test_a_sweep_does_not_bring_back_a_forgotten_session(
    memory: sqlite3.Connection, transcript: Transcript
) -> None:
    forget_session(memory, SESSION)
    transcript.user(f"{WORD} goes on")
    sweep(memory)
    memory.execute("DELETE FROM transcripts")  # as if it had never been read
    sweep(memory)
    assert sessions(memory) == [OTHER]
    assert traces() == []


def test_a_fork_does_not_bring_back_a_forgotten_session(
    memory: sqlite3.Connection, transcript: Transcript
) -> None:
    forget_session(memory, SESSION)
    fork = "f" + SESSION[1:]
    copied = transcript.path.read_bytes().replace(SESSION.encode(), fork.encode())
    transcript.path.with_name(f"{fork}.jsonl").write_bytes(copied)
    sweep(memory)
    assert not memory.execute("SELECT 1 FROM exchanges WHERE text LIKE '%number%'").fetchone()


def test_a_backup_knows_what_was_forgotten(memory: sqlite3.Connection) -> None:
    backup.back_up(memory)
    forget_session(memory, SESSION)
    with closing(database.connect(backup.newest_first()[0])) as copy:
        assert sessions(copy) == [OTHER]
        assert copy.execute("SELECT value FROM forgotten").fetchall() == [(SESSION,)]


def test_a_damaged_backup_is_deleted_when_something_is_forgotten(
    memory: sqlite3.Connection,
) -> None:
    file = backup.back_up(memory)
    with open(file, "r+b") as stream:
        stream.write(b"no database at all")
    forget_session(memory, SESSION)
    assert not os.path.exists(file)


def test_forgetting_says_so_where_a_reader_keeps_traces(memory: sqlite3.Connection) -> None:
    with closing(database.connect()) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM exchanges").fetchone()
        memory.execute("PRAGMA busy_timeout = 100")
        with pytest.raises(ChatRecallError, match="traces"):
            forget_session(memory, SESSION)
        assert sessions(memory) == [OTHER]
        reader.execute("ROLLBACK")
    forget_session(memory, SESSION)
    assert traces() == []


def test_a_session_that_is_remembered_again_begins_anew(
    memory: sqlite3.Connection, transcript: Transcript
) -> None:
    forget_session(memory, SESSION)
    assert remember_session(memory, SESSION)
    transcript.user("a new start")
    sweep(memory)
    said = memory.execute("SELECT text FROM exchanges WHERE session_id = ?", (SESSION,)).fetchall()
    assert said == [("a new start",)]


def test_remembering_what_was_not_forgotten_says_so(db: sqlite3.Connection) -> None:
    assert not remember_session(db, SESSION)
    assert not remember_project(db, "/srv/shop")


def test_a_forgotten_project_takes_its_sessions_along(memory: sqlite3.Connection) -> None:
    assert sessions_of(memory, "/srv/shop/") == [SESSION]
    assert forget_project(memory, "/srv/shop/") == 1
    assert sessions(memory) == [OTHER]
    assert traces() == []


def test_new_sessions_of_a_forgotten_project_are_not_captured(
    memory: sqlite3.Connection, claude_dir: Path
) -> None:
    forget_project(memory, "/srv/shop")
    new = Transcript(claude_dir / "projects" / "-srv-shop", f"a{SESSION[1:]}", "/srv/shop/src")
    new.user("still the shop")
    sweep(memory)
    assert sessions(memory) == [OTHER]


def test_a_project_that_is_remembered_again_begins_anew(
    memory: sqlite3.Connection, transcript: Transcript
) -> None:
    forget_project(memory, "/srv/shop")
    assert remember_project(memory, "/srv/shop")
    transcript.user("a new start")
    sweep(memory)
    said = memory.execute("SELECT text FROM exchanges WHERE session_id = ?", (SESSION,)).fetchall()
    assert said == [("a new start",)]


def test_forgetting_a_folder_forgets_the_projects_in_it(memory: sqlite3.Connection) -> None:
    assert forget_project(memory, "/srv") == 2


def test_forgetting_the_home_folder_spares_the_projects_in_it(
    db: sqlite3.Connection, home: Path, claude_dir: Path
) -> None:
    for name, folder in ((SESSION, home), (OTHER, home / "shop")):
        Transcript(claude_dir / "projects" / "x", name, str(folder)).user("hello")
    sweep(db)
    assert forget_project(db, str(home)) == 1
    assert sessions(db) == [OTHER]


def test_a_windows_project_is_forgotten_in_any_spelling(
    db: sqlite3.Connection, claude_dir: Path
) -> None:
    Transcript(claude_dir / "projects" / "c--Shop", SESSION, "c:\\Users\\Ann\\Shop").user("hello")
    sweep(db)
    assert forget_project(db, "C:/users/ann/SHOP/") == 1
    assert (folders.key("C:/users/ann/SHOP/"),) == (
        db.execute("SELECT value FROM forgotten").fetchone()
    )
