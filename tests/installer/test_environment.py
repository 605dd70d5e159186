from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core import paths
from core.errors import ChatRecallError
from installer import checkout, environment, files, layout, record
from tests.installer.conftest import do, words

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(home: Path) -> layout.Layout:
    """An environment that answers, as if this checkout had been installed into it."""
    here = layout.current()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", here.folder], check=True)
    pip = os.path.join(os.path.dirname(here.package), "pip.py")
    with open(pip, "w", encoding="utf-8"):
        pass
    source = checkout.fingerprint()
    record.note(layout.PART, {"base": here.base, "version": here.version, "source": source})
    return here


def test_a_machine_without_any_gets_one(home: Path) -> None:
    assert [line.split()[0] for line in words(environment.install())] == ["Make", "Install"]
    assert environment.state().kind == "missing"


@pytest.mark.usefixtures("made")
def test_the_same_checkout_again_is_nothing_to_do() -> None:
    assert environment.install() == []


def test_another_checkout_is_installed_into_the_same_environment(made: layout.Layout) -> None:
    record.note(layout.PART, {**record.of(layout.PART), "source": "older"})

    assert [line.split()[0] for line in words(environment.install())] == ["Install"]


def test_another_python_makes_it_anew(made: layout.Layout) -> None:
    record.note(layout.PART, {**record.of(layout.PART), "version": "3.10", "source": "older"})

    assert [line.split()[0] for line in words(environment.install())] == ["Make", "Install"]


def test_a_broken_one_is_made_anew(made: layout.Layout) -> None:
    os.remove(made.python)
    os.symlink("/gone/python3", made.python)

    assert environment.state().kind == "broken"
    assert [line.split()[0] for line in words(environment.install())] == ["Make", "Install"]


def test_a_moved_data_folder_is_another_installation(
    made: layout.Layout, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    before = checkout.fingerprint()

    monkeypatch.setenv("CHATRECALL_HOME", str(home / "elsewhere"))

    assert checkout.fingerprint() != before


def test_debian_without_its_venv_package_gets_a_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    with pytest.raises(ChatRecallError, match=r"sudo apt install python3\.\d+-venv"):
        do(environment.install()[:1])

    assert not os.path.exists(layout.current().folder)


def test_the_stores_python_gets_a_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alias = r"C:\Users\me\AppData\Local\Microsoft\WindowsApps\python.exe"
    monkeypatch.setattr(layout, "base_interpreter", lambda: alias)

    with pytest.raises(ChatRecallError, match="Microsoft Store"):
        do(environment.install()[:1])


# What pip 23 to 25 prints, the middle of it left out.
OFFLINE = """\
  error: subprocess-exited-with-error
  × pip subprocess to install build dependencies did not run successfully.
  ╰─> [7 lines of output]
      WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by [...]
      ERROR: Could not find a version that satisfies the requirement setuptools>=77 (from [...]
      ERROR: No matching distribution found for setuptools>=77
      [end of output]
  note: This error originates from a subprocess, and is likely not a problem with pip.
error: subprocess-exited-with-error
"""
FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
INSPECTED = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'SSLError(SSLCertVerificationError(1,
 '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer
ERROR: No matching distribution found for orjson>=3.11
"""
WITHOUT_SSL = """\\
WARNING: Retrying (Retry(total=0)) after connection broken by 'SSLError("Can't connect to HTTPS URL
 because the SSL module is not available.")': /simple/setuptools/
ERROR: No matching distribution found for orjson>=3.11
"""
TOO_NEW = """\
  error: metadata-generation-failed
ERROR: Failed building wheel for orjson
ERROR: Could not build wheels for orjson, which is required to install pyproject.toml-based projects
"""


@pytest.mark.parametrize(
    ("printed", "cause", "remedy"),
    [
        (OFFLINE, "ERROR: No matching distribution found for setuptools>=77", "Check the network"),
        (FULL, "No space left on device", "Free some space"),
        (INSPECTED, "No matching distribution found for orjson", "Give pip the certificate"),
        (WITHOUT_SSL, "No matching distribution found for orjson", "its ssl module"),
        (TOO_NEW, "ERROR: Could not build wheels for orjson", "Use a version of Python"),
        ("Killed\n", "Killed", "Mend that"),
    ],
)
def test_pip_that_fails_is_told_in_its_own_words(
    made: layout.Layout, printed: str, cause: str, remedy: str
) -> None:
    record.note(layout.PART, {**record.of(layout.PART), "source": "older"})
    pip = os.path.join(os.path.dirname(made.package), "pip.py")
    with open(pip, "w", encoding="utf-8") as stream:
        stream.write(f"import sys\nif __name__ == '__main__': sys.exit({printed!r})\n")

    with pytest.raises(ChatRecallError) as caught:
        do(environment.install())

    assert cause in caught.value.advice
    assert remedy in caught.value.advice
    with open(paths.log_file(), encoding="utf-8") as log:
        assert " ".join(printed.split()) in log.read()


def test_the_former_one_stays_where_the_new_one_fails(
    made: layout.Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = {**record.of(layout.PART), "source": "older", "version": "3.10"}
    record.note(layout.PART, former)
    planned = environment.install()
    assert len(planned) == 2
    do(planned[:1])  # another Python made a new one, which gets no further
    monkeypatch.setattr(checkout, "copy", lambda _target: os.stat("/gone"))

    with pytest.raises(FileNotFoundError):
        do(planned[1:])

    assert record.of(layout.PART) == former
    assert os.path.exists(os.path.join(os.path.dirname(made.package), "pip.py"))


def test_what_is_left_of_an_environment_is_none(made: layout.Layout) -> None:
    os.remove(os.path.join(made.folder, "pyvenv.cfg"))  # its Python is now the one behind it

    assert [line.split()[0] for line in words(environment.install())] == ["Make", "Install"]


@pytest.mark.usefixtures("made")
def test_an_environment_whose_removal_was_killed_is_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as killed, pytest.raises(FileNotFoundError):
        killed.setattr(files, "remove_tree", lambda _folder: os.stat("/gone"))
        do(environment.remove())

    assert [line.split()[0] for line in words(environment.install())] == ["Make", "Install"]
    do(environment.remove())
    assert record.of(layout.PART) == {}


def test_the_former_one_is_not_forgotten_when_making_a_new_one_was_killed(
    made: layout.Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = {**record.of(layout.PART), "source": "older", "version": "3.10"}
    record.note(layout.PART, former)
    make = environment.install()[0]
    with monkeypatch.context() as killed:
        killed.setattr(environment, "_former_in_reserve", contextlib.nullcontext)
        killed.setattr(environment, "_run", lambda _command: os.stat("/gone"))
        with pytest.raises(FileNotFoundError):
            make.do()

    planned = environment.install()
    assert [change.words.split()[0] for change in planned] == ["Make", "Install"]
    do(planned[:1])
    monkeypatch.setattr(checkout, "copy", lambda _target: os.stat("/gone"))
    with pytest.raises(FileNotFoundError):
        do(planned[1:])

    assert record.of(layout.PART) == former
    assert os.path.exists(os.path.join(os.path.dirname(made.package), "pip.py"))


def test_building_leaves_the_checkout_as_it_is(tmp_path: Path) -> None:
    checkout.copy(str(tmp_path / "copy"))

    copied = sorted(os.listdir(tmp_path / "copy"))
    assert copied == sorted([*checkout.ROOMS, *checkout.BESIDE])
    assert not list((tmp_path / "copy").rglob("__pycache__"))


def test_an_installed_copy_can_not_make_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ROOT", str(home))

    with pytest.raises(ChatRecallError, match="copy of the repository"):
        environment.install()


def test_removing_deletes_it(made: layout.Layout) -> None:
    do(environment.remove())

    assert not os.path.exists(made.folder)
    assert environment.remove() == []


@pytest.mark.skipif(not shutil.which("id"), reason="not a Unix")
def test_folders_are_told_to_the_installed_copy(tmp_path: Path, home: Path) -> None:
    """`core.paths` in an installed copy knows its folders without any variable."""
    package = tmp_path / "chatrecall"
    shutil.copytree(os.path.join(paths.ROOT, "core"), package / "core")
    (package / "installed_for.txt").write_text("/srv/claude\n/data/recall\n", "utf-8")
    program = "from core import paths; print(paths.claude_dir(), paths.data_dir())"

    def told(**variables: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=package,
            env={"HOME": str(home), **variables},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert told() == "/srv/claude /data/recall"
    assert told(CLAUDE_CONFIG_DIR="/other") == "/other /other/chatrecall"
    assert told(CLAUDE_CONFIG_DIR="/srv/claude") == "/srv/claude /data/recall"
    assert told(CHATRECALL_HOME="/mine") == "/srv/claude /mine"
