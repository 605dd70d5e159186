"""Searches in a thread of its own while a person types: only the last query counts."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import database, sessions
from core.errors import ChatRecallError
from core.search import recent_queries
from core.search.results import Result
from tray import worker
from tray.log import log
from tray.trouble import in_words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable


@dataclass(frozen=True)
class Found:
    """What a query found."""

    result: Result
    names: dict[str, str]
    """What to call each session, by its id."""


Answer = Found | list[str] | ChatRecallError
"""What was found, or the last queries, or why neither."""


class Searcher:
    """Answers queries with results, and the empty query with the last queries if there are any."""

    def __init__(self, answer: Callable[[str, Answer], None], limit: int) -> None:
        self._answer = answer
        self._limit = limit
        self._waiting: str | None = None
        self._has_news = False
        self._something = threading.Condition()
        self._db: sqlite3.Connection | None = None
        worker.start("searcher", self._run)

    def ask(self, query: str) -> None:
        """Have a query answered soon; one that waits is dropped for it."""
        self._put(query)

    def rest(self) -> None:
        """Close the database until the next query, so that it can be moved or restored."""
        self._put(None)

    def _put(self, query: str | None) -> None:
        with self._something:
            self._waiting = query
            self._has_news = True
            self._something.notify()

    def _run(self) -> None:
        while True:
            query = self._take()
            if query is None:
                self._close()
            else:
                self._answer(query, self._find_or_explain(query))

    def _take(self) -> str | None:
        with self._something:
            self._something.wait_for(lambda: self._has_news)
            self._has_news = False
            return self._waiting

    def _find_or_explain(self, query: str) -> Answer:
        try:
            return self._find(query)
        except Exception as error:
            log.exception("The search failed")
            self._close()  # it may be the database that is broken, and mended by the next time
            return in_words(error)

    def _find(self, query: str) -> Found | list[str]:
        from core.search.search import search  # noqa: PLC0415  not before somebody searches

        if self._db is None:
            self._db = database.connect()
        if not query.strip() and (queries := recent_queries.read(self._db)):
            return queries
        result = search(self._db, query, limit=self._limit, typing=True)
        ids = [match.session.session_id for match in result.matches]
        return Found(result, sessions.names_of(self._db, ids))

    def _close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
