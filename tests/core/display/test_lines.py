from __future__ import annotations

import pytest

from core.display import lines

PATH = "/home/somebody/.claude/chatrecall/environment/lib/python3.11/site-packages/chatrecall"
TEXT = f"There is a well-known reason why this can't go on: {PATH} is gone. Run it again."


@pytest.fixture(params=[40, 80, 200])
def columns(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    width: int = request.param
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    return width


def test_a_sentence_fits_the_terminal(columns: int) -> None:
    told = lines.fitted(TEXT, "    ", "works  ").splitlines()

    assert [line for line in told if len(line) >= columns and PATH not in line] == []
    assert told[0].startswith("works  There")
    assert all(line.startswith("    ") for line in told[1:])


def test_what_a_person_copies_stays_whole(columns: int) -> None:
    told = lines.fitted(TEXT, "  ")

    assert PATH in told
    assert "well-known" in told
    assert " ".join(told.split()) == TEXT


def test_in_a_pipe_it_stays_one_line() -> None:
    assert lines.fitted(TEXT, "  ") == f"  {TEXT}"
