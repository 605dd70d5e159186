"""The files of pages: written for their owner alone, a few kept, all removed when asked."""

from __future__ import annotations

import contextlib
import os

from core import paths

PAGES_KEPT = 20


def write_page(name: str, html: str) -> str:
    """Write a page at once or not at all, drop the oldest of many, and return the path."""
    folder = paths.pages_dir()
    paths.make_private(folder)
    path = os.path.join(folder, name)
    unfinished = f"{path}.part"
    try:
        with open(unfinished, "xb", opener=_private) as stream:
            stream.write(html.encode("utf-8", "replace"))
        os.replace(unfinished, path)
    except BaseException:
        os.remove(unfinished)
        raise
    _remove_all_but(PAGES_KEPT, folder)
    return path


def remove_pages() -> None:
    """Delete every page that was written, since they hold what may have been forgotten."""
    for folder in (paths.pages_dir(), *snap_folders()):
        _remove_all_but(0, folder)


def copy_for_snap(path: str, snap: str) -> str:
    """Copy a page to where a browser that is a snap may read it, and return the copy's path.

    Snaps see nothing of the home's hidden folders (the snap `home` interface), so not `~/.claude`.
    """
    folder = _snap_folder(snap)
    paths.make_private(folder)
    copy = os.path.join(folder, os.path.basename(path))
    with open(path, "rb") as page, open(copy, "wb", opener=_private) as stream:
        stream.write(page.read())
    _remove_all_but(PAGES_KEPT, folder)
    return copy


def snap_folders() -> list[str]:
    """The folders of copies that there are."""
    snaps = os.path.join(os.path.expanduser("~"), "snap")
    try:
        return [_snap_folder(snap) for snap in os.listdir(snaps)]
    except OSError:
        return []


def _snap_folder(snap: str) -> str:
    return os.path.join(os.path.expanduser("~"), "snap", snap, "common", "chatrecall")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remove_all_but(kept: int, folder: str) -> None:
    """Delete all but the newest pages of a folder, if there is one."""
    try:
        pages = [entry for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return
    pages.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    for page in pages[kept:]:
        with contextlib.suppress(OSError):  # open in another program: the next page tries again
            os.remove(page.path)
