from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from core.errors import ChatRecallError
from tests.support.screen import wait_until
from tray.rounds.child import Child

if TYPE_CHECKING:
    from pathlib import Path


def test_a_child_runs_a_command_in_the_home_of_its_parent(home: Path) -> None:
    assert str(home) in Child().run("init")


def test_a_child_that_fails_raises_what_it_said() -> None:
    with pytest.raises(ChatRecallError) as caught:
        Child().run("show", "nowhere")
    assert caught.value.title == "No session nowhere"
    assert "chatrecall sessions" in caught.value.advice


def test_a_child_that_does_not_know_the_command_raises_too() -> None:
    with pytest.raises(ChatRecallError):
        Child().run("fly")


def test_a_stopped_child_ends_at_once_and_no_other_starts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another process writes and writes: the child waits for its lock.
    import contextlib

    from core import database

    with contextlib.closing(database.connect()) as db:
        db.execute("BEGIN IMMEDIATE")
        child = Child()
        failures: list[ChatRecallError] = []

        def run() -> None:
            try:
                child.run("pause")
            except ChatRecallError as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        wait_until(lambda: child._process)
        before = time.monotonic()
        child.stop()
        thread.join(20)
        assert not thread.is_alive()
        assert time.monotonic() - before < 4, "the lock's own time limit is 5 s"
    assert failures
    with pytest.raises(ChatRecallError, match="ending"):
        child.run("init")
