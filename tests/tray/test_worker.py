from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tests.support.screen import wait_until
from tray import worker

if TYPE_CHECKING:
    import pytest

    from core.errors import ChatRecallError


def test_a_worker_that_dies_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_FIRST_PAUSE", 0.01)
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OSError("the tray went away")

    thread = worker.start("test", work)
    thread.join(10)
    assert len(tries) == 3


def test_a_worker_that_is_done_is_not_started_again() -> None:
    runs: list[int] = []
    worker.start("test", lambda: runs.append(1)).join(10)
    assert runs == [1]


def test_a_job_that_fails_is_told_in_words_and_the_next_is_done() -> None:
    told: list[ChatRecallError] = []
    jobs = worker.Jobs("test", told.append)
    done = threading.Event()
    jobs.add(lambda: 1 // 0)
    jobs.add(done.set)
    assert done.wait(10)
    wait_until(lambda: told)
    assert told[0].title == "Something went wrong"


def test_jobs_are_done_in_their_order() -> None:
    done: list[int] = []
    jobs = worker.Jobs("test", lambda error: None)
    for number in range(50):
        jobs.add(lambda number=number: done.append(number))  # type: ignore[misc]
    wait_until(lambda: len(done) == 50)
    assert done == list(range(50))
