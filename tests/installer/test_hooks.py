from __future__ import annotations

import json
import os
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from core.errors import ChatRecallError
from installer import hooks, layout
from tests.installer.conftest import do, words

if TYPE_CHECKING:
    from pathlib import Path

THEIRS = """\
// what I like
{
  "model": "opus", // the best
  "hooks": {
    /* beeps */
    "Stop": [
      { "hooks": [{ "type": "command", "command": "beep" }] }, // trailing comma
    ],
  },
  "unknownKey": [1, 2,],
}
"""


def events(file: Path) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads(file.read_text("utf-8"))["hooks"]
    return found


def test_both_events_are_registered_in_a_new_file(settings_file: Path) -> None:
    do(hooks.install())

    assert sorted(events(settings_file)) == ["SessionEnd", "Stop"]


def test_the_hook_is_started_without_a_shell(settings_file: Path) -> None:
    do(hooks.install())

    handler = hooks.registered(str(settings_file))[0]
    assert os.path.isabs(handler["command"])
    assert handler["args"][-1] == layout.current().package
    assert handler["timeout"] == hooks.TIMEOUT_SECONDS


def test_the_base_interpreter_runs_the_hook(installed: layout.Layout, settings_file: Path) -> None:
    do(hooks.install())

    handler = hooks.registered(str(settings_file))[0]
    done = start([handler["command"], *handler["args"]])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert handler["command"] == layout.base_interpreter()


def test_a_hook_whose_files_are_gone_does_not_make_claude_go_on(settings_file: Path) -> None:
    do(hooks.install())

    handler = hooks.registered(str(settings_file))[0]
    done = start([handler["command"], *handler["args"]])
    assert done.returncode == 1  # 2 would


def test_an_old_client_gets_a_line_that_a_shell_understands(
    installed: layout.Layout, settings_file: Path, programs: Path
) -> None:
    claude(programs, "2.1.138 (Claude Code)")

    do(hooks.install())

    handler = hooks.registered(str(settings_file))[0]
    assert "args" not in handler
    done = start(["/bin/sh", "-c", handler["command"]])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("version", ["2.1.139 (Claude Code)", "3.0.0", "no version at all"])
def test_a_newer_or_unknown_client_gets_the_exec_form(
    settings_file: Path, programs: Path, version: str
) -> None:
    claude(programs, version)

    do(hooks.install())

    assert "args" in hooks.registered(str(settings_file))[0]


def test_foreign_bytes_stay_as_they_are(settings_file: Path) -> None:
    settings_file.write_bytes(THEIRS.encode())

    do(hooks.install())

    left = settings_file.read_text("utf-8")
    for piece in json.loads(record_text(settings_file))["hooks"]["settings"][str(settings_file)][
        "pieces"
    ][::-1]:
        left = left.replace(piece, "", 1)
    assert left == THEIRS


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [THEIRS, "{}\n", '{"hooks": {"Stop": []}}', "{ }", " \n"])
def test_removing_gives_the_former_bytes(
    settings_file: Path, text: str, newline: str, mark: str
) -> None:
    before = (mark + text).replace("\n", newline).encode()
    settings_file.write_bytes(before)

    do(hooks.install())
    assert settings_file.read_bytes() != before
    do(hooks.remove())

    assert settings_file.read_bytes() == before


def test_removing_deletes_a_file_that_was_not_there(settings_file: Path) -> None:
    do(hooks.install())
    do(hooks.remove())

    assert os.listdir(settings_file.parent) == ["chatrecall"]


def test_removing_keeps_a_new_file_that_others_have_written_to(settings_file: Path) -> None:
    do(hooks.install())
    settings = {"model": "opus", **json.loads(settings_file.read_text("utf-8"))}
    settings_file.write_text(json.dumps(settings), "utf-8")

    do(hooks.remove())

    assert json.loads(settings_file.read_text("utf-8")) == {"model": "opus"}


def test_installing_twice_changes_nothing(settings_file: Path) -> None:
    settings_file.write_bytes(THEIRS.encode())
    do(hooks.install())

    assert hooks.install() == []


def test_a_file_that_the_client_has_written_anew_is_left_so(settings_file: Path) -> None:
    do(hooks.install())
    settings = json.loads(settings_file.read_text("utf-8"))
    settings_file.write_text(json.dumps(settings, indent=4), "utf-8")

    assert hooks.install() == []


def test_a_moved_interpreter_is_repaired_in_its_place(settings_file: Path) -> None:
    settings_file.write_bytes(THEIRS.encode())
    do(hooks.install())
    text = settings_file.read_text("utf-8")
    settings_file.write_text(text.replace(layout.base_interpreter(), "/gone/python3"), "utf-8")

    assert hooks.state().kind == "broken"
    do(hooks.install())

    assert settings_file.read_text("utf-8") == text
    do(hooks.remove())
    assert settings_file.read_text("utf-8") == THEIRS


def test_a_copy_is_kept_beside_the_settings(settings_file: Path) -> None:
    settings_file.write_bytes(THEIRS.encode())

    do(hooks.install())

    copy = settings_file.parent / "settings.json.before-chatrecall"
    assert copy.read_text() == THEIRS
    text = settings_file.read_text("utf-8")
    settings_file.write_text(text.replace(layout.base_interpreter(), "/gone/python3"), "utf-8")
    do(hooks.install())
    assert copy.read_text() == THEIRS


def test_a_link_to_the_settings_stays_a_link(settings_file: Path, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}", "utf-8")
    settings_file.symlink_to(real)

    do(hooks.install())

    assert settings_file.is_symlink()
    assert sorted(events(real)) == ["SessionEnd", "Stop"]


def test_a_link_that_leads_nowhere_does_so_again_afterwards(
    settings_file: Path, home: Path
) -> None:
    real = home / "dotfiles.json"
    settings_file.symlink_to(real)

    do(hooks.install())
    assert sorted(events(real)) == ["SessionEnd", "Stop"]
    do(hooks.remove())

    assert settings_file.is_symlink()
    assert not real.exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder where root can't write")
def test_settings_that_can_not_be_written_are_told_by_the_file_behind_the_link(
    settings_file: Path,
) -> None:
    settings_file.symlink_to("/proc/settings.json")

    with pytest.raises(ChatRecallError, match=r"can't be written. /proc/settings.json: .*dry-run"):
        do(hooks.install())


def test_the_permissions_stay(settings_file: Path) -> None:
    settings_file.write_text("{}", "utf-8")
    settings_file.chmod(0o600)

    do(hooks.install())

    for file in (settings_file, settings_file.parent / "settings.json.before-chatrecall"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b'{"a": ', b'{"a": "\xff"}', b'{"hooks": 1}', b"[]"])
def test_broken_settings_are_left_alone(settings_file: Path, content: bytes) -> None:
    settings_file.write_bytes(content)

    with pytest.raises(ChatRecallError, match="left alone"):
        hooks.install()

    assert settings_file.read_bytes() == content


def test_a_change_by_somebody_else_meanwhile_is_not_lost(settings_file: Path) -> None:
    planned = hooks.install()
    settings_file.write_text('{"model": "opus"}', "utf-8")

    with pytest.raises(ChatRecallError, match="changed at this moment"):
        do(planned)

    assert settings_file.read_text("utf-8") == '{"model": "opus"}'


def test_each_claude_folder_loses_its_hooks(
    home: Path, monkeypatch: pytest.MonkeyPatch, settings_file: Path
) -> None:
    monkeypatch.setenv("CHATRECALL_HOME", str(home / "recall"))
    do(hooks.install())
    other = home / "work"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(other))
    do(hooks.install())
    assert settings_file.exists()
    assert (other / "settings.json").exists()

    do(hooks.remove())

    assert not settings_file.exists()
    assert not (other / "settings.json").exists()


def test_a_script_of_the_same_name_is_not_ours() -> None:
    assert not hooks.is_ours(
        {
            "type": "command",
            "command": "python",
            "args": [r"C:\ChatRecall\hooks\append_exchange.py"],
        }
    )


def test_the_state_says_what_is_there(settings_file: Path) -> None:
    assert hooks.state().kind == "missing"

    do(hooks.install())

    assert hooks.state().kind == "works"
    assert words(hooks.install()) == []


def start(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=b"{}", capture_output=True, check=False)


def claude(programs: Path, told: str) -> None:
    """A `claude` on PATH that tells this version."""
    program = programs / "claude"
    program.write_text(f"#!/bin/sh\necho '{told}'\n", "utf-8")
    program.chmod(0o755)


def record_text(settings_file: Path) -> str:
    return (settings_file.parent / "chatrecall" / "installation.json").read_text("utf-8")
