"""Folders as transcripts name them: paths of any system, in one spelling.

A transcript may come from another system than this one (a synchronized home, WSL), so the form of
a path decides how it is read.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def is_windows(path: str) -> bool:
    r"""Whether a path begins with a drive (`C:\`, `c:/`) or a server (`\\server\share`)."""
    return path.startswith("\\\\") or (path[:1].isalpha() and path[1:3] in {":", ":\\", ":/"})


def is_foreign(path: str) -> bool:
    """Whether a path is another system's, so that nothing can be looked up there."""
    return is_windows(path) != (os.name == "nt")


def tidy(path: str) -> str:
    """One spelling: slashes of its system, none doubled or last, the drive in upper case."""
    if not path:
        return ""
    path = str(_rules(path).normpath(path))
    return path[0].upper() + path[1:] if is_windows(path) else path


def expand(path: str) -> str:
    """A tidy path from the settings or the command line, where `~` is the home folder."""
    return tidy(os.path.expanduser(path))


def absolute(path: str) -> str:
    """`expand`, and a relative path from the command line is meant in the present folder."""
    path = expand(path)
    has_root = is_windows(path) or path.startswith("/")
    return path if has_root else tidy(os.path.abspath(path))


def real(path: str) -> str:
    """A path without symbolic links, as transcripts have it: a program is told its folder so.

    Windows tells it as it was entered, so nothing is changed there.
    """
    return path if os.name == "nt" or is_foreign(path) else os.path.realpath(path)


def home() -> str:
    """The person's home folder, as transcripts have it."""
    return real(expand("~"))


def key(path: str) -> str:
    """A text that is equal for all spellings of one folder; Windows paths have no case."""
    path = tidy(path)
    return path.casefold() if is_windows(path) else path


def upwards(path: str) -> Iterator[str]:
    """A tidy path, its parent, and so on up to the root of its system or drive."""
    while path:
        yield path
        parent = above(path)
        if parent == path:
            break
        path = parent


def above(path: str) -> str:
    """A tidy path's parent; a root is its own."""
    return str(_rules(path).dirname(path))


def last(path: str) -> str:
    """The name of a tidy path's last folder; empty for a root."""
    return str(_rules(path).basename(path))


def resolve(folder: str, path: str) -> str:
    """`path` as it is meant in `folder`, tidy."""
    return tidy(_rules(folder).join(folder, path)) if not is_windows(path) else tidy(path)


def _rules(path: str) -> ModuleType:
    """The path module of the path's system; the other system's is loaded only if it is needed."""
    if not is_foreign(path):
        return os.path
    if os.name == "nt":
        import posixpath  # noqa: PLC0415

        return posixpath
    import ntpath  # noqa: PLC0415

    return ntpath
