"""The watermark: whatever happens to the file, nothing is lost and nothing doubles."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import database
from core.capture.capture import capture
from tests.core.capture.stored import swept, texts
from tests.support.transcript import SESSION, Transcript

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"


def test_a_half_written_line_waits_for_its_end(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Whole")
    transcript.user("Half 日本")
    data = transcript.path.read_bytes()
    transcript.path.write_bytes(data[:-40])
    assert [text for *_, text in swept(db)] == ["Whole"]
    transcript.path.write_bytes(data)
    assert [text for *_, text in swept(db)] == ["Whole", "Half 日本"]


def test_a_last_record_without_line_end_counts_once(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Last")
    data = transcript.path.read_bytes()
    transcript.path.write_bytes(data.rstrip(b"\n"))
    assert [text for *_, text in swept(db)] == ["Last"]
    transcript.path.write_bytes(data)
    transcript.user("Next")
    assert swept(db) == [(1, "user", "human", "Last"), (2, "user", "human", "Next")]


@pytest.mark.parametrize("pad", [0, 400, -30], ids=["equal", "longer", "shorter"])
def test_a_replaced_file_is_read_again_and_what_was_kept_stays(
    transcript: Transcript, db: sqlite3.Connection, pad: int
) -> None:
    transcript.user("Old words " + "x" * 60)
    swept(db)
    size = transcript.path.stat().st_size
    transcript.path.unlink()
    transcript.user("New words " + "y" * (60 + pad))
    assert transcript.path.stat().st_size == size + pad
    after = swept(db)
    assert [str(text)[:9] for *_, text in after] == ["Old words", "New words"]


def test_a_truncated_file_that_grows_again_doubles_nothing(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    first = transcript.path.read_bytes()
    transcript.user("Two")
    swept(db)
    transcript.path.write_bytes(first)
    swept(db)
    transcript.user("Three")
    assert [text for *_, text in swept(db)] == ["One", "Two", "Three"]


def test_a_file_that_is_cut_while_it_is_read_is_read_again(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    first = transcript.path.stat().st_size
    transcript.user("Two " * 300)

    def cut(line: bytes) -> object:
        os.truncate(transcript.path, first)
        return json.loads(line)

    capture(db, str(transcript.path), loads=cut)
    transcript.user("Three")
    assert "Three" in [text for *_, text in swept(db)]


def test_a_moved_file_is_not_read_again(
    transcript: Transcript, claude_dir: Path, db: sqlite3.Connection
) -> None:
    transcript.user("Before the move")
    swept(db)
    moved = claude_dir / "projects" / "-home-dev-shop-worktree" / transcript.path.name
    moved.parent.mkdir()
    transcript.path.rename(moved)
    transcript.path = moved
    transcript.user("After the move")
    assert swept(db) == [
        (1, "user", "human", "Before the move"),
        (2, "user", "human", "After the move"),
    ]


def test_a_vanished_file_takes_nothing_with_it(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Kept")
    swept(db)
    shutil.rmtree(transcript.path.parent)
    assert [text for *_, text in swept(db)] == ["Kept"]


def test_a_file_whose_time_steps_back_is_read_all_the_same(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    swept(db)
    transcript.user("Two")
    os.utime(transcript.path, (1_000_000, 1_000_000))
    assert [text for *_, text in swept(db)] == ["One", "Two"]


def test_a_long_line_is_taken_whole_however_small_the_bite(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    prompt = "A log. " + "日本 " * 300_000
    transcript.user(prompt)
    transcript.user("After it")
    while capture(db, str(transcript.path), bite=1000):
        pass
    assert texts(db) == [prompt.strip(), "After it"]


def test_a_line_beyond_all_measure_is_passed_over(
    transcript: Transcript, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.capture.capture.LONGEST_LINE", 2000)
    transcript.user("Before")
    transcript.raw(b'{"type":"user","message":{"content":"' + b"x" * 9_000_000)
    assert [text for *_, text in swept(db)] == ["Before"]
    transcript.raw(b'"}}\n')
    transcript.user("After")
    assert swept(db) == [(1, "user", "human", "Before"), (3, "user", "human", "After")]


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_in_any_pieces_give_the_same_rows_as_one_read(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = data.draw(st.sampled_from(HOSTILE))
    noise = data.draw(st.lists(st.tuples(st.integers(0, len(whole)), st.binary(max_size=30))))
    for place, piece in noise:
        whole = whole[:place] + piece + whole[place:]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    folder = tmp_path_factory.mktemp("pieces")
    at_once = read_in_pieces(folder / "once", whole, [])
    assert read_in_pieces(folder / "pieces", whole, cuts) == at_once


HOSTILE = [path.read_bytes() for path in sorted(SAMPLES.glob("**/*.jsonl"))]


def read_in_pieces(folder: Path, whole: bytes, cuts: list[int]) -> list[tuple[object, ...]]:
    folder.mkdir()
    file = folder / f"{SESSION}.jsonl"
    db = database.connect(str(folder / "data" / "chatrecall.db"))
    for end in [*cuts, len(whole)]:
        file.write_bytes(whole[:end])
        while capture(db, str(file), bite=700):
            pass
    found = db.execute(
        "SELECT session_id, seq, role, kind, text, at, uuid FROM exchanges ORDER BY session_id, seq"
    ).fetchall()
    db.close()
    return found
