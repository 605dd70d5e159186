"""Reading, replacing and deleting files in a way that survives an interruption."""

from __future__ import annotations

import contextlib
import os
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
