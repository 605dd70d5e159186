"""The real client on a mock API, with ChatRecall set up in its home."""

from __future__ import annotations

import contextlib
import os
import shutil
import sysconfig
import venv
from typing import TYPE_CHECKING

import pytest

from core import paths
from installer import hooks, layout, slash_commands
from tests.support.client import VERSIONS, Claude, ClientMissingError
from tests.support.mock_api import MockApi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def api() -> Iterator[MockApi]:
    with MockApi() as server:
        yield server


@pytest.fixture(params=VERSIONS)
def bare_claude(request: pytest.FixtureRequest, home: Path, api: MockApi) -> Claude:
    """Each version of the client in turn, as it is before anybody has heard of ChatRecall."""
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed")
    try:
        return Claude(request.param, home, api.url)
    except ClientMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def claude(bare_claude: Claude) -> Iterator[Claude]:
    """Each version of the client in turn, with ChatRecall's hooks and commands."""
    install_chatrecall()
    yield bare_claude
    with contextlib.suppress(FileNotFoundError), open(paths.log_file(), encoding="utf-8") as log:
        print(f"ChatRecall's log:\n{log.read()}")


def install_chatrecall() -> None:
    """Put ChatRecall into the test's home as the installer does, but for downloading anything.

    In place of a copy, the private environment holds this checkout and the tests' own dependencies.
    """
    here = layout.current()
    venv.create(here.folder, with_pip=False, symlinks=True)
    packages = os.path.dirname(here.package)
    os.symlink(paths.ROOT, here.package)
    with open(os.path.join(packages, "dependencies.pth"), "w", encoding="utf-8") as file:
        file.write(f"{sysconfig.get_path('purelib')}\n")
    for part in (hooks, slash_commands):
        for change in part.install():
            change.do()
