"""The history that Claude Code has kept so far: read in and summarized, then shown."""

from __future__ import annotations

import glob
import os
import subprocess
from functools import partial

from core import paths, times
from core.display import lines
from core.errors import ChatRecallError
from installer import changes, layout, record
from installer.changes import Change
from installer.parts import State

NAME = "history"
TITLE = "History"
NEEDS_ENVIRONMENT = True


def install() -> list[Change]:
    """Read and summarize what is there. Whatever comes later, hook and timer bring."""
    if record.of(NAME) or not _has_transcripts():
        return []
    return [
        Change("Read in the sessions that Claude Code has kept", partial(_run, "sweep")),
        Change("Summarize them here, without network or cost", partial(_run, "summarize")),
        Change("Make them searchable", partial(_run, "reindex")),
        Change("Look what summaries by a model would cost", partial(_run, "summarize", "--all")),
        Change("Open the page with all of them", _show),
    ]


def remove() -> list[Change]:
    """Nothing but the note: what was read stays in the database."""
    if not record.of(NAME):
        return []
    return [changes.note(NAME, None)]


def state() -> State:
    """Whether it was read."""
    if not (noted := record.of(NAME)):
        if not _has_transcripts():
            return State("works", "there was none")
        return State("missing", advice="`chatrecall install --only history` reads it.")
    moment = times.parse(noted["at"])
    return State("works", f"read {moment:%Y-%m-%d %H:%M}" if moment else "read")


def _has_transcripts() -> bool:
    pattern = os.path.join(glob.escape(paths.projects_dir()), "*", "*.jsonl")
    return next(glob.iglob(pattern), None) is not None


def _show() -> None:
    record.note(NAME, {"at": times.now()})
    _run("library")


def _run(*words: str) -> None:
    """Run a command of ours in the environment, its progress and answer in our terminal."""
    try:
        done = subprocess.run(
            layout.current().command(*words),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except KeyboardInterrupt:
        done = None
    for line in done.stdout.splitlines() if done else ():
        print(lines.fitted(line, "    "), flush=True)
    if not done or done.returncode:
        raise ChatRecallError(
            "Not all of the history is read and summarized",
            "Nothing is lost: the hourly task goes on with it, and so does the next install.",
        )
