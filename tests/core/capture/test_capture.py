"""Capture: the samples' right reading, and each line stored once, whatever files it stands in."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from core.capture.capture import capture
from core.capture.sweep import sweep
from tests.core.capture.stored import rows, swept, texts
from tests.support.transcript import SESSION, Transcript

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"
ROLES = {"human": "user", "assistant": "assistant", "program": "program"}


def expected(sample: str) -> dict[str, list[dict[str, object]]]:
    written = json.loads((SAMPLES / sample / "expected.json").read_text(encoding="utf-8"))
    return dict(written["sessions"])


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_each_sample_is_read_as_a_person_reads_it(
    sample: str, claude_dir: Path, db: sqlite3.Connection
) -> None:
    shutil.copytree(SAMPLES / sample, claude_dir / "projects")
    sweep(db)
    for session_id, turns in expected(sample).items():
        # An empty text stands for words that are not a person's: a program's prompt, a plan handed
        # to a new session. Those are kept too (`claude -p` writes nothing else), as a program's.
        wanted = [
            (turn["line"], ROLES[str(turn["role"])] if turn["text"] else "program", turn["kind"])
            for turn in turns
        ]
        found = rows(db, session_id)
        assert [row[:3] for row in found] == wanted
        for turn, row in zip(turns, found, strict=True):
            assert not turn["text"] or row[3] == turn["text"]
    known = {row[0] for row in db.execute("SELECT session_id FROM sessions")}
    assert known == {name for name, turns in expected(sample).items() if turns}


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_the_times_and_bad_lines_of_each_sample_are_right(
    sample: str, claude_dir: Path, db: sqlite3.Connection
) -> None:
    shutil.copytree(SAMPLES / sample, claude_dir / "projects")
    sweep(db)
    written = json.loads((SAMPLES / sample / "expected.json").read_text(encoding="utf-8"))
    bad, tails = db.execute(
        "SELECT total(bad_lines), total(offset < size) FROM transcripts"
    ).fetchone()
    assert bad == written["unreadable"]["bad"]
    assert tails == written["unreadable"]["partial_tail"]
    for session_id, turns in written["sessions"].items():
        found = db.execute(
            "SELECT at FROM exchanges WHERE session_id = ? ORDER BY seq", (session_id,)
        )
        assert [at for (at,) in found] == [turn["at"] for turn in turns]


def test_a_second_sweep_changes_nothing(claude_dir: Path, db: sqlite3.Connection) -> None:
    shutil.copytree(SAMPLES, claude_dir / "projects")
    sweep(db)
    before = list(db.iterdump())
    assert sweep(db).read == 0
    assert list(db.iterdump()) == before


def test_reading_everything_anew_doubles_nothing(claude_dir: Path, db: sqlite3.Connection) -> None:
    shutil.copytree(SAMPLES, claude_dir / "projects")
    sweep(db)
    before = db.execute("SELECT * FROM exchanges ORDER BY session_id, seq").fetchall()
    db.execute("DELETE FROM transcripts")
    sweep(db)
    after = db.execute("SELECT * FROM exchanges ORDER BY session_id, seq").fetchall()
    assert after == before


def test_one_message_over_several_lines_is_one_exchange(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.assistant("First.", "msg_1")
    transcript.user([{"type": "tool_result", "content": "output"}])
    swept(db)
    transcript.assistant("Second.", "msg_1")
    assert swept(db) == [(1, "assistant", "assistant_text", "First.\nSecond.")]


def test_answers_of_a_provider_with_one_id_for_all_stay_apart(
    transcript: Transcript, claude_dir: Path, db: sqlite3.Connection
) -> None:
    for number in range(3):
        transcript.user(f"Question {number}")
        transcript.assistant(f"Answer {number}", "chatcmpl-1")
    other = Transcript(claude_dir / "projects" / "-other", "99999999-2222-4333-8444-555555555555")
    other.assistant("Another answer", "chatcmpl-1")
    assert [text for *_, text in swept(db)] == [
        text for number in range(3) for text in (f"Question {number}", f"Answer {number}")
    ]
    assert texts(db, other.session_id) == ["Another answer"]


def test_one_id_for_all_answers_makes_none_slower_to_store(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    work = 0

    def count() -> None:
        nonlocal work
        work += 1

    def work_of(answers: int) -> int:
        nonlocal work
        for number in range(answers):
            transcript.user(f"Question {answers} {number}")
            transcript.assistant(f"Answer {answers} {number}", "chatcmpl-1")
        work = 0
        sweep(db)
        return work

    db.set_progress_handler(count, 10)
    work_of(101)
    first = work_of(102)
    work_of(600)
    assert work_of(103) < 1.5 * first


def test_a_resume_that_writes_a_message_again_with_a_new_uuid_doubles_nothing(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.assistant("The answer.", "msg_1")
    transcript.assistant("The answer.", "msg_1")
    assert [text for *_, text in swept(db)] == ["The answer."]


def test_two_turns_on_one_line_are_both_kept_in_order(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    transcript.user("Two")
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b"}\n{", b"}{"))
    transcript.user("Three")
    transcript.line("mode")
    transcript.user("Four")
    assert swept(db) == [
        (1, "user", "human", "One"),
        (2, "user", "human", "Two"),
        (3, "user", "human", "Three"),
        (4, "user", "human", "Four"),
    ]


def test_a_fork_owns_only_what_is_new_in_it(
    transcript: Transcript, claude_dir: Path, db: sqlite3.Connection
) -> None:
    transcript.user("Shared")
    transcript.assistant("Shared answer", "msg_1")
    fork_id = "22222222-2222-4333-8444-555555555555"
    fork = claude_dir / "projects" / "-home-dev-shop" / f"{fork_id}.jsonl"
    fork.write_bytes(transcript.path.read_bytes().replace(SESSION.encode(), fork_id.encode()))
    os.utime(transcript.path, (1_000_000_000, 1_000_000_000))
    growing = Transcript(fork.parent, fork_id)
    growing.user("Only in the fork")
    sweep(db)
    assert texts(db) == ["Shared", "Shared answer"]
    assert rows(db, fork_id) == [(3, "user", "human", "Only in the fork")]


def test_a_file_that_goes_on_with_another_session_adds_to_it(
    transcript: Transcript, claude_dir: Path, db: sqlite3.Connection
) -> None:
    transcript.user("Begun here")
    swept(db)
    resumed = Transcript(
        claude_dir / "projects" / "-home-dev-shop", "33333333-2222-4333-8444-555555555555"
    )
    resumed.path.write_bytes(transcript.path.read_bytes())
    resumed.session_id = SESSION
    resumed.user("Gone on there")
    sweep(db)
    assert texts(db) == ["Begun here", "Gone on there"]
    assert db.execute("SELECT count(*) FROM sessions").fetchone() == (1,)


def test_a_transcript_of_any_name_is_a_session_of_that_name(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Hello")
    transcript.path.rename(transcript.path.with_name("saved.jsonl"))
    sweep(db)
    assert texts(db, "saved") == ["Hello"]


def test_copies_beside_the_transcripts_are_not_read(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Hello")
    for name in ("x.jsonl.backup", "agent-a1.jsonl", f"{SESSION}/subagents/agent-b2.jsonl"):
        copy = transcript.path.parent / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(transcript.path.read_bytes().replace(b"Hello", b"Copied"))
    assert sweep(db).read == 1


def test_subagents_are_counted_though_the_hook_was_first(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    folder = transcript.path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    for number, prompt in enumerate(["Use a subagent", "And another"]):
        transcript.user(prompt)
        (folder / f"agent-a{number}.jsonl").touch()
        capture(db, str(transcript.path))
        sweep(db)
        counted = db.execute("SELECT subagents FROM sessions").fetchone()
        assert counted == (number + 1,)
