from __future__ import annotations

import pytest

from tray.rounds.outcome import Outcome


def test_an_outcome_comes_back_from_json_as_it_was() -> None:
    outcome = Outcome(("a", "b"), ("日本", "Ünï"), 0.5, "Title", "Advice", True, "why")
    assert Outcome.from_json(outcome.to_json()) == outcome


def test_the_problem_carries_the_words() -> None:
    problem = Outcome(problem_title="No key", problem_advice="Set one.").problem
    assert problem is not None
    assert (problem.title, problem.advice) == ("No key", "Set one.")
    assert Outcome().problem is None


@pytest.mark.parametrize("text", ["", "Traceback", "[]", '{"summarized": []}', '{"x": 1}'])
def test_anything_else_raises_an_error_that_the_timer_expects(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        Outcome.from_json(text)
