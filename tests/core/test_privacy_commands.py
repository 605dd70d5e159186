"""The commands pause, resume, exclude and forget, as a person types them."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from core import database, paths
from core.capture.sweep import sweep
from core.command_line import main
from core.privacy import exclusions, privacy
from core.search import recent_queries
from tests.support.transcript import SESSION, Transcript

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


class Shell:
    """Runs command lines and keeps what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str, fails: bool = False) -> str:
        code = main(words, {})
        captured = self._capsys.readouterr()
        assert code == (1 if fails else 0), captured.err
        return captured.err if fails else captured.out


@pytest.fixture
def chatrecall(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def transcript(db: sqlite3.Connection, claude_dir: Path) -> Transcript:
    transcript = Transcript(claude_dir / "projects" / "-srv-shop", cwd="/srv/shop")
    transcript.user("hello")
    sweep(db)
    return transcript


def sessions(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM sessions").fetchone()[0])


def answer(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Let a terminal answer the question that comes."""
    terminal = io.StringIO(words)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)


def test_pausing_lasts_until_resumed(chatrecall: Shell, db: sqlite3.Connection) -> None:
    assert "until `chatrecall resume`" in chatrecall("pause")
    assert privacy.paused_until(db) == privacy.UNTIL_RESUMED
    assert "goes on" in chatrecall("resume")
    assert privacy.paused_until(db) is None
    assert chatrecall("resume") == "Capture is not paused.\n"


@pytest.mark.parametrize("how_long", ["hour", "tomorrow", "90m", "3h"])
def test_a_pause_can_have_an_end(how_long: str, chatrecall: Shell, db: sqlite3.Connection) -> None:
    assert "is paused until 2" in chatrecall("pause", how_long)
    assert privacy.paused_until(db) is not None


def test_until_tomorrow_is_until_midnight_here(chatrecall: Shell, db: sqlite3.Connection) -> None:
    chatrecall("pause", "tomorrow")
    until = privacy.paused_until(db)
    assert until
    assert f"{until:%H:%M}" == "00:00"


@pytest.mark.parametrize("how_long", ["0m", "-1h", "soon", "3 h", "99999h"])
def test_a_pause_of_no_length_is_refused(how_long: str, chatrecall: Shell) -> None:
    assert "can't be" in chatrecall("pause", "--", how_long, fails=True)


def test_excluding_lists_and_removes(chatrecall: Shell) -> None:
    assert chatrecall("exclude") == "No project is excluded.\n"
    chatrecall("exclude", "~/private-*")
    assert chatrecall("exclude") == "~/private-*\n"
    chatrecall("exclude", "--remove", "~/private-*")
    assert chatrecall("exclude") == "No project is excluded.\n"
    assert "was not excluded" in chatrecall("exclude", "--remove", "x", fails=True)


def test_excluding_tells_what_is_still_remembered(
    chatrecall: Shell, transcript: Transcript
) -> None:
    assert "Remembered sessions of excluded projects: 1." in chatrecall("exclude", transcript.cwd)


def test_a_dot_excludes_the_present_folder(
    chatrecall: Shell, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    chatrecall("exclude", ".")
    assert exclusions.is_excluded(str(home / "x"))


def test_a_session_is_forgotten_after_a_yes(
    chatrecall: Shell,
    db: sqlite3.Connection,
    transcript: Transcript,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer(monkeypatch, "no\n")
    assert "Nothing was forgotten" in chatrecall("forget", SESSION[:8], fails=True)
    assert sessions(db) == 1
    answer(monkeypatch, "y\n")
    assert str(transcript.path) in chatrecall("forget", SESSION[:8])
    assert sessions(db) == 0


def test_forgetting_tells_of_damaged_files_that_may_still_hold_it(
    chatrecall: Shell, transcript: Transcript
) -> None:
    assert transcript
    aside = os.path.join(paths.data_dir(), "damaged-2026-11-30-101500.db")
    with open(aside, "wb"):
        pass
    assert aside in chatrecall("forget", SESSION, "--yes")


def test_nobody_is_asked_without_a_terminal(
    chatrecall: Shell,
    db: sqlite3.Connection,
    transcript: Transcript,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert transcript
    monkeypatch.setattr(sys, "stdin", None)
    assert "--yes" in chatrecall("forget", SESSION, fails=True)
    chatrecall("forget", SESSION, "--yes")
    assert sessions(db) == 0


def test_the_last_searches_are_forgotten_alone(
    chatrecall: Shell, db: sqlite3.Connection, transcript: Transcript
) -> None:
    assert transcript
    recent_queries.add(db, "secret plan")
    assert "stay forgotten" in chatrecall("forget", "--searches", "--undo", fails=True)
    chatrecall("forget", "--searches", "--yes")
    assert recent_queries.read(db) == []
    assert sessions(db) == 1


def test_a_session_can_be_forgotten_twice(chatrecall: Shell, transcript: Transcript) -> None:
    assert transcript
    chatrecall("forget", SESSION, "--yes")
    assert "before" in chatrecall("forget", SESSION, "--yes")


def test_an_unknown_session_is_an_error(chatrecall: Shell) -> None:
    assert "No session" in chatrecall("forget", "abc", "--yes", fails=True)


def test_a_project_is_forgotten_and_captured_again(
    chatrecall: Shell, db: sqlite3.Connection, transcript: Transcript
) -> None:
    printed = chatrecall("forget", "--project", transcript.cwd, "--yes")
    assert "1 session of shop (/srv/shop)" in printed
    transcript.user("ignored")
    sweep(db)
    assert sessions(db) == 0
    chatrecall("forget", "--project", transcript.cwd, "--undo")
    transcript.user("remembered")
    sweep(db)
    assert sessions(db) == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows tells a folder as it was entered")
def test_a_project_behind_a_link_is_forgotten(
    chatrecall: Shell, db: sqlite3.Connection, claude_dir: Path, home: Path
) -> None:
    folder = home / "Library" / "taxes"
    folder.mkdir(parents=True)
    (home / "cloud").symlink_to(home / "Library")
    Transcript(claude_dir / "projects" / "-taxes", cwd=str(folder)).user("hello")
    sweep(db)
    assert "1 session of taxes" in chatrecall("forget", "--project", "~/cloud/taxes", "--yes")
    assert sessions(db) == 0


def test_undoing_what_was_not_forgotten_is_an_error(chatrecall: Shell) -> None:
    assert "was not forgotten" in chatrecall("forget", "--project", "/x", "--undo", fails=True)
    assert "was forgotten" in chatrecall("forget", SESSION, "--undo", fails=True)


def test_a_forgotten_session_is_captured_again_from_now_on(
    chatrecall: Shell, db: sqlite3.Connection, transcript: Transcript
) -> None:
    chatrecall("forget", SESSION, "--yes")
    chatrecall("forget", SESSION, "--undo")
    transcript.user("remembered")
    sweep(db)
    assert db.execute("SELECT text FROM exchanges").fetchall() == [("remembered",)]


def test_pausing_works_before_anything_was_captured(chatrecall: Shell) -> None:
    chatrecall("pause", "hour")
    db = database.connect()
    assert privacy.paused_until(db)
    db.close()
