"""What the installer does, as data: each part lists the changes that are still missing.

A dry run prints the list, installing works it off, and an empty list means that the part is in
place. So running twice, repairing and asking for the state need no code of their own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from installer import files, record

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Change:
    """One thing that the installer would do."""

    words: str
    """What it does, for a person: an imperative without a full stop. Empty for book-keeping."""
    do: Callable[[], object]
    detail: str = ""
    """The exact content or command, shown in a dry run."""


def note(part: str, facts: dict[str, Any] | None) -> Change:
    """The change that notes what `part` has made; None deletes the note."""
    return Change("", partial(record.note, part, facts))


def write_file(path: str, content: bytes) -> list[Change]:
    """The change that gives `path` this content; none where it has it already."""
    if files.read(path) == content:
        return []
    shown = "" if b"\0" in content else content.decode("utf-8", "replace")
    return [Change(f"Write {path}", partial(_write, path, content), shown)]


def remove_file(path: str) -> list[Change]:
    """The changes that delete `path` and its leftovers; none where it is gone."""
    there = [_delete(path)] if os.path.lexists(path) else []
    return [*there, *remove_leftovers(path)]


def remove_leftovers(path: str) -> list[Change]:
    """The changes that delete what writing `path` has left beside it where it was killed."""
    return [_delete(file) for file in files.leftovers(path)]


def remove_folder(path: str) -> list[Change]:
    """The change that deletes a folder with all that is in it; none where it is gone."""
    if not os.path.lexists(path):
        return []
    return [Change(f"Delete the folder {path}", partial(files.remove_tree, path))]


def _delete(file: str) -> Change:
    return Change(f"Delete {file}", partial(os.remove, file))


def _write(path: str, content: bytes) -> None:
    record.make_folders(os.path.dirname(path))
    files.replace(path, content)
