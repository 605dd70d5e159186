"""Whatever stands among the transcripts, the others are read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from core import paths
from core.capture.sweep import sweep
from tests.core.capture.stored import texts
from tests.support.transcript import Transcript


@pytest.fixture(autouse=True)
def _another(transcript: Transcript) -> None:
    transcript.user("Is anybody there?")


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_a_pipe_is_not_waited_for(transcript: Transcript, db: sqlite3.Connection) -> None:
    pipe = transcript.path.with_name("0-pipe.jsonl")
    os.mkfifo(pipe)
    assert sweep(db).unreadable == (str(pipe),)
    assert texts(db) == ["Is anybody there?"]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_is_not_read(transcript: Transcript, db: sqlite3.Connection) -> None:
    link = transcript.path.with_name("0-device.jsonl")
    link.symlink_to("/dev/zero")
    assert sweep(db).unreadable == (str(link),)
    assert texts(db) == ["Is anybody there?"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_name_that_is_no_text_is_logged(transcript: Transcript, db: sqlite3.Connection) -> None:
    strange = os.path.join(os.fsencode(transcript.path.parent), b"0-\xff.jsonl")
    shutil.copyfile(transcript.path, strange)
    assert sweep(db).unreadable == (os.fsdecode(strange),)
    assert texts(db) == ["Is anybody there?"]
    assert "0-" in Path(paths.log_file()).read_text(encoding="utf-8")


@pytest.mark.parametrize("field", ["uuid", "timestamp", "cwd", "sessionId"])
def test_a_lone_surrogate_or_a_nul_in_any_field_does_no_harm(
    field: str, claude_dir: Path, db: sqlite3.Connection
) -> None:
    strange = Transcript(claude_dir / "projects" / "-strange", "strange")
    fields = {field: "\ud83d\x00"}
    strange.user("Question", **fields)
    strange.assistant("Answer", "msg_\udc00", **fields)
    assert sweep(db).unreadable == ()
    assert set(texts(db, "strange")) >= {"Question"}
    assert texts(db) == ["Is anybody there?"]
