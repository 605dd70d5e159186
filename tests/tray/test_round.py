from __future__ import annotations

from typing import TYPE_CHECKING

from core.command_line import main
from core.privacy import privacy
from tests.support.tray_app import write_sessions
from tray.round import do_round
from tray.rounds.outcome import Outcome

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    import pytest

COMMANDS = {"round": ("tray.round", "one round")}


def test_a_round_takes_in_transcripts_and_summarizes_them(claude_dir: Path) -> None:
    ids = write_sessions(claude_dir)
    outcome = do_round()
    assert set(outcome.summarized) == set(ids)
    assert "Speed up the nightly CSV import" in outcome.titles
    assert outcome.cost_usd == 0


def test_a_second_round_has_nothing_to_do(claude_dir: Path) -> None:
    write_sessions(claude_dir)
    do_round()
    assert do_round() == Outcome()


def test_what_a_round_summarized_can_be_found(claude_dir: Path, db: sqlite3.Connection) -> None:
    from core.search import index

    write_sessions(claude_dir)
    do_round()
    assert index.pending(db) == 0


def test_while_paused_a_round_does_nothing(claude_dir: Path, db: sqlite3.Connection) -> None:
    write_sessions(claude_dir)
    privacy.pause(db, None)
    assert do_round() == Outcome(skipped="Capture is paused.")
    assert db.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


def test_a_round_leaves_quietly_when_another_process_is_at_it(
    claude_dir: Path, db: sqlite3.Connection
) -> None:
    from core import lease

    write_sessions(claude_dir)
    with lease.hold(db, "round"):
        assert do_round().skipped == "Another process is summarizing just now."


def test_the_command_says_what_it_did_in_words(
    claude_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sessions(claude_dir)
    assert main(["round"], COMMANDS) == 0
    assert capsys.readouterr().out == "3 sessions summarized\n"


def test_the_command_says_what_it_did_to_a_program(
    claude_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = write_sessions(claude_dir)
    assert main(["round", "--json"], COMMANDS) == 0
    assert set(Outcome.from_json(capsys.readouterr().out).summarized) == set(ids)
