"""Killed at any moment, many at once: after the last sweep the rows equal one clean read.

`CHATRECALL_TEST_KILLS` sets how many processes are killed; CI takes a few hundred, a release some
thousands.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from core import database, paths
from core.capture.sweep import sweep
from tests.benchmarks.history import Conversation

ROOT = Path(__file__).parents[2]
HOOK = [sys.executable, "-I", "-S", str(ROOT / "hook" / "append_exchange.py")]
SWEEP = [sys.executable, "-I", str(ROOT), "sweep"]
KILLS = int(os.environ.get("CHATRECALL_TEST_KILLS", "300"))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")


class Writer(threading.Thread):
    """Appends exchanges to a transcript in torn pieces, as a busy client does."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(daemon=True)
        folder.mkdir(parents=True, exist_ok=True)
        self._conversation = Conversation(seed)
        self._random = random.Random(seed)
        self.path = folder / f"{self._conversation.session_id}.jsonl"
        self.path.touch()
        self.stopping = threading.Event()

    @property
    def said(self) -> list[str]:
        return self._conversation.said

    def run(self) -> None:
        while not self.stopping.is_set():
            data = b"".join(self._conversation.exchange())
            cut = self._random.randrange(len(data))
            for piece in (data[:cut], data[cut:]):
                with self.path.open("ab") as file:
                    file.write(piece)
                time.sleep(self._random.random() * 0.02)


@pytest.fixture
def projects(claude_dir: Path) -> Path:
    return claude_dir / "projects" / "-home-dev-shop"


def payload(path: Path, answer: str = "") -> bytes:
    fields = {"session_id": path.stem, "transcript_path": str(path), "cwd": "/home/dev/shop"}
    if answer:
        fields["last_assistant_message"] = answer
    return json.dumps({**fields, "hook_event_name": "Stop"}).encode()


def started(command: list[str], stdin: bytes = b"") -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdin
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None  # so that communicate() leaves it alone
    return process


def trouble() -> list[str]:
    """What the hook has logged, but for the one thing that may happen here."""
    log = Path(paths.log_file())
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [line for line in lines if "database is locked" not in line]


def captured(database_file: Path | None = None) -> list[tuple[object, ...]]:
    with closing(database.connect(str(database_file) if database_file else None)) as db:
        sweep(db)
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return db.execute(
            "SELECT session_id, seq, role, text FROM exchanges ORDER BY session_id, seq"
        ).fetchall()


def test_hooks_and_sweeps_killed_at_random_moments_lose_and_double_nothing(
    projects: Path, tmp_path: Path
) -> None:
    dice = random.Random(1)
    writer = Writer(projects, seed=1)
    writer.start()
    killed = 0
    for number in range(KILLS):
        command, longest = (SWEEP, 0.25) if number % 10 == 0 else (HOOK, 0.03)
        answer = writer.said[-1] if number % 3 == 0 and writer.said else ""
        process = started(command, payload(writer.path, answer))
        time.sleep(dice.random() * longest)
        process.kill()
        killed += process.wait() == -9
    writer.stopping.set()
    writer.join()

    assert killed > KILLS // 4
    assert trouble() == []
    found = captured()
    assert [text for *_, text in found] == writer.said
    assert found == captured(tmp_path / "clean" / "chatrecall.db")


def test_twenty_hooks_beside_sweeps_and_searches_lose_nothing(
    projects: Path, tmp_path: Path
) -> None:
    writers = [Writer(projects, seed) for seed in range(20)]
    for writer in writers:
        writer.start()
    for _ in range(3):
        running = [started(HOOK, payload(writer.path)) for writer in writers]
        running += [started(SWEEP), started([*SWEEP[:-1], "search", "--no-open", "cache index"])]
        running.append(started([*SWEEP[:-1], "summarize", "--all"]))
        for process in running:
            output, _ = process.communicate(timeout=60)
            assert process.returncode == 0, output.decode()
    for writer in writers:
        writer.stopping.set()
        writer.join()

    found = captured()
    for writer in writers:
        said = [text for session, *_, text in found if session == writer.path.stem]
        assert said == writer.said
    assert found == captured(tmp_path / "clean" / "chatrecall.db")


def test_a_hook_gives_up_on_a_locked_database_and_the_sweep_brings_it(projects: Path) -> None:
    path = Conversation(3).write(projects, 20_000)
    with closing(database.connect()) as holder:
        holder.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        process = started(HOOK, payload(path))
        output, _ = process.communicate(timeout=60)
        waited = time.monotonic() - begun
        holder.execute("ROLLBACK")
    assert (process.returncode, output) == (0, b"")
    assert waited > 1
    assert captured()
