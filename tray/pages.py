"""Opens pages in the browser. What makes them is large, so it is loaded when the first one is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from core import database
from core.search import recent_queries
from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.search.results import Result


def open_result(result: Result) -> None:
    """Open the page of a search, and remember the query.

    The page first: it need not wait for a process that writes, nor go without room on the disk.
    """
    from core.display import page  # noqa: PLC0415

    with closing(database.connect()) as db:
        _open(page.write_results(db, result))
        try:
            recent_queries.add(db, result.query)
        except sqlite3.OperationalError as error:
            log.warning("The query is not remembered: %s", error)


def search_and_open(query: str) -> None:
    """Open the page of what a query finds."""
    from core.search.search import search  # noqa: PLC0415

    with closing(database.connect()) as db:
        result = search(db, query)
    open_result(result)


def open_sessions(session_ids: Iterable[str]) -> None:
    """Open the page of these sessions."""
    from core.display import page  # noqa: PLC0415

    with closing(database.connect()) as db:
        path = page.write_sessions(db, session_ids)
    _open(path)


def open_library() -> None:
    """Open the page of all sessions."""
    from core.display import page  # noqa: PLC0415

    with closing(database.connect()) as db:
        path = page.write_library(db)
    _open(path)


def _open(path: str) -> None:
    from core.display import page  # noqa: PLC0415

    if not page.open_page(path):
        log.warning("There is no display to show the page on: %s", path)
