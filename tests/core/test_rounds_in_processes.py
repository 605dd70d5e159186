"""Rounds in several processes at once, and processes that die."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from core import paths
from core.summaries import ledger
from core.summaries.summarize import summarize_due
from tests.support import api_plays
from tests.support.conversations import outcomes, say

if TYPE_CHECKING:
    import sqlite3

    from tests.support.api_server import Api


ROUND = """
from core import database
from core.summaries.summarize import summarize_due
db = database.connect()
print(len(summarize_due(db).summarized))
"""


def start_round() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ROUND], cwd=paths.ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.usefixtures("history_is_over")
def test_several_processes_at_once_pay_for_each_session_once(
    db: sqlite3.Connection, api: Api
) -> None:
    for number in range(8):
        say(db, f"s{number}")

    told = [process.communicate()[0] for process in [start_round() for _ in range(3)]]

    assert sum(map(int, told)) == 8
    assert len(api.asked) == 8


@pytest.mark.usefixtures("history_is_over")
def test_a_process_that_is_killed_in_a_call_loses_no_session_and_no_money(
    db: sqlite3.Connection, api: Api
) -> None:
    api.plays(api_plays.hung())
    say(db, "s1")
    process = start_round()
    while not api.asked:
        time.sleep(0.02)
    process.kill()
    process.communicate()

    assert outcomes(db) == ["started"]
    assert ledger.spent_today(db) > 0
    assert summarize_due(db).busy

    db.execute("UPDATE leases SET expires_at = '2000-01-01T00:00:00.000Z'")
    api.plays(api_plays.success())
    assert summarize_due(db).summarized == ("s1",)
