"""`chatrecall round`: one round of the timer, as the tray app and the system's scheduler run it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from core.errors import ChatRecallError
from tray.rounds.outcome import Outcome

if TYPE_CHECKING:
    import argparse

    from core.summaries.summarize import Round


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print the outcome for a program")
    how.add_argument(
        "--notify",
        action="store_true",
        help="for the system's scheduler: show a notification, "
        "or leave it all to the tray app where that runs",
    )


def run(arguments: argparse.Namespace) -> str:
    """Sweep, index and summarize what is due."""
    if arguments.notify:
        return _scheduled()
    outcome = do_round()
    return outcome.to_json() if arguments.json else _in_words(outcome)


def do_round() -> Outcome:
    """Run one round here; a database that turns out to be damaged is repaired on the way.

    Nothing is done while capture is paused or another process is at it.
    """
    from core.rescue import integrity, repair  # noqa: PLC0415

    try:
        return _do_round()
    except sqlite3.DatabaseError as error:
        if not (integrity.may_be_damage(error) and repair.repair()):
            raise
    return _do_round()


def _do_round() -> Outcome:
    from core.capture import sweep  # noqa: PLC0415
    from core.privacy import privacy  # noqa: PLC0415
    from core.rescue import backup, repair  # noqa: PLC0415
    from core.search import index  # noqa: PLC0415
    from core.summaries import summarize  # noqa: PLC0415

    with closing(repair.open_or_repair()) as db:
        if privacy.paused_until(db):
            return Outcome(skipped="Capture is paused.")
        sweep.sweep(db)
        done = summarize.summarize_due(db)
        index.bring_up_to_date(db)
        if done.busy:
            return Outcome(skipped="Another process is summarizing just now.")
        backup.back_up(db)
        return _outcome(db, done)


def _outcome(db: sqlite3.Connection, done: Round) -> Outcome:
    from core import sessions  # noqa: PLC0415
    from core.rescue import repair  # noqa: PLC0415

    names = sessions.names_of(db, done.summarized)
    problem = done.problem if _needs_a_person(done.problem) else None
    repaired = repair.take_notice(db)
    if repaired:
        problem = ChatRecallError("The database was damaged", repaired)
    return Outcome(
        summarized=done.summarized,
        titles=tuple(names[session] for session in done.summarized if session in names),
        cost_usd=done.cost_usd,
        problem_title=problem.title if problem else "",
        problem_advice=problem.advice if problem else "",
        problem_is_new=bool(repaired or (problem and done.is_news)),
    )


def _scheduled() -> str:
    from core import single_instance  # noqa: PLC0415

    if single_instance.ask(single_instance.Request.WORK):
        return "The tray app runs and does it."
    from tray import pages  # noqa: PLC0415
    from tray.notifications import notice, notifications  # noqa: PLC0415

    outcome = do_round()
    words = notice.of(outcome)
    if words and notifications.show_and_wait(words) and words.session_ids:
        pages.open_sessions(words.session_ids)
    return _in_words(outcome)


def _needs_a_person(problem: ChatRecallError | None) -> bool:
    """Whether waiting alone won't mend it."""
    from core.summaries.reasons import Reason  # noqa: PLC0415

    passing = (Reason.OFFLINE, Reason.OVERLOADED)
    return problem is not None and getattr(problem, "reason", None) not in passing


def _in_words(outcome: Outcome) -> str:
    from tray.notifications import notice  # noqa: PLC0415

    if outcome.skipped:
        return outcome.skipped
    lines = [notice.count_line(outcome)]
    if outcome.problem:
        lines.append(str(outcome.problem))
    return "\n".join(lines)
