"""The private environment: ChatRecall and its dependencies, apart from every other Python."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING

from core import VERSION, log, paths
from core.errors import ChatRecallError
from installer import changes, files, layout, record, tray_start
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME = layout.PART
TITLE = "Private environment"
NEEDS_ENVIRONMENT = False

ROOMS = ("core", "hook", "tray", "installer", "assets")
BESIDE = ("__main__.py", "pyproject.toml", "README.md", "LICENSE")
_PIP = {
    "PIP_NO_INPUT": "1",
    "PIP_NO_CACHE_DIR": "1",  # nothing is left behind outside of our folder
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
"""How pip is to behave; as variables, so that the pip which builds the wheel knows, too."""
_MISLEADING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME")
"""Variables that would send pip's files elsewhere."""


def install() -> list[Change]:
    """Make the environment, and install this checkout into it."""
    here = layout.current()
    if not _is_checkout():
        return _nothing_from_here(here)
    made = record.of(NAME)
    if made.get("source") == fingerprint() and _answers(here.python):
        return []
    todo = []
    if not _can_stay(here):
        words = f"Make a private Python environment in {here.folder}"
        todo.append(Change(words, _make, f"{layout.base_interpreter()} -m venv {here.folder}"))
    words = f"Install ChatRecall {VERSION} and its dependencies into it (about a minute)"
    return [*todo, Change(words, _install, f"pip install {paths.ROOT}")]


def remove() -> list[Change]:
    """Delete the environment."""
    todo = changes.remove_folder(paths.environment_dir())
    if record.of(NAME):
        todo.append(changes.note(NAME, None))
    return todo


def state() -> State:
    """Start the environment's interpreter and ask for the version that it holds."""
    here = layout.current()
    if not os.path.lexists(here.folder):
        return State("missing", advice="Run `python installer` in a copy of the repository.")
    advice = "Run `python installer` again; it makes a new one."
    if not os.path.exists(here.python):
        return State("broken", f"{here.python} is gone, or the Python behind it.", advice)
    answer = _run(here.command("--version"))
    if answer.returncode:
        return State("broken", _last_line(answer), advice)
    return State("works", f"{answer.stdout.strip()}, Python {here.version}, {here.folder}")


def _is_checkout() -> bool:
    return os.path.exists(os.path.join(paths.ROOT, "pyproject.toml"))


def _nothing_from_here(here: layout.Layout) -> list[Change]:
    if _answers(here.python):
        return []
    raise ChatRecallError(
        "The private environment can be made from a copy of the repository only",
        "Run `python installer` there.",
    )


def _can_stay(here: layout.Layout) -> bool:
    made = record.of(NAME)
    same = (made.get("base"), made.get("version")) == (
        layout.base_interpreter(),
        layout.running_version(),
    )
    return same and _answers(here.python)


def _make() -> None:
    if layout.is_from_the_store(layout.base_interpreter()):
        raise ChatRecallError(
            "This Python is from the Microsoft Store, which hides its files from other programs",
            "Get one from https://www.python.org/downloads/ and run the installer again with "
            "installer\\install-chatrecall.ps1, which finds it.",
        )
    if importlib.util.find_spec("ensurepip") is None:
        raise ChatRecallError(
            "This Python came without its venv module",
            f"On Debian and Ubuntu: sudo apt install python{layout.running_version()}-venv, "
            "then run the installer again.",
        )
    folder = paths.environment_dir()
    facts = {"base": layout.base_interpreter(), "version": layout.running_version()}
    record.note(NAME, facts)
    if os.path.lexists(folder):
        _end_tray()
        files.remove_tree(folder)
    made = _run([layout.base_interpreter(), "-I", "-m", "venv", folder])
    if made.returncode:
        raise ChatRecallError("The private environment can't be made", _last_line(made))


def _install() -> None:
    here = layout.current()
    with tempfile.TemporaryDirectory(prefix="chatrecall-") as folder:
        source = os.path.join(folder, "chatrecall")
        copy_checkout(source)
        _end_tray()
        pip = _run([here.python, "-I", "-m", "pip", "install", "--upgrade", source])
    if pip.returncode:
        log.write(f"pip: {pip.stdout} {pip.stderr}")
        raise ChatRecallError(
            "The dependencies can't be installed",
            f"pip says: {_error_line(pip)}. All that it said is in {paths.log_file()}. "
            "Check the network or proxy, then run the installer again.",
        )
    where = "\n".join((paths.claude_dir(), paths.data_dir(), ""))
    file = os.path.join(here.package, os.path.basename(paths.INSTALLED_FOR))
    files.replace(file, where.encode("utf-8", "surrogateescape"))
    record.note(NAME, {**record.of(NAME), "chatrecall": VERSION, "source": fingerprint()})


def _end_tray() -> None:
    """End the old tray app: the new one is to run, and Windows keeps its files from changing."""
    with contextlib.suppress(ChatRecallError):  # an environment that is no good runs no tray
        tray_start.end()


def copy_checkout(target: str) -> None:
    """Copy what a wheel is made of: building in the checkout would leave `build/` there, and put
    deleted files of an earlier build into the wheel.
    """  # noqa: D205
    os.makedirs(target)
    for room in ROOMS:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(paths.ROOT, room), os.path.join(target, room), ignore=ignore)
    for name in BESIDE:
        if os.path.exists(os.path.join(paths.ROOT, name)):
            shutil.copy(os.path.join(paths.ROOT, name), target)


def fingerprint() -> str:
    """Tells one state of the checkout, installed for one pair of folders, from another."""
    sum_ = hashlib.sha256(f"{paths.claude_dir()}\n{paths.data_dir()}".encode("utf-8", "replace"))
    for path in _source_files():
        sum_.update(os.path.relpath(path, paths.ROOT).encode("utf-8", "replace"))
        sum_.update(files.read(path) or b"")
    return sum_.hexdigest()


def _source_files() -> Iterator[str]:
    for name in BESIDE:
        yield os.path.join(paths.ROOT, name)
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(paths.ROOT, room)):
            folders[:] = sorted(set(folders) - {"__pycache__"})
            yield from (os.path.join(folder, name) for name in sorted(names))


def _answers(python: str) -> bool:
    if not os.path.exists(python):
        return False
    return _run([python, "-I", "-c", "import pip"]).returncode == 0


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k not in _MISLEADING}
    return subprocess.run(
        command,
        env={**environment, **_PIP, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _error_line(pip: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in pip.stderr.splitlines() if line.lower().startswith("error:")]
    return lines[-1] if lines else _last_line(pip)


def _last_line(finished: subprocess.CompletedProcess[str]) -> str:
    lines = (finished.stderr or finished.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit code {finished.returncode}"
