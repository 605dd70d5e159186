"""Projects that are never captured: the globs in the settings' `excluded_projects`.

`*` and `?` stay within one name, `**` crosses names, `~` is the home folder. What begins with none
of them and no root fits anywhere: `private` is each folder of that name. What lies below a folder
that fits is excluded with it. Windows paths have no case.
"""

from __future__ import annotations

import functools
import re

from core import folders, settings
from core.projects import project_root


def is_excluded(path: str) -> bool:
    """Whether a session in this folder is not to be captured.

    Raises `ChatRecallError` where the settings can't be read.
    """
    globs = all_globs()
    if not globs or not path:
        return False
    path = folders.tidy(path)
    within = {*folders.upwards(path), *folders.upwards(project_root(path))}
    forms = {form for glob in globs for form in _forms(folders.expand(glob))}
    return any(_fits(form, folder) for form in forms for folder in within)


def all_globs() -> tuple[str, ...]:
    """The globs as the person wrote them. Raises `ChatRecallError` as `is_excluded` does."""
    globs = settings.read()["excluded_projects"]
    assert isinstance(globs, list)
    return tuple(str(glob) for glob in globs)


def exclude(glob: str) -> None:
    """Capture nothing any more in projects that fit. What is already remembered stays."""
    if glob not in all_globs():
        settings.write({"excluded_projects": [*all_globs(), glob]})


def include(glob: str) -> bool:
    """Take a glob off the list; False where it isn't on it."""
    rest = [known for known in all_globs() if known != glob]
    if len(rest) == len(all_globs()):
        return False
    settings.write({"excluded_projects": rest})
    return True


def _forms(glob: str) -> tuple[str, ...]:
    """A glob as it was written, and with the links followed that stand before the first wildcard.

    A person excludes `~/Dropbox/taxes`; transcripts have the folder that the link leads to.
    """
    if not glob.startswith("/"):
        return (glob,)
    wildcard = re.search(r"/[^/]*[*?]", glob)
    end = wildcard.start() if wildcard else len(glob)
    return glob, (folders.real(glob[:end] or "/").rstrip("/") + glob[end:]) or "/"


def _fits(glob: str, folder: str) -> bool:
    expression = _expression(glob, folders.is_windows(folder))
    return expression.fullmatch(folder.replace("\\", "/")) is not None


_MEANING = {"*": "[^/]*", "?": "[^/]", "**": ".*", "/**": "/.*", "**/": "(?:.*/)?"}


@functools.lru_cache(maxsize=256)
def _expression(glob: str, without_case: bool) -> re.Pattern[str]:
    glob = glob.replace("\\", "/")
    if not (glob.startswith(("/", "**")) or folders.is_windows(glob)):
        glob = f"**/{glob}"
    parts = re.split(r"(/\*\*(?!/)|\*\*/?|\*|\?)", glob)
    expression = "".join(_MEANING.get(part) or re.escape(part) for part in parts)
    return re.compile(expression, re.DOTALL | (re.IGNORECASE if without_case else 0))
