"""Works off the parts' changes and says what happens."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from core import VERSION, paths
from core.errors import ChatRecallError
from installer import layout
from installer.parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from installer.changes import Change
    from installer.parts import Part


def install(names: Collection[str], *, dry_run: bool = False) -> int:
    """Install the parts of these names; a part that fails leaves the others to go on."""
    _say(f"ChatRecall {VERSION} in {paths.data_dir()}")
    failed = [part for part in _chosen(names) if not _install(part, dry_run=dry_run)]
    if dry_run:
        _say("Nothing was changed: this was a dry run.")
    elif failed:
        titles = ", ".join(part.TITLE.lower() for part in failed)
        _say(f"Not installed: {titles}. The rest works. Run the installer again after mending.")
    return 1 if failed else 0


def remove(names: Collection[str], *, purge: bool = False, dry_run: bool = False) -> int:
    """Remove the parts of these names, settings first and files last."""
    failed = [part for part in reversed(_chosen(names)) if not _remove(part, dry_run=dry_run)]
    return 1 if failed else 0


def _chosen(names: Collection[str]) -> list[Part]:
    return [part for part in PARTS if part.NAME in names]


def _install(part: Part, *, dry_run: bool) -> bool:
    try:
        if part.NEEDS_ENVIRONMENT and not dry_run and not os.path.exists(layout.current().hook):
            raise ChatRecallError("It needs the private environment first")
        _work_off(part, part.install(), dry_run=dry_run)
    except (ChatRecallError, OSError, subprocess.SubprocessError) as error:
        _say(f"{part.TITLE}: failed. {error}")
        return False
    return True


def _remove(part: Part, *, dry_run: bool) -> bool:
    try:
        _work_off(part, part.remove(), dry_run=dry_run)
    except (ChatRecallError, OSError, subprocess.SubprocessError) as error:
        _say(f"{part.TITLE}: failed. {error}")
        return False
    return True


def _work_off(part: Part, todo: Iterable[Change], *, dry_run: bool) -> None:
    todo = list(todo)
    _say(f"{part.TITLE}{':' if todo else ': nothing to do'}")
    for change in todo:
        _say(f"  {change.words}")
        if dry_run:
            _say("".join(f"    | {line}\n" for line in change.detail.splitlines()).rstrip("\n"))
        else:
            change.do()


def _say(text: str) -> None:
    if text:
        print(text, flush=True)
