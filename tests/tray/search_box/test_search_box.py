"""The search box itself, where a running app would be too quick to be caught at it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.screen import new_screen
from tests.support.tray_app import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.screen

TYPE_ON = """
from unittest.mock import Mock
from tray.search_box import rows
from tray.search_box.search_box import SearchBox

host = Mock()
box = SearchBox(host)
box._searcher = Mock()  # its answers take their time
box._show_rows(rows.of_queries(["old"]), None)
box._list.move(1)
box._field.words = "new"
box._enter()
print(host.search_and_open.call_args)
"""


def test_enter_after_more_typing_means_the_words_and_not_the_line_chosen_before(
    home: Path,
) -> None:
    assert home
    with new_screen() as screen:
        done = subprocess.run(
            [sys.executable, "-c", TYPE_ON],
            cwd=ROOT,
            env=screen.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    assert done.stdout == "call('new')\n", done.stderr
