"""Which project a folder belongs to: all folders and worktrees of one repository are one project.

Git is not asked but its files are read, since the hook can't wait for a process.
"""

from __future__ import annotations

import functools
import os

from core import folders, settings

# Claude Code's own worktrees come and go; where they lie says whose they were.
_WORKTREES = "/.claude/worktrees/"

_LONGEST_POINTER = 4096
"""Characters of a `.git` or `commondir` file, which hold one path."""


def project_root(path: str) -> str:
    """The main folder of the project that `path` is in; `path` itself outside of repositories.

    Submodules belong to the repository around them. The folder needs not exist any more.
    """
    return _root(folders.tidy(path), folders.home())


def project_name(path: str) -> str:
    """What to call the project that `path` is in; empty for an empty path.

    That is its given name, else the root's own. Raises `ChatRecallError` as `given_name` does.
    """
    if not path:
        return ""
    given = given_name(path)
    if given:
        return given
    root = project_root(path)
    if root == folders.home():
        return "home"
    return folders.last(root).removesuffix(".git") or root


def given_name(path: str) -> str:
    """The name from the settings' `project_names`, the nearest folder first; empty for none.

    Raises `ChatRecallError` where the settings can't be read.
    """
    given = settings.read()["project_names"]
    assert isinstance(given, dict)
    if not given:
        return ""
    names = {}
    for written, name in given.items():
        folder = folders.expand(written)
        names.update({folders.key(form): str(name) for form in (folder, folders.real(folder))})
    around = (*folders.upwards(folders.tidy(path)), project_root(path))
    return next((names[key] for key in map(folders.key, around) if key in names), "")


@functools.lru_cache(maxsize=4096)
def _root(path: str, home: str) -> str:
    """The project's root. The search ends below `home`, which may hold a repository of dotfiles."""
    before, is_worktree, _ = path.replace("\\", "/").partition(_WORKTREES)
    if is_worktree:
        path = path[: len(before)]
    if folders.is_foreign(path):
        return path
    for folder in folders.upwards(path):
        if folder == home or not folders.last(folder):
            break
        root = _repository(folder)
        if root:
            return root
    return path


def _repository(folder: str) -> str:
    """The root of the repository that begins in `folder`, or nothing.

    In worktrees and submodules `.git` is a file that names the repository's own folder; that of a
    worktree has a file `commondir` that leads to what all worktrees share (gitrepository-layout).
    """
    marker = os.path.join(folder, ".git")
    if os.path.isdir(marker):
        return folder
    word, _, pointer = _read(marker).partition(":")
    if word != "gitdir":
        return ""
    own = folders.resolve(folder, pointer.strip())
    shared = _read(os.path.join(own, "commondir")).strip()
    common = folders.resolve(own, shared) if shared else own
    for place in folders.upwards(common):
        if folders.last(place) == ".git":
            return folders.above(place)
    if not shared:  # `git init --separate-git-dir`
        return folder
    # A bare repository, by custom `name.git` or a hidden folder beside its worktrees.
    return folders.above(common) if folders.last(common).startswith(".") else common


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return stream.read(_LONGEST_POINTER)
    except (OSError, ValueError):  # no such file, or no name that a file can have
        return ""
