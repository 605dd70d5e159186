"""The history from before ChatRecall was there: what summarizing it costs, before it is spent.

Sessions older than the first round are history. The timer gives them local summaries only; a model
summarizes them when the person says yes (`chatrecall summarize --all`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import times
from core.summaries import batches, prices, summarizers
from core.summaries.reasons import SummaryError
from core.summaries.summarizer import LOCAL

if TYPE_CHECKING:
    import sqlite3

    from core.summaries.summarizer import Summarizer

_KEY = "history_ends_at"

_BATCH_FROM = 20
"""So many sessions are worth the wait for a batch, which takes up to a day."""


@dataclass(frozen=True)
class Estimate:
    """What it takes to have a model summarize all that none has summarized yet."""

    sessions: int
    tokens: int
    """Tokens sent and received."""
    dollars: float
    """Rather too much than too little; already halved where `batched`."""
    written_by: str
    """The summarizer that would do it. `local` costs nothing."""
    batched: bool
    """Whether it goes as a batch: half the price, done within a day."""


def ends_at(db: sqlite3.Connection) -> str:
    """Where history ends: the time of this function's first call on this database."""
    db.execute(
        "INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
        (_KEY, times.now()),
    )
    return str(db.execute("SELECT value FROM state WHERE key = ?", (_KEY,)).fetchone()[0])


def without_model(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """Sessions of persons that no model has summarized or is about to, with their UTF-8 bytes.

    The latest active comes first.
    """
    in_batches = batches.sessions_in(db)
    rows = db.execute(
        "SELECT session_id, sum(length(CAST(e.text AS BLOB)))"
        " FROM sessions AS s JOIN exchanges AS e USING (session_id)"
        " WHERE s.summarized_by IN ('', ?)"
        " GROUP BY session_id HAVING max(e.role = 'user')"
        " ORDER BY s.last_activity_at DESC",
        (LOCAL,),
    )
    return [(session_id, size) for session_id, size in rows if session_id not in in_batches]


def estimate(db: sqlite3.Connection) -> Estimate:
    """What summarizing the history would cost with the summarizer that is set up now."""
    ends_at(db)
    writer = _writer()
    sessions = without_model(db)
    batched = is_for_batch(writer, len(sessions))
    uses = [
        writer.expected(min(size // prices.BYTES_PER_TOKEN, writer.input_budget))
        for _, size in sessions
    ]
    dollars = sum(use.cost_usd for use in uses)
    return Estimate(
        sessions=len(sessions),
        tokens=sum(use.input_tokens + use.output_tokens for use in uses),
        dollars=dollars * prices.BATCH_DISCOUNT if batched else dollars,
        written_by=writer.written_by,
        batched=batched,
    )


def is_for_batch(writer: Summarizer, sessions: int) -> bool:
    """Whether so many sessions go as a batch, which only the API takes."""
    return writer.written_by.startswith("api:") and sessions >= _BATCH_FROM


def _writer() -> Summarizer:
    try:
        return summarizers.choose()
    except SummaryError:
        return summarizers.local_summarizer()
