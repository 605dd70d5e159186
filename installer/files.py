"""Reading, replacing and deleting files in a way that survives an interruption."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PATIENCE_SECONDS = 3.0
"""How long a file that another program holds open is tried again; Windows only refuses."""

_REMOVE_LATER = """
import os, shutil, sys, time
for _ in range(60):
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    if not os.path.exists(sys.argv[1]):
        break
    time.sleep(1)
"""


def read(path: str) -> bytes | None:
    """The content of a file; None where there is none."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def replace(path: str, content: bytes) -> None:
    """Give `path` a new content at once: readers see the old one or the new one, whole.

    A symbolic link stays one; the file behind it changes. Its permissions stay as they are.
    """
    target = os.path.realpath(path)
    fresh = f"{target}.{os.getpid()}.new"
    for old in leftovers(target):
        os.remove(old)
    try:
        with open(fresh, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(target):
            shutil.copymode(target, fresh)
        _patiently(lambda: os.replace(fresh, target))
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(fresh)
        raise


def leftovers(path: str) -> list[str]:
    """What `replace` has left beside the file where it was killed in the middle."""
    folder, name = os.path.split(os.path.realpath(path))
    fresh = re.compile(re.escape(name) + r"\.(\d+)\.new")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = [(other, match) for other in names if (match := fresh.fullmatch(other))]
    return [os.path.join(folder, other) for other, match in found if not _lives(int(match[1]))]


def remove_tree(path: str) -> None:
    """Delete a folder with all that is in it.

    Windows keeps a program's file while it runs, for example the one that has called us: then a
    process of its own deletes the rest within a minute.
    """
    if os.path.islink(path) or not os.path.isdir(path):
        os.remove(path)
        return
    try:
        _patiently(lambda: shutil.rmtree(path))
    except PermissionError:
        if sys.platform != "win32":
            raise
        interpreter = getattr(sys, "_base_executable", sys.executable)
        subprocess.Popen(
            [interpreter, "-I", "-c", _REMOVE_LATER, path],
            cwd=tempfile.gettempdir(),  # a process's own folder can't be deleted
            creationflags=subprocess.CREATE_NO_WINDOW,
        )


def remove_if_empty(folders: Iterable[str]) -> None:
    """Delete those of the folders that are empty, in this order."""
    for folder in folders:
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _lives(process: int) -> bool:
    if sys.platform == "win32":  # where asking ends it
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's, or no process id
        return True
    return True


def _patiently(step: Callable[[], object]) -> None:
    """Windows refuses while another program has the file open; mostly it lets go at once."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            step()
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return
