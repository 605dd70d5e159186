"""How rows are drawn, whatever people call their projects and sessions."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.screen import new_screen
from tests.support.tray_app import ROOT

pytestmark = pytest.mark.screen

USUAL = {
    "title": "Fix the login",
    "project": "shop",
    "day": "2026-11-03",
    "excerpt": "The cookie lacked it.",
}
HARD = {
    "long": "word " * 80,
    "one long word": "x" * 300,
    "wide characters": "二文字ずつの索引で直しました。" * 20,
    "emoji": "🎉👩‍👩‍👧‍👦 " * 60,
    "from right to left": "خطأ في الخادم بعد التحديث " * 20,
}
ROWS = {
    "no excerpt": {**USUAL, "excerpt": ""},
    **{
        f"{name} {field}": {**USUAL, field: text}
        for name, text in HARD.items()
        for field in ("title", "project", "excerpt")
    },
    **{f"{name} both": {**USUAL, "title": text, "project": text} for name, text in HARD.items()},
}


@dataclass
class Text:
    text: str
    left: int
    top: int
    right: int
    bottom: int


@pytest.fixture(scope="module", params=[1.0, 1.5, 2.0], ids=["100 %", "150 %", "200 %"])
def drawn(request: pytest.FixtureRequest) -> dict[str, Any]:
    """All rows, drawn on a real screen with this scaling."""
    texts = [list(row.values()) for row in ROWS.values()]
    with new_screen() as screen:
        done = subprocess.run(
            [sys.executable, "-m", "tests.tray.search_box.draw_rows", str(request.param)],
            cwd=ROOT,
            env=screen.environment,
            input=json.dumps(texts),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return dict(zip(ROWS, json.loads(done.stdout), strict=True))


def texts_of(row: dict[str, Any]) -> tuple[Text, ...]:
    """Title, project with day, and the excerpt if there is one."""
    from_above = sorted((Text(*text) for text in row["texts"]), key=lambda text: text.top)
    return (*sorted(from_above[:2], key=lambda text: text.left), *from_above[2:])


@pytest.mark.parametrize("name", ROWS)
def test_no_text_reaches_into_another_or_beyond_the_row(name: str, drawn: dict[str, Any]) -> None:
    row = drawn[name]
    title, detail, *excerpt = texts_of(row)

    assert title.right < detail.left
    assert all(below.top >= max(title.top, detail.top) + row["height"] / 4 for below in excerpt)
    for text in (title, detail, *excerpt):
        assert text.left >= 0
        assert text.right <= row["width"]
        assert text.bottom <= row["height"]


@pytest.mark.parametrize("name", [f"{name} both" for name in HARD])
def test_a_project_leaves_half_of_the_row_to_the_title(name: str, drawn: dict[str, Any]) -> None:
    title, _, _ = texts_of(drawn[name])

    assert title.right - title.left > drawn[name]["width"] / 2


@pytest.mark.parametrize("name", [f"{name} project" for name in HARD])
def test_the_day_is_there_whatever_the_project_is_called(name: str, drawn: dict[str, Any]) -> None:
    _, detail, _ = texts_of(drawn[name])

    assert detail.text.endswith("… · 2026-11-03")


def test_a_title_alone_stands_in_the_middle_of_its_row(drawn: dict[str, Any]) -> None:
    row = drawn["no excerpt"]
    title, _ = texts_of(row)

    assert abs((title.top + title.bottom) / 2 - row["height"] / 2) <= 1
