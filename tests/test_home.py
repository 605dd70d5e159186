"""The fixtures' promise: no test reaches the developer's own memory or client."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core import paths
from tests.conftest import REAL_CLAUDE_DIR


def test_a_test_has_a_home_of_its_own(home: Path) -> None:
    assert paths.data_dir().startswith(str(home))
    assert not paths.data_dir().startswith(REAL_CLAUDE_DIR)


def test_the_real_home_is_out_of_reach() -> None:
    for touch in (open, os.mkdir, os.remove):
        with pytest.raises(AssertionError, match="real home"):
            touch(os.path.join(REAL_CLAUDE_DIR, "no such file"))
