"""Ways in which a database file is truly damaged, and what was in it before."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

PAGE = 4096

SESSIONS = 20

Damage = Callable[[Path], None]


def name(number: int) -> str:
    return f"{number:08x}-2222-4333-8444-555555555555"


def is_old(number: int) -> bool:
    """Whether a session's transcript is gone, as after 30 days."""
    return number % 2 == 0


def content(db: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """All that matters to a person, in a form that can be compared."""
    said = "SELECT session_id, seq, role, kind, text, at FROM exchanges ORDER BY 1, 2"
    known = "SELECT session_id, project_path, project_name, summary FROM sessions ORDER BY 1"
    return {"said": db.execute(said).fetchall(), "known": db.execute(known).fetchall()}


def overwrite(at: int, length: int = 512) -> Damage:
    def damage(file: Path) -> None:
        with file.open("r+b") as stream:
            stream.seek(at)
            stream.write(random.Random(at).randbytes(length))

    return damage


def overwrite_every(step: int, length: int) -> Damage:
    def damage(file: Path) -> None:
        for at in range(step, file.stat().st_size, step):
            overwrite(at, length)(file)

    return damage


def cut_to(share: float) -> Damage:
    def damage(file: Path) -> None:
        os.truncate(file, int(file.stat().st_size * share))

    return damage


def garbage(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(file.stat().st_size))


def text_file(file: Path) -> None:
    file.write_text("This is no database.\n" * 500, encoding="utf-8")


def no_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("DROP TABLE exchanges")
        db.commit()


def bytes_in_texts(file: Path) -> None:
    """Bytes that no page structure notices: they are within the texts."""
    data = bytearray(file.read_bytes())
    at = data.find(b"answer 7/3 ")
    data[at + 20 : at + 40] = b"\xff" * 20
    file.write_bytes(data)


DAMAGES: dict[str, Damage] = {
    "header": overwrite(0, 100),
    "magic": overwrite(0, 16),
    "first page": overwrite(0, PAGE),
    "schema": overwrite(100, PAGE - 100),
    "third page": overwrite(2 * PAGE, PAGE),
    "every tenth page": overwrite_every(10 * PAGE, PAGE),
    "a few bytes in every fifth page": overwrite_every(5 * PAGE + 300, 64),
    "every page": overwrite_every(PAGE, 2048),
    "cut in half": cut_to(0.5),
    "cut within a page": cut_to(0.333),
    "cut to a page": lambda file: os.truncate(file, PAGE),
    "cut to ten bytes": lambda file: os.truncate(file, 10),
    "garbage": garbage,
    "another file": text_file,
    "a table is gone": no_tables,
    "bytes in texts": bytes_in_texts,
}
each_damage = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
