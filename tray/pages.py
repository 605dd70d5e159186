"""Opens pages in the browser. What makes them is large, so it is loaded when the first one is."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from core import database
from core.search import recent_queries
from tray.log import log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.search.results import Result


def open_result(result: Result) -> None:
    """Open the page of a search, and remember the query."""
    from core.display import page  # noqa: PLC0415

    with closing(database.connect()) as db:
        recent_queries.add(db, result.query)
        path = page.write_results(db, result)
    _open(path)


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
