"""The resume command, pasted into real shells where there are some."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from core.display.resume import go_there, resume_command

ID = "6f1c2f8e-7f0f-4c3e-9d7e-2f6f3b0a1c11"


def test_a_plain_path_stays_readable() -> None:
    command = resume_command("/home/lena/src/shop", ID, windows=False)
    assert command == f"cd -- /home/lena/src/shop && claude --resume {ID}"


def test_without_a_known_folder_only_the_session_is_named() -> None:
    assert resume_command("", ID, windows=False) == f"claude --resume {ID}"


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no POSIX shell")
@pytest.mark.parametrize(
    "name", ["with space", "it's", 'a"b', "$HOME", "`id`", "a;b", "a\\b", "-dash", "Ünï 日本", "*"]
)
def test_a_posix_shell_goes_to_any_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    command = f"{go_there(str(folder), windows=False)}pwd"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == f"{folder}\n"


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no POSIX shell")
def test_a_hostile_session_id_is_one_word_for_the_shell() -> None:
    command = resume_command("", "x; echo owned", windows=False).replace("claude", "printf %s, ")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "--resume,x; echo owned,"


def test_powershell_gets_a_literal_path_and_stops_where_it_is_missing() -> None:
    command = resume_command(r"C:\Users\Lena [1]\it's $HOME", ID, windows=True)
    assert command == (
        r"cd -LiteralPath 'C:\Users\Lena [1]\it''s $HOME' -ErrorAction Stop; "
        f"claude --resume {ID}"
    )


@pytest.mark.parametrize("quote", ["'", "\u2018", "\u2019", "\u201a", "\u201b"])
def test_powershell_quotes_of_every_shape_are_doubled(quote: str) -> None:
    assert f"'C:\\a{quote}{quote}b'" in go_there(f"C:\\a{quote}b", windows=True)


@pytest.mark.parametrize("trick", ["\n", "\r", "\x1b[31m", "\u202e", "\x00"])
@pytest.mark.parametrize("windows", [True, False])
def test_a_path_with_a_control_character_never_gets_on_a_command_line(
    trick: str, windows: bool
) -> None:
    command = resume_command(f"/tmp/{trick}x", ID, windows=windows)
    assert command == f"claude --resume {ID}"
