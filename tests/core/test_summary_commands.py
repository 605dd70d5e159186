"""The commands `summarize`, `key` and `cost` as a person runs them."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from core import command_line
from core.summaries import keys
from tests.core.summaries.test_keys import MemoryKeyring, ring
from tests.support import api_plays
from tests.support.conversations import say

if TYPE_CHECKING:
    import sqlite3

    from tests.support.api_server import Api

__all__ = ["ring"]


class Told:
    """What a command printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *argv: str) -> None:
        self.code = command_line.main(argv, {})
        self.out, self.err = capsys.readouterr()


def test_the_latest_session_is_told_in_a_few_lines(
    db: sqlite3.Connection, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "s1")
    db.execute("UPDATE sessions SET title = 'Flaky login test'")

    told = Told(capsys, "summarize", "--latest")

    assert told.out.splitlines() == [
        "Title:     Flaky login test",
        "Project:   shop",
        f"Summary:   {api_plays.GOOD_ANSWER['summary']}",
        "Topics:    auth_test.py, pytest-xdist, Redis",
        "Decided:   Each worker gets a Redis database of its own.",
        "Written by api:claude-haiku-5-5 for $0.0002.",
    ]


def test_a_session_by_the_beginning_of_its_id(
    db: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "abc-1")
    say(db, "xyz-1")

    told = Told(capsys, "summarize", "--session", "xyz")

    assert "Written by local, at no cost." in told.out
    assert db.execute("SELECT summarized_by FROM sessions ORDER BY 1").fetchall() == [
        ("",), ("local",),
    ]  # fmt: skip


def test_asking_twice_says_that_nothing_is_new(
    db: sqlite3.Connection, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "s1")
    Told(capsys, "summarize", "--latest")

    assert "nothing is new since" in Told(capsys, "summarize", "--latest").out


def test_a_failure_is_told_with_what_to_do_below_a_local_summary(
    db: sqlite3.Connection, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    api.plays(api_plays.key_refused())
    say(db, "s1")

    told = Told(capsys, "summarize", "--latest")

    assert told.code == 0
    *_, who, problem = told.out.splitlines()
    assert who == "Written by local, at no cost."
    assert problem.startswith("The API key was refused. ")
    assert "chatrecall key set" in problem


def test_no_session_yet_is_told(db: sqlite3.Connection, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no session yet" in Told(capsys, "summarize", "--latest").err


def test_all_tells_the_price_and_spends_nothing_without_a_yes(
    db: sqlite3.Connection, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "s1")

    told = Told(capsys, "summarize", "--all")

    assert "api:claude-haiku-5-5 would summarize 1 session " in told.out
    assert "Nothing was spent." in told.out
    assert api.asked == []

    assert "1 session summarized for $0.0002." in Told(capsys, "summarize", "--all", "--yes").out
    assert "No session is without a summary by a model." in Told(capsys, "summarize", "--all").out


def test_without_arguments_it_is_a_round(
    db: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "s1")
    say(db, "s2")

    assert Told(capsys, "summarize").out == "2 sessions summarized at no cost.\n"


def test_a_key_is_read_from_standard_input_tried_and_stored(
    api: Api, ring: MemoryKeyring, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-ant-fresh\n"))

    told = Told(capsys, "key", "set")

    assert told.out == "The key is stored in the system keyring. The API accepts it.\n"
    key = keys.find()
    assert key
    assert key.value == "sk-ant-fresh"
    assert "keyring" in Told(capsys, "key", "status").out


def test_a_key_that_the_api_refuses_is_not_stored(
    api: Api, ring: MemoryKeyring, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    api.model_play = api_plays.key_refused()
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-ant-wrong\n"))

    told = Told(capsys, "key", "set")

    assert told.code == 1
    assert "The API key was refused" in told.err
    assert ring.kept == {}


def test_a_key_that_can_not_be_tried_is_stored_all_the_same(
    ring: MemoryKeyring, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-ant-fresh\n"))

    assert "It could not be tried: The API can't be reached." in Told(capsys, "key", "set").out
    assert ring.kept


def test_a_key_is_removed(ring: MemoryKeyring, capsys: pytest.CaptureFixture[str]) -> None:
    keys.store("sk-ant-ring")

    assert "The key was removed." in Told(capsys, "key", "remove").out
    assert "There is no API key" in Told(capsys, "key", "status").out


def test_the_key_is_never_printed(ring: MemoryKeyring, capsys: pytest.CaptureFixture[str]) -> None:
    keys.store("sk-ant-ring")

    told = Told(capsys, "key", "status")
    assert "sk-ant" not in told.out + told.err


def test_cost_tells_today_month_and_who(
    db: sqlite3.Connection, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    say(db, "s1")
    Told(capsys, "summarize", "--latest")

    lines = Told(capsys, "cost").out.splitlines()
    assert lines[0] == "Today       $0.0002 of at most $0.25"
    assert lines[1] == "This month  $0.0002"
    assert "api:claude-haiku-5-5: 1 call, 1,000 tokens sent, 200 received" in lines[2]

    told = json.loads(Told(capsys, "cost", "--json").out)
    assert told["today"] == pytest.approx(0.0002)
    assert told["months"][0]["calls"] == 1
