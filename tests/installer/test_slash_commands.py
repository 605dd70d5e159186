from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core.errors import ChatRecallError
from installer import layout, slash_commands
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "it's C++; echo pwned $(id) `id` $HOME \\ \"quoted\nEOF"


@pytest.fixture
def folder(claude_dir: Path) -> Path:
    return claude_dir / "commands"


def shell_text(file: str, words: str) -> str:
    """What Claude Code hands to the shell: the block, with the typed words in place."""
    _, block, _ = file.split("```")
    return block.removeprefix("!\n").replace("$ARGUMENTS", words)


def test_both_commands_are_written(folder: Path) -> None:
    do(slash_commands.install())

    assert sorted(os.listdir(folder)) == ["save-recall.md", "search-chats.md"]


def test_writing_twice_changes_nothing(folder: Path) -> None:
    do(slash_commands.install())

    assert slash_commands.install() == []


def test_typed_words_reach_the_program_untouched(tmp_path: Path) -> None:
    program = tmp_path / "echo it's.py"
    program.write_text("import sys\nprint(sys.argv[1:], sys.stdin.read())", "utf-8")
    command = [sys.executable, str(program), "search", "--open", "--stdin"]
    file = slash_commands.render("search-chats", command, slash_commands.new_end_mark())

    done = subprocess.run(
        ["/bin/sh", "-c", shell_text(file, HOSTILE)], capture_output=True, text=True, check=True
    )

    assert done.stdout == f"['search', '--open', '--stdin'] {HOSTILE}\n\n"


def test_a_failure_is_text_and_no_failure_for_the_client(tmp_path: Path) -> None:
    command = [str(tmp_path / "gone"), "summarize", "--session", "${CLAUDE_SESSION_ID}"]
    file = slash_commands.render("save-recall", command, "END")

    done = subprocess.run(
        ["/bin/sh", "-c", shell_text(file, "")], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0
    assert "not found" in done.stderr


def test_the_end_mark_is_another_one_for_each_installation(folder: Path) -> None:
    do(slash_commands.install())
    first = (folder / "search-chats.md").read_text("utf-8")
    do(slash_commands.remove())
    do(slash_commands.install())

    assert (folder / "search-chats.md").read_text("utf-8") != first


def test_the_permission_fits_the_command_and_no_other() -> None:
    command = ["/a (b)/python", "-I", "-m", "chatrecall", "search", "--open", "--stdin"]

    file = slash_commands.render("search-chats", command, "END")

    assert rules(file) == ["Bash('/a *b*/python' -I -m chatrecall search *)"]


def test_git_bash_gets_slashes() -> None:
    command = [r"C:\Users\First Last\python.exe", "summarize", "--session", "${CLAUDE_SESSION_ID}"]

    file = slash_commands.render("save-recall", command, "END")

    assert "'C:/Users/First Last/python.exe' summarize --session '${CLAUDE_SESSION_ID}'" in file


def rules(file: str) -> list[str]:
    allowed = file.split("allowed-tools:\n")[1].split("\n---", maxsplit=1)[0]
    return [json.loads(line.removeprefix("  - ")) for line in allowed.splitlines()]


def test_powershell_gets_a_form_of_its_own() -> None:
    program = r"C:\Users\Ünï_日本.2\Local-1\python.exe"
    command = [program, "-I", "-m", "chatrecall", "search", "--open", "--stdin"]

    file = slash_commands.render("search-chats", command, "END", powershell=True)

    assert "shell: powershell\n" in file
    assert shell_text(file, "$ARGUMENTS") == (
        f"{program} -I -m chatrecall search --open -- @'\n$ARGUMENTS\n'@\n{program} -I -c pass\n"
    )
    assert rules(file) == [
        f"PowerShell({program} -I -m chatrecall search *)",
        f"PowerShell({program} -I -c pass)",
    ]


@pytest.mark.parametrize("folder", ["First Last", "O'Brien", "a&b", "$home", "(x)", "a;b", "`a"])
def test_powershell_gets_the_short_name_of_what_it_would_take_apart(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slash_commands, "_short", lambda path: path.replace(folder, "SHORT~1"))
    command = [rf"C:\Users\{folder}\python.exe", "summarize", "--session", "${CLAUDE_SESSION_ID}"]

    file = slash_commands.render("save-recall", command, "END", powershell=True)

    assert "\nC:\\Users\\SHORT~1\\python.exe summarize --session ${CLAUDE_SESSION_ID}\n" in file


def test_powershell_gets_quotes_where_there_is_no_short_name() -> None:
    command = [r"C:\Users\O'Brien\python.exe", "summarize", "--session", "${CLAUDE_SESSION_ID}"]

    file = slash_commands.render("save-recall", command, "END", powershell=True)

    assert "\n& 'C:\\Users\\O''Brien\\python.exe' summarize --session" in file


def test_a_command_of_the_persons_own_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "search-chats.md").write_text("mine", "utf-8")

    with pytest.raises(ChatRecallError, match="left alone"):
        slash_commands.install()

    do(slash_commands.remove())
    assert (folder / "search-chats.md").read_text("utf-8") == "mine"


def test_removing_leaves_nothing(folder: Path) -> None:
    do(slash_commands.install())

    do(slash_commands.remove())

    assert os.listdir(folder) == []
    assert slash_commands.remove() == []


def test_another_interpreter_is_noticed_and_mended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    do(slash_commands.install())
    assert slash_commands.state().kind == "works"
    file = folder / "search-chats.md"
    file.write_text(file.read_text("utf-8").replace(layout.current().python, "/gone"), "utf-8")

    assert slash_commands.state().kind == "broken"
    do(slash_commands.install())

    assert slash_commands.state().kind == "works"
