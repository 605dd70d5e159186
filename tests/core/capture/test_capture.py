"""Capture: the samples' right reading, the watermark, and the same rows in whatever pieces."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import database, paths
from core.capture.capture import capture
from core.capture.store import keep_answer
from core.capture.sweep import sweep
from core.capture.watermark import Watermark
from tests.support.transcript import SESSION, Transcript

if TYPE_CHECKING:
    import sqlite3

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"
ROLES = {"human": "user", "assistant": "assistant", "program": "program"}


@pytest.fixture
def transcript(claude_dir: Path) -> Transcript:
    return Transcript(claude_dir / "projects" / "-home-dev-shop")


def rows(db: sqlite3.Connection, session_id: str = SESSION) -> list[tuple[object, ...]]:
    return db.execute(
        "SELECT seq, role, kind, text FROM exchanges WHERE session_id = ? ORDER BY seq",
        (session_id,),
    ).fetchall()


def texts(db: sqlite3.Connection, session_id: str = SESSION) -> list[object]:
    return [text for *_, text in rows(db, session_id)]


def swept(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    sweep(db)
    return rows(db)


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


class TestTheWatermark:
    """Whatever happens to the file, nothing is lost and nothing doubles."""

    def test_a_half_written_line_waits_for_its_end(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("Whole")
        transcript.user("Half 日本")
        data = transcript.path.read_bytes()
        transcript.path.write_bytes(data[:-40])
        assert [text for *_, text in swept(db)] == ["Whole"]
        transcript.path.write_bytes(data)
        assert [text for *_, text in swept(db)] == ["Whole", "Half 日本"]

    def test_a_last_record_without_line_end_counts_once(
        self, transcript: Transcript, db: sqlite3.Connection
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
        self, transcript: Transcript, db: sqlite3.Connection, pad: int
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
        self, transcript: Transcript, db: sqlite3.Connection
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
        self, transcript: Transcript, db: sqlite3.Connection
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
        self, transcript: Transcript, claude_dir: Path, db: sqlite3.Connection
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
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("Kept")
        swept(db)
        shutil.rmtree(transcript.path.parent)
        assert [text for *_, text in swept(db)] == ["Kept"]

    def test_a_file_whose_time_steps_back_is_read_all_the_same(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("One")
        swept(db)
        transcript.user("Two")
        os.utime(transcript.path, (1_000_000, 1_000_000))
        assert [text for *_, text in swept(db)] == ["One", "Two"]

    def test_a_long_line_is_taken_whole_however_small_the_bite(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        prompt = "A log. " + "日本 " * 300_000
        transcript.user(prompt)
        transcript.user("After it")
        while capture(db, str(transcript.path), bite=1000):
            pass
        assert texts(db) == [prompt.strip(), "After it"]

    def test_a_line_beyond_all_measure_is_passed_over(
        self, transcript: Transcript, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("core.capture.capture.LONGEST_LINE", 2000)
        transcript.user("Before")
        transcript.raw(b'{"type":"user","message":{"content":"' + b"x" * 9_000_000)
        assert [text for *_, text in swept(db)] == ["Before"]
        transcript.raw(b'"}}\n')
        transcript.user("After")
        assert swept(db) == [(1, "user", "human", "Before"), (3, "user", "human", "After")]


class TestAStrangeFile:
    """Whatever stands among the transcripts, the others are read."""

    @pytest.fixture(autouse=True)
    def _another(self, transcript: Transcript) -> None:
        transcript.user("Is anybody there?")

    @pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
    def test_a_pipe_is_not_waited_for(self, transcript: Transcript, db: sqlite3.Connection) -> None:
        pipe = transcript.path.with_name("0-pipe.jsonl")
        os.mkfifo(pipe)
        assert sweep(db).unreadable == (str(pipe),)
        assert texts(db) == ["Is anybody there?"]

    @pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
    def test_a_device_is_not_read(self, transcript: Transcript, db: sqlite3.Connection) -> None:
        link = transcript.path.with_name("0-device.jsonl")
        link.symlink_to("/dev/zero")
        assert sweep(db).unreadable == (str(link),)
        assert texts(db) == ["Is anybody there?"]

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
    def test_a_name_that_is_no_text_is_logged(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        strange = os.path.join(os.fsencode(transcript.path.parent), b"0-\xff.jsonl")
        shutil.copyfile(transcript.path, strange)
        assert sweep(db).unreadable == (os.fsdecode(strange),)
        assert texts(db) == ["Is anybody there?"]
        assert "0-" in Path(paths.log_file()).read_text(encoding="utf-8")

    @pytest.mark.parametrize("field", ["uuid", "timestamp", "cwd", "sessionId"])
    def test_a_lone_surrogate_or_a_nul_in_any_field_does_no_harm(
        self, field: str, claude_dir: Path, db: sqlite3.Connection
    ) -> None:
        strange = Transcript(claude_dir / "projects" / "-strange", "strange")
        fields = {field: "\ud83d\x00"}
        strange.user("Question", **fields)
        strange.assistant("Answer", "msg_\udc00", **fields)
        assert sweep(db).unreadable == ()
        assert set(texts(db, "strange")) >= {"Question"}
        assert texts(db) == ["Is anybody there?"]


class TestTheLastAnswer:
    """What the Stop payload brings before the transcript does."""

    @staticmethod
    def stop(db: sqlite3.Connection, transcript: Transcript, answer: str) -> None:
        capture(db, str(transcript.path))
        mark = Watermark.load(db, str(transcript.path))
        with database.transaction(db):
            keep_answer(db, mark, transcript.cwd, answer, "2026-11-03T10:09:00.000Z")

    def test_it_is_kept_until_its_own_line_comes(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("Question")
        self.stop(db, transcript, "Second part.")
        assert texts(db) == ["Question", "Second part."]
        transcript.line("mode")
        transcript.assistant("First part.", "msg_1")
        transcript.assistant("Second part.", "msg_1")
        assert swept(db) == [
            (1, "user", "human", "Question"),
            (3, "assistant", "assistant_text", "First part.\nSecond part."),
        ]

    def test_it_is_not_kept_twice_where_the_line_is_there(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("Question")
        transcript.assistant("Answer \n")
        self.stop(db, transcript, "Answer")
        self.stop(db, transcript, "Answer")
        assert texts(db) == ["Question", "Answer \n"]

    def test_the_same_answer_to_two_questions_is_two_answers(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("One")
        transcript.assistant("Done.")
        transcript.user("Two")
        self.stop(db, transcript, "Done.")
        transcript.assistant("Done.")
        swept(db)
        assert texts(db) == ["One", "Done.", "Two", "Done."]

    def test_a_hook_that_comes_late_keeps_no_answer_twice(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("One")
        transcript.assistant("The answer.")
        transcript.user("Two")
        self.stop(db, transcript, "The answer.")
        assert texts(db) == ["One", "The answer.", "Two"]

    def test_it_stays_in_its_place_where_its_line_never_comes(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("One")
        transcript.line("mode")
        self.stop(db, transcript, "Lost in the crash")
        transcript.user("Two")
        transcript.assistant("Answer")
        swept(db)
        assert texts(db) == ["One", "Lost in the crash", "Two", "Answer"]

    def test_it_is_never_lost_even_where_no_number_is_free(
        self, transcript: Transcript, db: sqlite3.Connection
    ) -> None:
        transcript.user("One")
        self.stop(db, transcript, "Lost in the crash")
        transcript.user("Two")
        swept(db)
        assert sorted(map(str, texts(db))) == ["Lost in the crash", "One", "Two"]


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
