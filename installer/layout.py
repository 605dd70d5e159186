"""Where the private environment's files are, and the command lines that other programs are told."""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
from dataclasses import dataclass

from core import paths
from installer import record

PART = "environment"


@dataclass(frozen=True)
class Layout:
    """The private environment in `folder`, made by the interpreter `base` of `version` (`3.12`)."""

    folder: str
    base: str
    version: str
    windows: bool

    @property
    def python(self) -> str:
        """The environment's own interpreter, which sees the dependencies."""
        if self.windows:
            return ntpath.join(self.folder, "Scripts", "python.exe")
        return posixpath.join(self.folder, "bin", "python")

    @property
    def package(self) -> str:
        """The folder that holds the installed rooms."""
        if self.windows:
            return ntpath.join(self.folder, "Lib", "site-packages", "chatrecall")
        library = posixpath.join(self.folder, "lib", f"python{self.version}")
        return posixpath.join(library, "site-packages", "chatrecall")

    @property
    def hook(self) -> str:
        """The script that Claude Code starts."""
        return self._inside("hook", "append_exchange.py")

    @property
    def windowless(self) -> str:
        """An interpreter that opens no console window: `pythonw.exe` beside the base interpreter.

        Not the environment's own: it is a launcher that starts a second process, with uv and with
        Python 3.13.0 in a console window (astral-sh/uv#19226, python/cpython#126084).
        """
        beside = ntpath.join(ntpath.dirname(self.base), "pythonw.exe")
        return beside if self.windows and os.path.exists(beside) else self.base

    def command(self, *words: str) -> list[str]:
        """The command line of `chatrecall WORDS…` with a console's streams."""
        return [self.python, "-I", "-m", "chatrecall", *words]

    def quiet_command(self, *words: str) -> list[str]:
        """The same for the desktop and the scheduler: no console window, on Windows either."""
        if not self.windows:
            return self.command(*words)
        return [self.windowless, "-I", self._inside("installer", "windowless.py"), *words]

    def _inside(self, *parts: str) -> str:
        join = ntpath.join if self.windows else posixpath.join
        return join(self.package, *parts)


def current() -> Layout:
    """The environment as it was made, or as this interpreter would make it."""
    made = record.of(PART)
    base = made.get("base", "")
    return Layout(
        folder=paths.environment_dir(),
        base=base if os.path.exists(base) else base_interpreter(),
        version=made.get("version") or running_version(),
        windows=sys.platform == "win32",
    )


def base_interpreter() -> str:
    """The interpreter behind the running one, be that in a virtual environment.

    Links are not followed: `/usr/bin/python3` and Homebrew's `opt/python@3.12` outlive an update,
    the versioned folder behind them doesn't.
    """
    base: str | None = getattr(sys, "_base_executable", None)
    return os.path.abspath(base or sys.executable)


def is_from_the_store(interpreter: str) -> bool:
    """Whether this is the Microsoft Store's Python or one of its aliases."""
    return "\\windowsapps\\" in interpreter.lower()


def running_version() -> str:
    """The running Python's version as folders are named: `3.12`."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"
