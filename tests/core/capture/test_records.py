"""Bytes to records: damaged lines give what is whole in them."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capture.records import is_whole, read_line

RECORD = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"content": 'hi {"type"'}}
LINE = json.dumps(RECORD, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "line", [LINE, b"\xef\xbb\xbf" + LINE, LINE + b"\r", b"\x00" * 512 + LINE, LINE + b"\x00" * 99]
)
def test_marks_line_ends_and_nuls_around_a_record_do_no_harm(line: bytes) -> None:
    found = read_line(line)
    assert (found.records, found.bad) == ([RECORD], False)


@pytest.mark.parametrize("line", [b"", b"\r", b"   ", b"\x00" * 4096])
def test_an_empty_line_is_not_a_bad_one(line: bytes) -> None:
    found = read_line(line)
    assert (found.records, found.bad) == ([], False)


def test_two_records_on_one_line_are_both_read() -> None:
    other = {"type": "summary", "summary": "s", "leafUuid": "l"}
    found = read_line(LINE + json.dumps(other).encode())
    assert (found.records, found.bad) == ([RECORD, other], False)


@pytest.mark.parametrize("cut", range(1, len(LINE), 7))
def test_a_record_behind_a_torn_one_is_read(cut: int) -> None:
    found = read_line(LINE[:cut] + LINE)
    assert (found.records, found.bad) == ([RECORD], True)


@pytest.mark.parametrize("cut", range(1, len(LINE), 7))
def test_a_torn_record_alone_is_counted_and_gives_nothing(cut: int) -> None:
    found = read_line(LINE[:cut])
    assert (found.records, found.bad) == ([], True)


def test_messages_inside_a_torn_record_are_not_taken_for_records() -> None:
    inner = {"type": "assistant", "uuid": "u2", "timestamp": "t", "message": {"content": "x"}}
    outer = json.dumps({"type": "progress", "data": {"message": inner}, "sessionId": "s"}).encode()
    assert read_line(outer[:-5]).records == []


@pytest.mark.parametrize("piece", [b'{"type"', b'{"type":["x",' + b"1," * 500])
def test_a_damaged_line_that_begins_again_and_again_is_given_up(piece: bytes) -> None:
    """Reading each beginning to the end would take hours."""
    line = LINE + piece * (20_000_000 // len(piece))
    found = read_line(line)
    assert (found.records, found.bad) == ([RECORD], True)


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    found = read_line(LINE.replace(b"hi", b"h\xff\xfei"))
    assert found.records[0]["message"]["content"].startswith("h\ufffd\ufffdi")


@pytest.mark.parametrize("line", [b"[1]", b"7", b'"text"', b"null", b"[" * 100_000])
def test_json_that_is_no_record_is_counted(line: bytes) -> None:
    found = read_line(line)
    assert (found.records, found.bad) == ([], True)


def test_only_a_whole_record_is_whole() -> None:
    assert is_whole(LINE)
    assert not any(is_whole(LINE[:cut]) for cut in range(len(LINE)))
    assert not is_whole(LINE + LINE)


@given(st.binary(max_size=300))
def test_no_bytes_raise(line: bytes) -> None:
    read_line(line)
    read_line(LINE[:40] + line + LINE)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_both_readers_of_json_give_the_same_records(content: object) -> None:
    line = json.dumps({"type": "user", "sessionId": "s", "message": {"content": content}}).encode()
    assert read_line(line, orjson.loads).records == read_line(line).records
