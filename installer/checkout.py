"""The copy of the repository that this code runs from: what of it is installed."""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import TYPE_CHECKING

from core import paths
from installer import files

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS = ("core", "hook", "tray", "installer", "assets")
BESIDE = ("__main__.py", "pyproject.toml", "README.md", "LICENSE")


def is_there() -> bool:
    """Whether this is a copy of the repository, and not an installed ChatRecall."""
    return os.path.exists(os.path.join(paths.ROOT, "pyproject.toml"))


def copy(target: str) -> None:
    """Copy what a wheel is made of to the new folder `target`.

    Building where we are would leave `build/` behind, and put files into the wheel that an earlier
    build has left there.
    """
    os.makedirs(target)
    for room in ROOMS:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(paths.ROOT, room), os.path.join(target, room), ignore=ignore)
    for name in BESIDE:
        if os.path.exists(os.path.join(paths.ROOT, name)):
            shutil.copy(os.path.join(paths.ROOT, name), target)


def fingerprint() -> str:
    """Tells one state of the copy, installed for one pair of folders, from another."""
    folders = f"{paths.claude_dir()}\n{paths.data_dir()}"
    total = hashlib.sha256(folders.encode("utf-8", "surrogateescape"))
    for path in _files():
        total.update(os.path.relpath(path, paths.ROOT).encode("utf-8", "surrogateescape"))
        total.update(files.read(path) or b"")
    return total.hexdigest()


def _files() -> Iterator[str]:
    for name in BESIDE:
        yield os.path.join(paths.ROOT, name)
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(paths.ROOT, room)):
            folders[:] = sorted(set(folders) - {"__pycache__"})
            yield from (os.path.join(folder, name) for name in sorted(names))
