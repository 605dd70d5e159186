"""The installation's own record: what each part has put where.

Uninstalling reads it, so that exactly those things go. A part notes a thing before it makes it: an
interrupted run leaves a note too many, never a thing without a note.
"""

from __future__ import annotations

import json
import os
from typing import Any

from core import paths
from core.errors import ChatRecallError
from installer import files

_FOLDERS = "folders"


def of(part: str) -> dict[str, Any]:
    """What `part` has noted; empty where it is not installed."""
    facts = _read().get(part, {})
    return facts if isinstance(facts, dict) else {}


def note(part: str, facts: dict[str, Any] | None) -> None:
    """Note what `part` has made; None deletes the note, and with the last note the file."""
    record = _read()
    if facts is None:
        record.pop(part, None)
    else:
        record[part] = facts
    file = paths.installation_file()
    if record:
        if missing := _missing(os.path.dirname(file)):
            record[_FOLDERS] = {"made": [*record.get(_FOLDERS, {}).get("made", []), *missing]}
            paths.make_private(os.path.dirname(file))
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        files.replace(file, text.encode("utf-8", "surrogateescape"))
    else:
        there = [file] if os.path.exists(file) else []
        for path in (*there, *files.leftovers(file)):
            os.remove(path)


def make_folders(path: str) -> None:
    """Make a folder and those above it, and note which ones were not there before."""
    if missing := _missing(path):
        note(_FOLDERS, {"made": [*made_folders(), *missing]})
        os.makedirs(path, exist_ok=True)


def made_folders() -> list[str]:
    """The folders that were made, inner ones before those around them."""
    return sorted(of(_FOLDERS).get("made", []), key=len, reverse=True)


def remove_empty_folders() -> None:
    """Delete those of the made folders that are empty now, and forget about all of them."""
    folders = made_folders()
    note(_FOLDERS, None)
    files.remove_if_empty(folders)


def _missing(folder: str) -> list[str]:
    """The folder and those above it, as far as they are not there."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def _read() -> dict[str, Any]:
    file = paths.installation_file()
    content = files.read(file)
    if content is None:
        return {}
    try:
        record = json.loads(content.decode("utf-8", "surrogateescape"))
    except ValueError as error:
        raise ChatRecallError(
            "The record of the installation is damaged",
            f"Move {file} away and run the installer again; it finds what is there.",
        ) from error
    return record if isinstance(record, dict) else {}
