"""One tray app a user, also while others look whether there is one. Windows: the Wine tests."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths, single_instance
from core.errors import ChatRecallError
from core.single_instance import Request
from tests.support.tray_app import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

fcntl = pytest.importorskip("fcntl")

CLAIM = """
import sys
from core import single_instance
print("starting", flush=True)
print(single_instance.claim() is not None)
"""


@contextlib.contextmanager
def somebody_looks(stale_id: int) -> Iterator[None]:
    """Another process that is just looking, at the file that a killed app has left."""
    file = Path(paths.data_dir()) / "tray.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(str(stale_id), encoding="ascii")
    lock = os.open(file, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def test_two_that_look_at_once_do_not_take_each_other_for_the_app(home: Path) -> None:
    with somebody_looks(os.getpid()):
        assert not single_instance.is_running()


def test_no_request_goes_to_a_program_that_got_the_id_of_a_killed_app(home: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as innocent:
        with somebody_looks(innocent.pid):
            assert not single_instance.ask(Request.WORK)
        innocent.communicate(b"\n")
    assert innocent.returncode == 0


def test_an_app_starts_while_somebody_looks(home: Path) -> None:
    with somebody_looks(os.getpid()):
        starting = subprocess.Popen(
            [sys.executable, "-c", CLAIM], cwd=ROOT, stdout=subprocess.PIPE, encoding="ascii"
        )
        assert starting.stdout
        assert starting.stdout.readline() == "starting\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            starting.wait(0.5)  # long enough to give up, as it must not
    assert starting.communicate(timeout=60)[0] == "True\n"


def test_a_folder_that_can_not_be_written_to_is_told_in_words(home: Path) -> None:
    Path(paths.data_dir()).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.data_dir()).write_bytes(b"")  # works for root, too, unlike a folder's permissions
    with pytest.raises(ChatRecallError, match="can't write"):
        single_instance.claim()
