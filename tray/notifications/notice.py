"""The words of a notification: one a round, and never for nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.summaries.money import dollars
from tray.text import fit, one_line

if TYPE_CHECKING:
    from core.errors import ChatRecallError
    from tray.rounds.outcome import Outcome

# Windows' NOTIFYICONDATA takes 64 and 256 units with the closing NUL; others take more.
_TITLE_UNITS = 63
_BODY_UNITS = 255
_MOST_TITLES = 3
_SESSION_UNITS = 60


@dataclass(frozen=True)
class Notice:
    """What a notification says, and what a click on it opens."""

    title: str
    body: str
    session_ids: tuple[str, ...] = ()


def of(outcome: Outcome) -> Notice | None:
    """Word the notification of a round; None where there is nothing to tell."""
    new_problem = outcome.problem if outcome.problem_is_new else None
    if outcome.summarized:
        lines = _titles(outcome.titles, len(outcome.summarized))
        if new_problem:
            lines.append(f"{new_problem.title}. {new_problem.advice}")
        return _notice(count_line(outcome), "\n".join(lines), outcome.summarized)
    return of_problem(new_problem) if new_problem else None


def of_nothing(outcome: Outcome) -> Notice:
    """Answer a person who asked for a round in which nothing happened."""
    problem = outcome.problem
    if problem:
        return of_problem(problem)
    why = outcome.skipped or "A session is summarized once it has been quiet for a while."
    return _notice("Nothing to summarize", why, ())


def of_problem(problem: ChatRecallError) -> Notice:
    """Say what is wrong, and the way out."""
    return _notice(one_line(problem.title), problem.advice or "See the log.", ())


def count_line(outcome: Outcome) -> str:
    """How many sessions were summarized and what it cost, if anything."""
    count = len(outcome.summarized)
    line = "1 session summarized" if count == 1 else f"{count} sessions summarized"
    return f"{line}, {dollars(outcome.cost_usd)}" if outcome.cost_usd > 0 else line


def _titles(titles: tuple[str, ...], count: int) -> list[str]:
    shown = titles[:_MOST_TITLES]
    lines = [f"• {fit(one_line(title), _SESSION_UNITS)}" for title in shown]
    if count > len(shown):
        lines.append(f"and {count - len(shown)} more")
    return lines


def _notice(title: str, body: str, session_ids: tuple[str, ...]) -> Notice:
    return Notice(fit(title, _TITLE_UNITS), fit(body, _BODY_UNITS), session_ids)
