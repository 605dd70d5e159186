from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def transcript(claude_dir: Path) -> Transcript:
    return Transcript(claude_dir / "projects" / "-home-dev-shop")
