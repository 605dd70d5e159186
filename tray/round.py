"""`chatrecall round`: one round of the timer, as the tray app and the system's scheduler run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import ChatRecallError
from tray.outcome import Outcome

if TYPE_CHECKING:
    import argparse


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
    """Run one round here; nothing is done while capture is paused or another process is at it."""
    from core import backup, index, privacy, repair, sessions, summarize, sweep  # noqa: PLC0415

    db = repair.open_or_repair()
    try:
        if privacy.paused_until(db):
            return Outcome(skipped="Capture is paused.")
        sweep.sweep(db)
        done = summarize.summarize_due(db)
        index.bring_up_to_date(db)
        if done.busy:
            return Outcome(skipped="Another process is summarizing just now.")
        backup.back_up(db)
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
    finally:
        db.close()


def _scheduled() -> str:
    from tray import single_instance  # noqa: PLC0415

    if single_instance.ask(single_instance.Request.WORK):
        return "The tray app runs and does it."
    from tray import notice, notifications, pages  # noqa: PLC0415

    outcome = do_round()
    words = notice.of(outcome)
    if words and notifications.show_and_wait(words) and words.session_ids:
        pages.open_sessions(words.session_ids)
    return _in_words(outcome)


def _needs_a_person(problem: ChatRecallError | None) -> bool:
    """Whether waiting alone won't mend it."""
    from core.failures import Reason  # noqa: PLC0415

    passing = (Reason.OFFLINE, Reason.OVERLOADED)
    return problem is not None and getattr(problem, "reason", None) not in passing


def _in_words(outcome: Outcome) -> str:
    from tray import notice  # noqa: PLC0415

    if outcome.skipped:
        return outcome.skipped
    lines = [notice.count_line(outcome)]
    if outcome.problem:
        lines.append(str(outcome.problem))
    return "\n".join(lines)
