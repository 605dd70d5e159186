"""The pages that the tests look at, each written from a database of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.display import page as pages_module
from core.search.results import Result
from tests.support import pages

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Opened

    Show = Callable[..., Opened]
    Faults = Callable[[Page], list[str]]

NARROW = {"width": 380, "height": 800}
NOTHING = Result("kubernetes ingress", (), ("kubernetes", "ingress"), 3)


def results_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.ordinary(db))


def no_match_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_results(db, NOTHING)


def not_indexed_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_results(db, replace(NOTHING, not_indexed=2))


def empty_page(db: sqlite3.Connection) -> str:
    return pages_module.write_library(db)


def library_page(db: sqlite3.Connection) -> str:
    pages.ordinary(db)
    return pages_module.write_library(db)


def hostile_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.hostile(db))


def long_page(db: sqlite3.Connection) -> str:
    return pages_module.write_results(db, pages.long(db))


EACH_PAGE = pytest.mark.parametrize(
    "write",
    [
        *(results_page, library_page, no_match_page, not_indexed_page),
        *(empty_page, hostile_page, long_page),
    ],
)
