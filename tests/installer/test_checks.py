from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

import pytest

from core.errors import ChatRecallError
from installer import checks, hooks, layout
from installer.commands import doctor
from tests.installer.conftest import do

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.usefixtures("installed")
def test_the_hook_is_run_for_real(settings_file: Path) -> None:
    do(hooks.install())

    seen = checks.hook_at_work()

    assert seen.kind == "works"
    assert "captured 6 exchanges" in seen.words


@pytest.mark.usefixtures("installed")
def test_the_hook_of_an_old_client_is_run_by_its_shell(settings_file: Path, programs: Path) -> None:
    claude = programs / "claude"
    claude.write_text("#!/bin/sh\necho 2.1.100\n", "utf-8")
    claude.chmod(0o755)
    os.symlink("/bin/sh", programs / "sh")
    do(hooks.install())

    assert checks.hook_at_work().kind == "works"


@pytest.mark.usefixtures("installed")
def test_running_it_leaves_the_persons_own_data_alone(claude_dir: Path) -> None:
    do(hooks.install())

    checks.hook_at_work()

    assert not (claude_dir / "chatrecall" / "chatrecall.db").exists()


def test_a_hook_whose_files_are_gone_is_broken(settings_file: Path) -> None:
    do(hooks.install())

    seen = checks.hook_at_work()

    assert seen.kind == "broken"
    assert "No module named" in seen.words


def test_a_hook_whose_interpreter_is_gone_is_broken(settings_file: Path) -> None:
    do(hooks.install())
    text = settings_file.read_text("utf-8")
    settings_file.write_text(text.replace(layout.base_interpreter(), "/gone/python3"), "utf-8")

    assert checks.hook_at_work().kind == "broken"


@pytest.mark.parametrize("switch", ["disableAllHooks", "disableSkillShellExecution"])
def test_a_switch_that_keeps_us_from_working_is_named(settings_file: Path, switch: str) -> None:
    settings_file.write_text(f'{{"{switch}": true, // why\n}}', "utf-8")

    seen = checks.switches()

    assert seen.kind == "broken"
    assert switch in seen.words
    assert str(settings_file) in seen.words


@pytest.mark.parametrize("file", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
def test_a_companys_settings_are_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    managed = tmp_path / file
    managed.parent.mkdir(exist_ok=True)
    managed.write_text('{"allowManagedHooksOnly": true}', "utf-8")
    monkeypatch.setattr(checks, "managed_folders", lambda: (str(tmp_path),))

    assert "allowManagedHooksOnly" in checks.switches().words


def test_a_switch_that_is_off_is_fine(settings_file: Path) -> None:
    settings_file.write_text('{"disableAllHooks": false}', "utf-8")

    assert checks.switches().kind == "works"


def test_no_client_is_could_not_check() -> None:
    assert checks.claude_code().kind == "unknown"


@pytest.mark.usefixtures("installed")
def test_the_doctor_names_what_is_broken_and_what_to_do(
    settings_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    do(hooks.install())
    settings = json.loads(settings_file.read_text("utf-8"))
    settings_file.write_text(json.dumps({**settings, "disableAllHooks": True}), "utf-8")

    with pytest.raises(ChatRecallError, match=r"Broken: .*Claude Code's switches"):
        doctor.run(argparse.Namespace())

    told = capsys.readouterr().out
    assert "BROKEN          Claude Code's switches: disableAllHooks is set in" in told
    assert "works           Hooks" in told
