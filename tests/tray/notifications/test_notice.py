from __future__ import annotations

from tray.notifications import notice
from tray.rounds.outcome import Outcome


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_a_round_that_did_nothing_makes_no_notification() -> None:
    assert notice.of(Outcome()) is None


def test_a_round_that_was_skipped_makes_no_notification() -> None:
    assert notice.of(Outcome(skipped="Capture is paused.")) is None


def test_one_session_is_told_with_its_title_and_without_a_price_that_is_none() -> None:
    told = notice.of(Outcome(("a",), ("Fix the login",)))
    assert told == notice.Notice("1 session summarized", "• Fix the login", ("a",))


def test_several_sessions_are_told_with_what_they_cost() -> None:
    told = notice.of(Outcome(("a", "b"), ("One", "Two"), cost_usd=0.0123))
    assert told is not None
    assert told.title == "2 sessions summarized, $0.012"
    assert told.body == "• One\n• Two"


def test_of_many_sessions_the_first_are_named() -> None:
    ids = tuple("abcdefgh")
    told = notice.of(Outcome(ids, tuple(f"Session {name}" for name in ids)))
    assert told is not None
    assert told.body == "• Session a\n• Session b\n• Session c\nand 5 more"
    assert told.session_ids == ids


def test_a_new_problem_is_told_with_the_way_out() -> None:
    outcome = Outcome(
        problem_title="The API key was refused", problem_advice="Make one.", problem_is_new=True
    )
    told = notice.of(outcome)
    assert told == notice.Notice("The API key was refused", "Make one.")


def test_a_problem_that_was_told_before_is_not_told_again() -> None:
    assert notice.of(Outcome(problem_title="The daily cap is reached")) is None


def test_sessions_and_a_new_problem_come_in_one_notification() -> None:
    told = notice.of(
        Outcome(
            ("a",),
            ("One",),
            problem_title="The daily cap is reached",
            problem_advice="More tomorrow.",
            problem_is_new=True,
        )
    )
    assert told is not None
    assert told.title == "1 session summarized"
    assert "The daily cap is reached. More tomorrow." in told.body


def test_titles_of_any_length_and_script_fit_what_windows_takes() -> None:
    ids = ("a", "b", "c")
    told = notice.of(Outcome(ids, ("🎉" * 500, "日本語" * 500, "x\ny\t" * 500), cost_usd=123.456))
    assert told is not None
    assert units(told.title) < 64
    assert units(told.body) < 256
    assert told.body.count("\n") == 2


def test_a_long_problem_fits_too() -> None:
    told = notice.of(
        Outcome(problem_title="p" * 200, problem_advice="q" * 900, problem_is_new=True)
    )
    assert told is not None
    assert units(told.title) < 64
    assert units(told.body) < 256


def test_a_person_who_asks_is_told_why_nothing_happened() -> None:
    assert notice.of_nothing(Outcome()).title == "Nothing to summarize"
    busy = Outcome(skipped="Another process is summarizing just now.")
    assert notice.of_nothing(busy).body == "Another process is summarizing just now."


def test_a_person_who_asks_is_told_of_a_known_problem_again() -> None:
    known = Outcome(problem_title="The API key was refused", problem_advice="Make one.")
    assert notice.of_nothing(known).title == "The API key was refused"
