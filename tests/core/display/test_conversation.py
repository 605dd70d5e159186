"""How much of a conversation is shown, and which part."""

from __future__ import annotations

from core.display.conversation import LONGEST_EXCHANGE, excerpt, turns
from core.sessions import Exchange


def exchanges(number: int, text: str = "ten chars.") -> list[Exchange]:
    return [
        Exchange(seq * 10, "assistant" if seq % 2 else "user", "", text, "")
        for seq in range(number)
    ]


def shown(number: int, *, around: int | None, characters: int) -> list[int]:
    said = exchanges(number)
    return [turn.exchange.seq for turn in turns(said, (), around=around, characters=characters)]


def test_a_short_conversation_is_shown_whole() -> None:
    assert shown(4, around=20, characters=1000) == [0, 10, 20, 30]


def test_of_a_long_one_the_beginning_and_what_is_near_the_match_is_shown() -> None:
    assert shown(100, around=500, characters=40) == [0, 490, 500, 510]


def test_without_a_matching_exchange_the_end_is_shown() -> None:
    assert shown(100, around=None, characters=30) == [0, 980, 990]
    assert shown(100, around=7, characters=30) == [0, 980, 990]  # no exchange has that number


def test_what_is_left_out_is_counted() -> None:
    said = turns(exchanges(100), (), around=500, characters=40)
    assert [turn.left_out for turn in said] == [0, 48, 0, 0]


def test_the_matching_exchange_is_shown_however_long() -> None:
    said = turns(exchanges(1, "x" * 100_000), (), around=0, characters=10)
    assert [turn.cut for turn in said] == [100_000 - LONGEST_EXCHANGE]


def test_nothing_said_is_nothing_shown() -> None:
    assert turns([], (), around=None, characters=10) == ()


def test_a_cut_text_holds_the_match() -> None:
    text = "a " * 500 + "needle" + " b" * 500
    assert "needle" in excerpt(text, ("needle",), 100)
    assert len(excerpt(text, ("needle",), 100)) == 100
    assert excerpt(text, (), 100) == text[:100]
    assert excerpt("a " * 500 + "needle", ("needle",), 100).endswith("needle")


def test_claude_speaks_markdown_and_people_type() -> None:
    said = turns(exchanges(2, "*x*"), (), around=None, characters=100)
    assert [str(turn.html) for turn in said] == ["<p>*x*</p>\n", "<p><em>x</em></p>\n"]
