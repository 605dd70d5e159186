from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core import paths
from core.errors import ChatRecallError
from installer import changes, files, record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.usefixtures("home")
def test_notes_are_kept_by_part() -> None:
    record.note("a", {"path": "Ünï 日本"})
    record.note("b", {})

    assert record.of("a") == {"path": "Ünï 日本"}
    assert record.of("c") == {}


def test_the_record_goes_with_its_last_note(home: Path) -> None:
    (home / ".claude" / "chatrecall").mkdir(parents=True)
    record.note("a", {"x": 1})

    record.note("a", None)

    assert not os.path.exists(paths.installation_file())


def test_a_damaged_record_is_told(home: Path) -> None:
    record.note("a", {"x": 1})
    with open(paths.installation_file(), "w", encoding="utf-8") as stream:
        stream.write("{")

    with pytest.raises(ChatRecallError, match=r"Move .* away"):
        record.of("a")


def test_folders_that_were_made_go_when_they_are_empty(home: Path) -> None:
    (home / ".config").mkdir()
    for change in changes.write_file(str(home / ".config" / "a" / "b" / "file"), b"x"):
        change.do()
    os.remove(home / ".config" / "a" / "b" / "file")

    record.remove_empty_folders()

    assert os.listdir(home / ".config") == []


def test_a_folder_that_others_use_stays(home: Path) -> None:
    record.make_folders(str(home / "a" / "b"))
    (home / "a" / "theirs").write_text("x", "utf-8")

    record.remove_empty_folders()

    assert os.listdir(home / "a") == ["theirs"]


def test_a_file_is_replaced_whole_or_not_at_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "file"
    file.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.replace(str(file), b"new")

    assert file.read_bytes() == b"old"
    assert os.listdir(home) == ["file"]


def test_what_a_killed_run_has_left_beside_a_file_goes_with_the_next(home: Path) -> None:
    file = home / "Ünï (1).json"
    file.write_bytes(b"old")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, paths.ROOT, str(file)], check=False, stderr=subprocess.PIPE
    )
    assert killed.returncode != 0, killed.stderr
    assert len(os.listdir(home)) == 2
    assert file.read_bytes() == b"old"

    files.replace(str(file), b"new")

    assert os.listdir(home) == [file.name]


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from installer import files
os.fsync = lambda _descriptor: os._exit(9)
files.replace(sys.argv[2], b"new")
"""
NOT_LEFT_BY_US = ("file.new", "file.x.new", "other.999999999.new", "file.999999999.new.txt")


def test_removing_takes_leftovers_and_nothing_else(home: Path) -> None:
    foreign = [*NOT_LEFT_BY_US, f"file.{os.getpid()}.new"]  # the last is being written
    for name in (*foreign, "file.999999999.new"):
        (home / name).write_bytes(b"x")

    for change in changes.remove_file(str(home / "file")):
        change.do()

    assert sorted(os.listdir(home)) == sorted(foreign)
