"""The private environment: ChatRecall and its dependencies, apart from every other Python."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING

from core import VERSION, log, paths
from core.errors import ChatRecallError
from installer import changes, checkout, files, layout, naming, record, tray_start
from installer.changes import Change
from installer.parts import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME = layout.PART
TITLE = "Private environment"
NEEDS_ENVIRONMENT = False

_PIP = {
    "PIP_NO_INPUT": "1",
    "PIP_NO_CACHE_DIR": "1",  # nothing is left behind outside of our folder
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
"""How pip is to behave; as variables, so that the pip which builds the wheel knows, too."""
_MISLEADING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME")
"""Variables that would send pip's files elsewhere."""
_IS_WHOLE = "import pip, sys; sys.exit(sys.prefix == sys.base_prefix)"
"""Without its `pyvenv.cfg` an environment is the Python behind it, into which nothing may go."""
_REMEDIES = {
    "No space left on device": "Free some space on the disk",
    "CERTIFICATE_VERIFY_FAILED": "Give pip the certificate authority of your network "
    "(`pip config set global.cert FILE`)",
    "SSL module is not available": "Use a Python that was built with its ssl module",
    "Failed building wheel": "Use a version of Python for which they come ready-made",
    "No matching distribution": "Check the network or proxy",
}
"""What to do, by what pip prints; the first that fits counts."""


def install() -> list[Change]:
    """Make the environment, and install this copy of the repository into it."""
    here = layout.current()
    if not checkout.is_there():
        return _nothing_from_here(here)
    if record.of(NAME).get("source") == checkout.fingerprint() and _answers(here.python):
        return []
    todo = []
    if not _can_stay(here):
        words = f"Make a private Python environment in {here.folder}"
        todo.append(Change(words, _make, f"{layout.base_interpreter()} -m venv {here.folder}"))
    words = f"Install ChatRecall {VERSION} and its dependencies into it (about a minute)"
    return [*todo, Change(words, _install, f"pip install {paths.ROOT}")]


def remove() -> list[Change]:
    """Delete the environment."""
    todo = [*changes.remove_folder(paths.environment_dir()), *changes.remove_folder(_former())]
    if not record.of(NAME):
        return todo
    # What is left where this is killed in the middle must not pass for an environment.
    return [changes.note(NAME, {"removed": True}), *todo, changes.note(NAME, None)]


def state() -> State:
    """Start the environment's interpreter and ask for the version that it holds."""
    here = layout.current()
    if not os.path.lexists(here.folder):
        return State("missing", advice=f"Run `{naming.INSTALLER}` in a copy of the repository.")
    advice = f"Run `{naming.INSTALLER}` again; it makes a new one."
    if not os.path.exists(here.python):
        return State("broken", f"{here.python} is gone, or the Python behind it.", advice)
    answer = _run(here.command("--version"))
    if answer.returncode:
        return State("broken", _last_line(answer), advice)
    return State("works", f"{answer.stdout.strip()}, Python {here.version}, {here.folder}")


def _nothing_from_here(here: layout.Layout) -> list[Change]:
    if _answers(here.python):
        return []
    raise ChatRecallError(
        "The private environment can be made from a copy of the repository only",
        f"Run `{naming.INSTALLER}` there.",
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
    with _former_in_reserve():
        _put_aside()
        noted = record.of(NAME)
        former = {"former": noted.get("former", noted)}
        record.note(NAME, former)
        made = _run([layout.base_interpreter(), "-I", "-m", "venv", paths.environment_dir()])
        if made.returncode:
            raise ChatRecallError("The private environment can't be made", _last_line(made))
        facts = {"base": layout.base_interpreter(), "version": layout.running_version()}
        record.note(NAME, {**facts, **former})


def _install() -> None:
    _end_tray()
    with _former_in_reserve(), tempfile.TemporaryDirectory(prefix="chatrecall-") as folder:
        source = os.path.join(folder, "chatrecall")
        checkout.copy(source)
        _install_from(source)
    here = layout.current()
    facts = {"base": here.base, "version": here.version, "chatrecall": VERSION}
    record.note(NAME, {**facts, "source": checkout.fingerprint()})
    for change in changes.remove_folder(_former()):
        change.do()


def _install_from(source: str) -> None:
    here = layout.current()
    pip = _run([here.python, "-I", "-m", "pip", "install", "--upgrade", source])
    if pip.returncode:
        log.write(f"pip: {pip.stdout} {pip.stderr}")
        raise ChatRecallError(
            "The dependencies can't be installed",
            f"pip says: {_error_line(pip)}. All that it said is in {paths.log_file()}. "
            f"{_remedy(pip)}, then run the installer again.",
        )
    where = "\n".join((paths.claude_dir(), paths.data_dir(), ""))
    file = os.path.join(here.package, os.path.basename(paths.INSTALLED_FOR))
    files.replace(file, where.encode("utf-8", "surrogateescape"))


def _former() -> str:
    """Where the environment that was there stays until the new one works."""
    return paths.environment_dir() + ".former"


def _put_aside() -> None:
    folder = paths.environment_dir()
    if not os.path.lexists(folder):
        return
    _end_tray()
    if os.path.lexists(_former()):  # so this one was never finished
        files.remove_tree(folder)
    else:
        os.replace(folder, _former())


@contextlib.contextmanager
def _former_in_reserve() -> Iterator[None]:
    """Bring the former environment back where the new one fails, offline for example."""
    try:
        yield
    except BaseException:
        if os.path.lexists(_former()):
            for change in changes.remove_folder(paths.environment_dir()):
                change.do()
            os.replace(_former(), paths.environment_dir())
            record.note(NAME, record.of(NAME).get("former"))
        raise


def _end_tray() -> None:
    """End the old tray app: the new one is to run, and Windows keeps its files from changing."""
    with contextlib.suppress(ChatRecallError):  # an environment that is no good runs no tray
        tray_start.end()


def _answers(python: str) -> bool:
    if not os.path.exists(python):
        return False
    return _run([python, "-I", "-c", _IS_WHOLE]).returncode == 0


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
    """What pip gives as the reason; that of a pip within pip, for the build, is indented."""
    lines = [line.strip() for line in pip.stderr.splitlines()]
    told = [line for line in lines if line.startswith("ERROR:")]
    return told[-1] if told else _last_line(pip)


def _remedy(pip: subprocess.CompletedProcess[str]) -> str:
    said = pip.stdout + pip.stderr
    return next((remedy for sign, remedy in _REMEDIES.items() if sign in said), "Mend that")


def _last_line(finished: subprocess.CompletedProcess[str]) -> str:
    lines = (finished.stderr or finished.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit code {finished.returncode}"
