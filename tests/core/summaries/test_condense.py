from __future__ import annotations

import pytest

from core.sessions import Exchange
from core.summaries import prompt
from core.summaries.condense import clip, condense
from core.summaries.prices import tokens_in

BUDGET = 4_000


def exchanges(*said: tuple[str, str]) -> list[Exchange]:
    return [Exchange(n, role, "human", text, "") for n, (role, text) in enumerate(said, 1)]


def long_session(turns: int) -> list[Exchange]:
    middle = [
        ("user" if n % 3 == 0 else "assistant", f"Step {n}: " + "word " * 300) for n in range(turns)
    ]
    middle[turns // 2] = ("assistant", "We decided to use Postgres instead of SQLite.")
    return exchanges(
        ("user", "Build the importer."),
        *middle,
        ("user", "Is it done?"),
        ("assistant", "It works."),
    )


def sent(said: list[Exchange], budget: int = BUDGET) -> str:
    return prompt.render(condense(said, budget, session_id="s", project_name="p"))


def test_a_short_session_is_kept_whole() -> None:
    said = exchanges(("user", "What is 2 + 2?"), ("assistant", "4."))

    condensed = condense(said, BUDGET, session_id="s", project_name="p")

    assert [turn.text for turn in condensed.turns] == ["What is 2 + 2?", "4."]


@pytest.mark.parametrize("turns", [50, 500, 5_000])
def test_whatever_the_length_the_budget_holds(turns: int) -> None:
    text = sent(long_session(turns))

    assert BUDGET / 2 < tokens_in(text) < BUDGET * 1.1


def test_first_request_decision_and_last_state_are_kept() -> None:
    text = sent(long_session(2_000))

    assert "Build the importer." in text
    assert "Postgres instead of SQLite" in text
    assert text.index("Is it done?") < text.index("It works.")


def test_the_middle_is_thinned_evenly_and_says_so() -> None:
    condensed = condense(long_session(3_000), BUDGET, session_id="s", project_name="p")

    left_out = [turn.left_out for turn in condensed.turns]
    assert sum(left_out) + len(condensed.turns) == 3_003
    assert max(left_out) < 1_000


def test_a_single_huge_paste_stays_within_the_budget() -> None:
    said = exchanges(("user", "Why does this fail?\n" + "ERROR at line 7\n" * 200_000))

    text = sent(said)

    assert tokens_in(text) < BUDGET * 1.1
    assert "Why does this fail?" in text
    assert "characters left out …]" in text


def test_few_long_turns_share_the_budget() -> None:
    said = exchanges(("user", "a " * 50_000), ("assistant", "b " * 50_000))

    assert tokens_in(sent(said)) > BUDGET * 0.8


@pytest.mark.parametrize("text", ["数据库连接失败。" * 9_000, "ошибка " * 9_000, "🙂" * 50_000])
def test_other_scripts_cost_no_more(text: str) -> None:
    assert tokens_in(sent(exchanges(("user", text)))) < BUDGET * 1.1


def test_long_code_is_cut_with_a_mark() -> None:
    code = "\n".join(f"line_{n}()" for n in range(100))

    text = clip(f"Look:\n```python\n{code}\n```\nWhat is wrong?", 2_000)

    assert "line_0()" in text
    assert "line_50()" not in text
    assert "lines of code left out" in text
    assert text.endswith("What is wrong?")


def test_a_secret_at_the_cut_is_not_halved_into_the_open() -> None:
    key = "sk-ant-api03-" + "a1B2c3D4" * 12
    for before in range(0, 400, 7):
        text = clip("x" * before + " " + key + " and then " + "word " * 2_000, 100)

        assert "a1B2c3D4a1B2" not in text


def test_an_empty_session_is_empty() -> None:
    assert condense([], BUDGET, session_id="s", project_name="p").turns == ()
