from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from core import settings
from core.errors import ChatRecallError
from tests.support import claude_stand_in
from tests.support.processes import has_ended
from tests.support.screen import wait_until
from tests.support.transcript import Transcript
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


@pytest.mark.skipif(sys.platform == "win32", reason="a script can't stand in for an exe")
def test_a_stopped_child_ends_the_client_that_it_waits_for(
    home: Path, claude_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = claude_stand_in.make(home / "bin")
    claude.plays(seconds=60, child=True)
    monkeypatch.setenv("PATH", claude_stand_in.on_path(claude))
    settings.write({"summarizer": "claude"})
    session = Transcript(claude_dir / "projects" / "-shop")
    session.user("Why does the checkout charge twice?")
    session.assistant("The webhook is retried, and the handler is not idempotent.")
    Child().run("sweep")
    child = Child()

    def run() -> None:
        with pytest.raises(ChatRecallError):
            child.run("summarize", "--latest")

    thread = threading.Thread(target=run)
    thread.start()
    wait_until((claude.folder / "child").exists)

    before = time.monotonic()
    child.stop()

    assert time.monotonic() - before < 1, "nobody who logs off waits longer"
    thread.join(20)
    assert not thread.is_alive()
    assert has_ended(claude.child())
