from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths, settings
from core.rescue import repair
from tests.support.screen import wait_until
from tests.support.tray_app import write_sessions
from tray.rounds.rounds import Rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tray.notifications.notice import Notice


class Listener:
    """Runs rounds in real processes and notes what is told of them."""

    def __init__(self) -> None:
        self.told: list[Notice] = []
        self.states: list[bool] = []
        self.rounds = Rounds(self._changed, lambda: None, self.told.append)
        threading.Thread(target=self.rounds.run, daemon=True).start()

    def _changed(self) -> None:
        self.states.append(self.rounds.working)

    def round(self, *, asked: bool = False) -> None:
        """Have a round and wait until it is over."""
        before = len(self.states)
        if asked:
            self.rounds.now_and_tell()
        else:
            self.rounds.now()
        wait_until(lambda: len(self.states) >= before + 2, 60)


@pytest.fixture
def listener(claude_dir: Path) -> Iterator[Listener]:
    made = Listener()
    yield made
    made.rounds.stop()


def test_a_round_tells_what_it_did_and_the_next_keeps_quiet(
    listener: Listener, claude_dir: Path
) -> None:
    write_sessions(claude_dir)
    listener.round()
    wait_until(lambda: listener.told)
    listener.round()
    assert [notice.title for notice in listener.told] == ["3 sessions summarized"]


def test_a_round_shows_that_it_works_and_that_it_has_ended(listener: Listener) -> None:
    listener.round()
    assert listener.states == [True, False]


def test_a_person_who_asks_gets_an_answer_even_if_nothing_is_to_do(listener: Listener) -> None:
    listener.round(asked=True)
    wait_until(lambda: listener.told)
    assert listener.told[0].title == "Nothing to summarize"


def test_a_trouble_that_lasts_is_told_once_and_again_after_it_was_gone(
    listener: Listener,
) -> None:
    file = Path(paths.settings_file())
    file.parent.mkdir(parents=True, exist_ok=True)
    for content in ("{", "{", "{}", "{"):
        file.write_text(content, encoding="utf-8")
        listener.round()
    wait_until(lambda: len(listener.told) == 2)
    assert {notice.title for notice in listener.told} == {"ChatRecall's settings can't be read"}
    assert listener.rounds.trouble is not None


def test_a_damaged_database_is_repaired_by_a_round_and_told(listener: Listener) -> None:
    listener.round()
    Path(paths.database_file()).write_bytes(b"nothing of the kind" * 1000)
    listener.round()
    wait_until(lambda: listener.told)
    assert listener.told[0].title == "The database was damaged"
    assert repair.set_aside_files()


def test_rounds_end_in_the_middle_of_one(listener: Listener) -> None:
    listener.rounds.now()
    wait_until(lambda: listener.rounds.working)
    listener.rounds.stop()
    wait_until(lambda: not listener.rounds.working)
    assert not listener.told


def test_the_settings_are_looked_at_before_each_wait(listener: Listener) -> None:
    settings.write({"interval_minutes": 0.001})
    listener.rounds.now()
    wait_until(lambda: len(listener.states) >= 4, 60)
