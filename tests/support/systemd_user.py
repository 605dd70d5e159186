"""A real systemd user instance of the tests' own, with its own runtime folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A user instance starts only where systemd runs the system, which it tells by this folder. In a
# mount namespace of its own nobody else sees the folder.
_START = """\
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec "$0" --user --log-target=console
"""
_PROGRAM = "/lib/systemd/systemd"
_UNSHARE = shutil.which("unshare")
_PATIENCE_SECONDS = 15.0


class NoUserInstanceError(Exception):
    """It does not start here, and why."""


@contextlib.contextmanager
def user_instance(home: Path, runtime: Path) -> Iterator[dict[str, str]]:
    """Start it for a home; gives the variables by which `systemctl --user` finds it.

    Raises `NoUserInstanceError` where it does not start: it takes somebody who may mount.
    """
    if not os.path.exists(_PROGRAM) or not _UNSHARE:
        raise NoUserInstanceError("not installed: systemd")
    runtime.mkdir(mode=0o700)
    # Not the test's own PATH, which may be empty on purpose; the instance hands it to its services.
    variables = {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "PATH": "/usr/bin:/bin"}
    log = runtime / "systemd.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [_UNSHARE, "--mount", "sh", "-c", _START, _PROGRAM],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not (runtime / "systemd" / "private").exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise NoUserInstanceError(f"no systemd user instance here: {log.read_text()}")
            time.sleep(0.05)
        yield variables
    finally:
        process.terminate()  # it ends its services first
        process.wait()
