from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from core import database, paths
from core.capture.sweep import sweep
from core.rescue import backup
from core.search import index
from tests.core.rescue.damage import (
    SESSIONS,
    is_old,
    name,
)
from tests.support.transcript import Transcript


@pytest.fixture
def file(claude_dir: Path) -> Path:
    """A database of 20 sessions, every second without transcript, and closed."""
    rng = random.Random(7)
    transcripts = []
    for number in range(SESSIONS):
        transcript = Transcript(claude_dir / "projects" / "-srv-shop", name(number), "/srv/shop")
        for turn in range(10):
            words = " ".join(f"word{rng.randrange(10**6)}" for _ in range(60))
            transcript.user(f"{number}/{turn} {words}")
            transcript.assistant(f"answer {number}/{turn} {words}")
        transcripts.append(transcript)
    with closing(database.connect()) as db:
        sweep(db)
        db.execute(
            "UPDATE sessions SET summary = 'A summary of ' || session_id, summarized_by = 'local',"
            " summarized_at = '2026-11-20T10:00:00.000Z', revision = revision + 1"
        )
        db.execute(
            "INSERT INTO calls (at, session_id, backend, model, cost_usd, outcome)"
            " VALUES ('2026-11-20T10:00:00.000Z', ?, 'api', 'm', 0.25, 'ok')",
            (name(0),),
        )
        index.bring_up_to_date(db)
    for number, transcript in enumerate(transcripts):
        if is_old(number):
            transcript.path.unlink()
    return Path(paths.database_file())


@pytest.fixture
def backed_up(file: Path) -> Path:
    with closing(database.connect()) as db:
        assert backup.back_up(db)
    return file
