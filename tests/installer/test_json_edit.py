from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer import json_edit
from installer.json_tree import BrokenJsonError, parse

PATH = ("hooks", "Stop")
OURS = {"hooks": [{"type": "command", "command": "ours", "timeout": 10}]}


def is_ours(value: Any) -> bool:
    return isinstance(value, dict) and value == OURS


def put_in(text: str) -> json_edit.Edited:
    return json_edit.add_to_list(text, PATH, OURS)


# Settings as people write them: comments anywhere, trailing commas, three line ends, a mark.
SPACES = st.lists(
    st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "// a, b } ]\n", "/* { \n */", "/**/"]),
    max_size=3,
).map("".join)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8).map(
    lambda text: json.dumps(text, ensure_ascii=False)
)
NUMBERS = st.integers(-99, 99).map(str) | st.sampled_from(["-0.5", "1e9", "12E-3"])
SCALARS = TEXTS | NUMBERS | st.sampled_from(["true", "false", "null", '"\\u00e4\\n"'])


@st.composite
def containers(draw: st.DrawFn, opener: str, members: list[str]) -> str:
    closer = {"{": "}", "[": "]"}[opener]
    parts = [draw(SPACES) + text + draw(SPACES) for text in members]
    if not parts:
        return opener + draw(SPACES) + closer
    trailing = draw(st.sampled_from(["", ",", ", ", ",\n  "]))
    return opener + ",".join(parts) + trailing + closer


@st.composite
def member(draw: st.DrawFn, key: str, value: str) -> str:
    return json.dumps(key) + draw(SPACES) + ":" + draw(SPACES) + value


@st.composite
def objects(draw: st.DrawFn, /, values: st.SearchStrategy[str], **fixed: str) -> str:
    others = draw(st.lists(st.tuples(TEXTS.map(json.loads), values), max_size=3))
    pairs = [pair for pair in others if pair[0] not in fixed]
    place = draw(st.integers(0, len(pairs)))
    pairs[place:place] = fixed.items()
    return draw(containers("{", [draw(member(key, value)) for key, value in pairs]))


@st.composite
def lists(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    return draw(containers("[", draw(st.lists(values, max_size=3))))


VALUES = st.recursive(SCALARS, lambda inner: objects(inner) | lists(inner), max_leaves=5)


@st.composite
def settings(draw: st.DrawFn) -> str:
    fixed: dict[str, str] = {}
    if draw(st.booleans()):
        events = {"Stop": draw(lists(VALUES))} if draw(st.booleans()) else {}
        fixed["hooks"] = draw(objects(lists(VALUES), **events))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + draw(SPACES) + draw(objects(VALUES, **fixed)) + draw(SPACES)


@given(settings())
def test_taking_out_gives_the_former_bytes(text: str) -> None:
    added = put_in(text)

    assert json_edit.take_out(added.text, added.pieces, is_ours) == text


@given(settings())
def test_adding_puts_the_value_first_and_changes_no_other(text: str) -> None:
    before, after = json_edit.values(text), json_edit.values(put_in(text).text)

    expected = before.setdefault("hooks", {}).setdefault("Stop", [])
    expected.insert(0, OURS)
    assert after == before


@given(settings())
def test_without_the_pieces_the_value_is_found_by_its_content(text: str) -> None:
    left = json_edit.values(json_edit.take_out(put_in(text).text, (), is_ours))

    before = json_edit.values(text)
    assert {**left, "hooks": 0} == {**before, "hooks": 0}
    assert left.get("hooks", {}).get("Stop", []) == before.get("hooks", {}).get("Stop", [])


@given(settings())
def test_all_foreign_characters_stay_in_their_order(text: str) -> None:
    added = put_in(text)

    (piece,) = added.pieces
    assert added.text.replace(piece, "", 1) == text


@given(settings())
def test_a_file_that_was_written_anew_loses_our_value_alone(text: str) -> None:
    added = put_in(text)
    rewritten = json.dumps(json_edit.values(added.text), indent=4)

    left = json_edit.values(json_edit.take_out(rewritten, added.pieces, is_ours))

    assert OURS not in left.get("hooks", {}).get("Stop", [])


@given(VALUES)
def test_values_are_read_as_json_reads_them(text: str) -> None:
    assert parse(text).value() == json.loads(json.dumps(parse(text).value()))


def test_an_absent_file_becomes_a_whole_one_and_nothing_again() -> None:
    added = put_in("")

    assert json.loads(added.text) == {"hooks": {"Stop": [OURS]}}
    assert json_edit.take_out(added.text, added.pieces, is_ours) == ""


def test_an_entry_gets_lines_and_an_indent_like_its_neighbours() -> None:
    text = '{\r\n\t"model": "opus", // the best\r\n\t"x": 1\r\n}\r\n'

    added = put_in(text).text

    assert added.startswith('{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n')
    assert added.endswith('\t},\r\n\t"model": "opus", // the best\r\n\t"x": 1\r\n}\r\n')


def test_a_remark_behind_the_opening_brace_keeps_its_place() -> None:
    added = put_in('{ // mine\n  "x": 1\n}')

    assert added.text.startswith('{ // mine\n  "hooks"')


def test_a_neighbour_that_came_later_stays() -> None:
    added = put_in('{"hooks": {"Stop": []}}')
    theirs = json.dumps({"hooks": []})
    grown = added.text.replace("]}}", f", {theirs}]}}}}")

    left = json_edit.values(json_edit.take_out(grown, added.pieces, is_ours))

    assert left == {"hooks": {"Stop": [{"hooks": []}]}}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1', "line 1"),
        ('{\n"a" 1}', "line 2: expected a colon"),
        ("{'a': 1}", "a key in double quotes"),
        ('{"a": 1} x', "expected the end of the file"),
        ('{"a": 01e}', "expected a value"),
        ('{"a": "b\nc"}', "expected a value"),
        ('{"a": 1 /* }', "expected a comma"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_broken_json_is_told_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BrokenJsonError, match=place):
        put_in(text)


@pytest.mark.parametrize("text", ["[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "null"])
def test_a_value_of_another_kind_in_the_way_is_an_error(text: str) -> None:
    with pytest.raises(BrokenJsonError, match="is no"):
        put_in(text)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ('{// mine\n"hooks":{"Stop":[OURS]}}', "{// mine\n}"),
        ('{"a": 1, // mine\r\n\t"hooks":{"Stop":[OURS]}}', '{"a": 1 // mine\r\n\t}'),
        ('{"a": 1, // mine\n  "hooks":{"Stop":[OURS]}\n}\n', '{"a": 1 // mine\n}\n'),
        ('{ // mine\n"hooks":{"Stop":[OURS]}, "a": 1}', '{ // mine\n "a": 1}'),
        (
            '{"hooks":{"Stop":[ // mine\n OURS, // other\n 1]}}',
            '{"hooks":{"Stop":[ // mine\n  // other\n 1]}}',
        ),
        ('{"a": "http://x", "hooks":{"Stop":[OURS]}}', '{"a": "http://x"}'),
        ('{/* // */ "hooks":{"Stop":[OURS]}}', "{/* // */}"),
    ],
)
def test_a_remark_before_our_value_ends_where_it_ended(text: str, without: str) -> None:
    assert json_edit.take_out(text.replace("OURS", json.dumps(OURS)), (), is_ours) == without
