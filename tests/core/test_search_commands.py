"""`search` and `reindex`, as a person types them."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from core import paths
from core.command_line import main
from core.display import browser
from core.search.query import OPERATORS
from tests.support.conversations import say
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


class Shell:
    """Runs command lines and gives what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> str:
        code = main(words, {})
        captured = self._capsys.readouterr()
        assert code == 0, captured.err
        return captured.out


@pytest.fixture
def chatrecall(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened in the browser."""
    pages: list[str] = []

    def open_page(path: str) -> bool:
        pages.append(path)
        return True

    monkeypatch.setattr(browser, "open_page", open_page)
    return pages


@pytest.fixture
def on_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard output be a terminal."""
    # pytest exchanges the stream itself between a fixture and its test.
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def walnut(db: sqlite3.Connection) -> str:
    return say(db, "cake", [("user", "walnut cake"), ("assistant", "Take two eggs.")])


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


def test_the_answer_is_text_and_a_page(chatrecall: Shell, walnut: str, opened: list[str]) -> None:
    text = chatrecall("search", "walnut")

    assert "## walnut cake\nSession cake" in text
    page = text.rstrip().rpartition("As a page: ")[2]
    assert os.path.dirname(page) == paths.pages_dir()
    assert os.path.getsize(page) > 1000
    assert opened == []


def test_what_was_said_a_moment_ago_is_found(chatrecall: Shell, claude_dir: Path) -> None:
    transcript = Transcript(claude_dir / "projects" / "-srv-shop", cwd="/srv/shop")
    transcript.user("about a walnut")

    assert transcript.session_id in chatrecall("search", "walnut")


def test_json_has_these_fields(chatrecall: Shell, db: sqlite3.Connection, walnut: str) -> None:
    db.execute(
        "UPDATE sessions SET summary = 'Cake.', topics = '[\"baking\"]', decisions = '[\"Eggs\"]'"
    )
    (found,) = json.loads(chatrecall("search", "walnut", "--json"))

    assert found.pop("score") > 0
    assert found.pop("started_at").endswith("Z")
    assert found == {
        "session_id": "cake",
        "project_name": "shop",
        "project_path": "/home/dev/shop",
        "summary": "Cake.",
        "topics": ["baking"],
        "decisions": ["Eggs"],
        "excerpt": "walnut cake",
    }
    assert not os.path.exists(paths.pages_dir())


def test_json_of_nothing_is_an_empty_list(chatrecall: Shell) -> None:
    assert json.loads(chatrecall("search", "walnut", "--json")) == []


@pytest.mark.usefixtures("on_terminal")
def test_on_a_terminal_the_page_is_opened_and_words_are_coloured(
    chatrecall: Shell, walnut: str, opened: list[str]
) -> None:
    text = chatrecall("search", "walnut")

    assert "\x1b[1;33mwalnut\x1b[0m cake" in text
    assert text.rstrip().endswith(f"Opened in the browser: {opened[0]}")


@pytest.mark.usefixtures("on_terminal")
def test_where_nothing_was_found_no_page_is_opened(
    chatrecall: Shell, walnut: str, opened: list[str]
) -> None:
    assert "No session holds" in chatrecall("search", "qqqqqq")
    assert opened == []


@pytest.mark.usefixtures("on_terminal")
def test_no_open_leaves_the_browser_alone(
    chatrecall: Shell, walnut: str, opened: list[str]
) -> None:
    chatrecall("search", "walnut", "--no-open")
    assert opened == []


@pytest.mark.usefixtures("on_terminal")
def test_no_color_is_heeded(
    chatrecall: Shell, walnut: str, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in chatrecall("search", "walnut")


def test_open_opens_the_page_in_a_pipe_too(
    chatrecall: Shell, walnut: str, opened: list[str]
) -> None:
    assert "Opened in the browser" in chatrecall("search", "--open", "walnut")
    assert len(opened) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--no-verify", "hook"),
        ("hook", "--no-verify"),
        ("hook", "-m", "x"),
        ("-rf",),
        ("don't", "C++", "a;b", "$(x)"),
        ("--", "--json"),
        (),
        ("",),
        ("数据库",),
    ],
)
def test_any_words_are_a_query(chatrecall: Shell, walnut: str, words: tuple[str, ...]) -> None:
    assert "As a page" in chatrecall("search", *words)


def test_a_word_with_a_minus_is_left_out(chatrecall: Shell, db: sqlite3.Connection) -> None:
    say(db, "with", [("user", "walnut raisins")])
    say(db, "without", [("user", "walnut")])

    found = json.loads(chatrecall("search", "walnut", "-raisins", "--json"))
    assert [match["session_id"] for match in found] == ["without"]


def test_the_limit_is_heeded(chatrecall: Shell, db: sqlite3.Connection) -> None:
    for number in range(9):
        say(db, str(number), [("user", "walnut")])

    assert len(json.loads(chatrecall("search", "walnut", "--json"))) == 5
    assert len(json.loads(chatrecall("search", "walnut", "--json", "--limit", "7"))) == 7


@pytest.mark.parametrize("limit", ["0", "-1", "x"])
def test_a_senseless_limit_is_refused(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(("search", "walnut", "--limit", limit), {})
    assert "--limit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "data", ["Nüsse".encode(), "\ufeffNüsse\r\n".encode(), b"N\xc3\xbcsse \xff\xfe"]
)
def test_the_words_are_read_from_standard_input(
    chatrecall: Shell, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    say(db, "nuts", [("user", "Nüsse")])
    stdin(monkeypatch, data)

    assert "Session nuts" in chatrecall("search", "--stdin")


def test_without_standard_input_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    assert main(("search", "--stdin"), {}) == 1
    assert "There is no standard input" in capsys.readouterr().err


def test_claude_gets_less_than_4000_characters(chatrecall: Shell, db: sqlite3.Connection) -> None:
    for number in range(9):
        say(db, str(number), [("user", "walnut " + "cake " * 500)])
    db.execute("UPDATE sessions SET summary = ?", ("walnut " * 800,))

    assert len(chatrecall("search", "walnut", "--limit", "9")) < 4000


def test_the_help_shows_each_operator(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(("search", "--help"), {})
    text = capsys.readouterr().out
    assert all(written in text for written, _ in OPERATORS)


def test_reindex_makes_the_index_anew(
    chatrecall: Shell, db: sqlite3.Connection, walnut: str
) -> None:
    db.execute("DELETE FROM sessions_fts_data")

    assert chatrecall("reindex") == "1 session is indexed.\n"
    assert "Session cake" in chatrecall("search", "walnut")
