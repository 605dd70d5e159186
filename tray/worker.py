"""Threads that are started again when they die, and one that does jobs in turn."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING

from tray.log import log
from tray.trouble import in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.errors import ChatRecallError

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 300.0
_HEALTHY_SECONDS = 60.0


def start(name: str, work: Callable[[], None]) -> threading.Thread:
    """Run `work` in a thread until it returns.

    When it raises, it is logged and run again after a pause: a second, doubled each time that it
    fails at once.
    """
    thread = threading.Thread(target=_keep_running, args=(name, work), name=name, daemon=True)
    thread.start()
    return thread


def _keep_running(name: str, work: Callable[[], None]) -> None:
    pause = _FIRST_PAUSE
    while True:
        started = time.monotonic()
        try:
            work()
        except Exception:
            if time.monotonic() - started > _HEALTHY_SECONDS:
                pause = _FIRST_PAUSE
            log.exception("%s died; it starts again in %.0f s", name, pause)
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            return


class Jobs:
    """Does jobs one after the other in a thread of its own.

    One that fails is logged, and `failed` is told in words for a person.
    """

    def __init__(self, name: str, failed: Callable[[ChatRecallError], None]) -> None:
        self._queue: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._failed = failed
        start(name, self._run)

    def add(self, job: Callable[[], object]) -> None:
        """Have `job` done soon; returns at once."""
        self._queue.put(job)

    def _run(self) -> None:
        while True:
            job = self._queue.get()
            try:
                job()
            except Exception as error:
                log.exception("A job failed")
                self._failed(in_words(error))
