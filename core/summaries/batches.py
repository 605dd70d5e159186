"""Batches: many summaries at half the price, within a day. Only when a person said yes.

A batch that was handed in is kept in the database until its results are stored, so it survives
restarts. Each of its calls stands in the ledger from the start, at its expected price.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from core import database, log, times
from core.summaries import ledger, prices
from core.summaries.ledger import NO_USAGE, Usage
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizers import api_errors
from core.summaries.summarizers.api import ApiSummarizer
from core.summaries.write_summary import fail, finish, has_paid_summary, plan

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from anthropic.types.messages import MessageBatchIndividualResponse
    from anthropic.types.messages.batch_create_params import Request

    from core.summaries.write_summary import Done, Task

MOST_REQUESTS = 1_000
"""In one batch. The API takes 100,000 or 256 MB; one of our requests is at most 50 kB."""

_PREFIX = "batch:"
_RESULTS_KEPT = timedelta(days=29)
"""By the API: https://platform.claude.com/docs/en/build-with-claude/batch-processing."""


@dataclass(frozen=True)
class _Request:
    """One request of a batch: whose summary, how far it reaches, and its call in the ledger."""

    session_id: str
    to_seq: int
    call: int


@dataclass(frozen=True)
class _Batch:
    """A batch that was handed in, and which request is which session's."""

    batch_id: str
    at: str
    model: str
    requests: dict[str, _Request]


def hand_in(db: sqlite3.Connection, session_ids: Sequence[str], writer: ApiSummarizer) -> int:
    """Hand in sessions, in one batch or several; returns how many there are in them.

    Sessions without content are left out. Raises `SummaryError` where the API takes no batch.
    """
    count = 0
    for start in range(0, len(session_ids), MOST_REQUESTS):
        some = session_ids[start : start + MOST_REQUESTS]
        planned = (plan(db, session_id, writer) for session_id in some)
        tasks = [task for task in planned if task and task.writer is writer]
        if tasks:
            _hand_in(db, tasks, writer)
            count += len(tasks)
    return count


def sessions_in(db: sqlite3.Connection) -> frozenset[str]:
    """The sessions that wait for a batch's results."""
    batches = _open_batches(db)
    return frozenset(r.session_id for batch in batches for r in batch.requests.values())


def collect(db: sqlite3.Connection, writer: ApiSummarizer) -> list[Done]:
    """Store the results of batches that have ended. Where the API can't be asked, it waits."""
    done: list[Done] = []
    for batch in _open_batches(db):
        try:
            done += _collect(db, batch, replace(writer, model=batch.model))
        except SummaryError as failed:
            log.write(f"batch {batch.batch_id}: {failed}")
            if failed.reason is Reason.UNKNOWN_MODEL or _is_over(batch):  # 404: not this key's
                _forget(db, batch)
    return done


def _hand_in(db: sqlite3.Connection, tasks: Sequence[Task], writer: ApiSummarizer) -> None:
    client = writer.client
    with database.transaction(db):
        requests = {f"s{number}": _enter(db, task) for number, task in enumerate(tasks)}
    asked: list[Request] = [
        {"custom_id": name, "params": writer.request(task.conversation)}
        for name, task in zip(requests, tasks, strict=True)
    ]
    try:
        batch = client.messages.batches.create(requests=asked)
    except Exception as error:
        failed = api_errors.failure(error)
        with database.transaction(db):
            for request in requests.values():
                ledger.settle(db, request.call, failed.reason, failed.usage)
        raise failed from error
    value = {
        "at": times.now(),
        "model": writer.model,
        "requests": {name: vars(request) for name, request in requests.items()},
    }
    db.execute("INSERT INTO state VALUES (?, ?)", (f"{_PREFIX}{batch.id}", json.dumps(value)))


def _enter(db: sqlite3.Connection, task: Task) -> _Request:
    """A request with its call in the ledger, at half the expected price."""
    expected = task.expected()
    cost = expected.cost_usd * prices.BATCH_DISCOUNT
    usage = Usage(expected.input_tokens, expected.output_tokens, cost)
    call = ledger.begin(db, task.session_id, task.writer.written_by, usage, outcome=ledger.IN_BATCH)
    return _Request(task.session_id, task.to_seq, call)


def _open_batches(db: sqlite3.Connection) -> list[_Batch]:
    rows = db.execute(
        "SELECT key, value FROM state WHERE key GLOB ? ORDER BY key", (f"{_PREFIX}*",)
    ).fetchall()
    return [_batch(key.removeprefix(_PREFIX), json.loads(value)) for key, value in rows]


def _batch(batch_id: str, value: dict[str, Any]) -> _Batch:
    requests = {name: _Request(**request) for name, request in value["requests"].items()}
    return _Batch(batch_id, value["at"], value["model"], requests)


def _collect(db: sqlite3.Connection, batch: _Batch, writer: ApiSummarizer) -> list[Done]:
    batches = writer.client.messages.batches
    try:
        if batches.retrieve(batch.batch_id).processing_status != "ended":
            return []
        answers = list(batches.results(batch.batch_id))
    except Exception as error:
        raise api_errors.failure(error) from error
    done = []
    for answer in answers:
        request = batch.requests.get(answer.custom_id)
        # One that is settled was stored by a process that died before it was through.
        if request and ledger.outcome(db, request.call) == ledger.IN_BATCH:
            done += _take(db, request, answer, writer)
    _forget(db, batch)
    return done


def _take(
    db: sqlite3.Connection,
    request: _Request,
    answer: MessageBatchIndividualResponse,
    writer: ApiSummarizer,
) -> list[Done]:
    """Store one result; empty where it brought no summary that is wanted still."""
    result = answer.result
    if result.type != "succeeded":
        said = result.error.error.message if result.type == "errored" else result.type
        log.write(f"session {request.session_id} in a batch: {said}")
        ledger.settle(db, request.call, result.type, NO_USAGE)
        return []
    task = plan(db, request.session_id, writer)
    if task is None or task.writer is not writer or has_paid_summary(db, request.session_id):
        # Forgotten, or summarized otherwise meanwhile; it was paid for nevertheless.
        ledger.settle(
            db, request.call, "not needed", writer.usage(result.message, prices.BATCH_DISCOUNT)
        )
        return []
    task = replace(task, to_seq=request.to_seq)
    try:
        summary = writer.read(result.message, task.conversation, prices.BATCH_DISCOUNT)
    except SummaryError as failed:
        fail(db, task, failed, request.call)
        return []
    return [finish(db, task, summary, request.call)]


def _is_over(batch: _Batch) -> bool:
    """Whether the API has thrown the results away by now."""
    return batch.at < times.stored(datetime.now(UTC) - _RESULTS_KEPT)


def _forget(db: sqlite3.Connection, batch: _Batch) -> None:
    db.execute("DELETE FROM state WHERE key = ?", (f"{_PREFIX}{batch.batch_id}",))
