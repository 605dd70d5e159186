"""The README's commands are typed as they stand there, from the first line to the last."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from installer import naming
from tests.support.api_server import serve
from tests.support.reader import ROOT, Reader, commands
from tests.support.transcript import Transcript

if sys.platform == "win32":
    pytest.skip("the commands here are those for a POSIX shell", allow_module_level=True)

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = commands(README)

NOT_TYPED = {
    "powershell -ExecutionPolicy Bypass -File installer\\install-chatrecall.ps1": "needs Windows",
    "python3 tests": "is what runs this test",
}

ANSWERS = {
    "chatrecall key set": "sk-ant-api03-not-a-real-one",
    "chatrecall forget --project ~/clients/acme": "yes",
}

SAYS = {
    "python3 installer": "ChatRecall is ready.",
    "python3 installer --try": "To be rid of it, delete the folder",
    "chatrecall search connection pool deadlock": "Session 11111111",
    "chatrecall key set": "The API accepts it.",
    "chatrecall status": "Tray app",
    "chatrecall pause": "Capture is paused until `chatrecall resume`.",
    "chatrecall resume": "Capture goes on",
    "chatrecall exclude '~/clients/**'": "~/clients/**",
    "chatrecall forget --project ~/clients/acme": "Forgotten: 1 session of acme",
    "python3 installer --remove": "ChatRecall is gone.",
    "chatrecall search WORDS": "As a page: ",
}
"""A sentence of each answer, for those commands of which the README promises something."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Exit code and output of each command, typed in the README's order."""
    with serve() as api:
        reader = Reader(tmp_path_factory.mktemp("reader"), api.url)
        _work(reader.home)
        told: dict[str, tuple[int, str]] = {}
        for line in COMMANDS:
            if line in NOT_TYPED:
                continue
            if line == "pip install .":  # "in a virtual environment", says the README
                assert reader.types("python3 -m venv ~/environment").returncode == 0
                reader.path.insert(0, str(reader.home / "environment" / "bin"))
            done = reader.types(line, ANSWERS.get(line, ""))
            told.setdefault(line, (done.returncode, done.stdout))
    return told


def _work(home: Path) -> None:
    """What the README's examples are about."""
    projects = home / ".claude" / "projects"
    shop = Transcript(projects / "-shop", "1" * 8, str(home / "shop"))
    shop.user("Why does the connection pool end in a deadlock?")
    shop.assistant("Two requests each hold one connection and wait for a second one.")
    acme = Transcript(projects / "-acme", "2" * 8, str(home / "clients" / "acme"))
    acme.user("Why is the invoice wrong?")
    acme.assistant("The tax is added twice.")


@pytest.mark.parametrize("line", dict.fromkeys(COMMANDS))
def test_each_command_does_what_the_readme_says(line: str, request: pytest.FixtureRequest) -> None:
    if line in NOT_TYPED:
        pytest.skip(NOT_TYPED[line])
    code, told = request.getfixturevalue("answers")[line]

    assert code == 0, told
    assert SAYS.get(line, "") in told
    assert told.strip()


def test_nothing_is_expected_of_a_command_that_is_not_there() -> None:
    assert {*NOT_TYPED, *ANSWERS, *SAYS} <= set(COMMANDS)


def test_the_installer_names_itself_as_the_readme_does() -> None:
    assert naming.INSTALLER in COMMANDS


def test_each_linked_file_exists() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_each_file_to_run_exists() -> None:
    files = re.findall(r"-File (\S+)", README)

    assert [name for name in files if not (ROOT / name.replace("\\", "/")).exists()] == []
