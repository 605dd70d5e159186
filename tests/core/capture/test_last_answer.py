"""The last answer, which the Stop payload brings before the transcript does."""

from __future__ import annotations

import sqlite3

from core import database
from core.capture.capture import capture
from core.capture.store import keep_answer
from core.capture.watermark import Watermark
from tests.core.capture.stored import swept, texts
from tests.support.transcript import Transcript


def stop(db: sqlite3.Connection, transcript: Transcript, answer: str) -> None:
    capture(db, str(transcript.path))
    mark = Watermark.load(db, str(transcript.path))
    with database.transaction(db):
        keep_answer(db, mark, transcript.cwd, answer, "2026-11-03T10:09:00.000Z")


def test_it_is_kept_until_its_own_line_comes(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Question")
    stop(db, transcript, "Second part.")
    assert texts(db) == ["Question", "Second part."]
    transcript.line("mode")
    transcript.assistant("First part.", "msg_1")
    transcript.assistant("Second part.", "msg_1")
    assert swept(db) == [
        (1, "user", "human", "Question"),
        (3, "assistant", "assistant_text", "First part.\nSecond part."),
    ]


def test_it_is_not_kept_twice_where_the_line_is_there(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("Question")
    transcript.assistant("Answer \n")
    stop(db, transcript, "Answer")
    stop(db, transcript, "Answer")
    assert texts(db) == ["Question", "Answer \n"]


def test_the_same_answer_to_two_questions_is_two_answers(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    transcript.assistant("Done.")
    transcript.user("Two")
    stop(db, transcript, "Done.")
    transcript.assistant("Done.")
    swept(db)
    assert texts(db) == ["One", "Done.", "Two", "Done."]


def test_a_hook_that_comes_late_keeps_no_answer_twice(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    transcript.assistant("The answer.")
    transcript.user("Two")
    stop(db, transcript, "The answer.")
    assert texts(db) == ["One", "The answer.", "Two"]


def test_it_stays_in_its_place_where_its_line_never_comes(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    transcript.line("mode")
    stop(db, transcript, "Lost in the crash")
    transcript.user("Two")
    transcript.assistant("Answer")
    swept(db)
    assert texts(db) == ["One", "Lost in the crash", "Two", "Answer"]


def test_it_is_never_lost_even_where_no_number_is_free(
    transcript: Transcript, db: sqlite3.Connection
) -> None:
    transcript.user("One")
    stop(db, transcript, "Lost in the crash")
    transcript.user("Two")
    swept(db)
    assert sorted(map(str, texts(db))) == ["Lost in the crash", "One", "Two"]
