"""The page: what was found, and all that is known, as one HTML file that needs nothing else.

No server and no port: what any program on the machine could ask for would be given away. The file
is readable by its owner only and asks nothing of the network; its security policy lets only the one
script and the one style sheet run that are in it.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import sys
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from core import paths, sessions, times
from core.display.browser import open_page
from core.display.conversation import Turn, turns
from core.display.library import library_json
from core.display.markdown import sentence_html
from core.display.markup import marked
from core.display.page_files import write_page
from core.display.resume import resume_command
from core.display.visible import visible
from core.search.dates import MONTHS, WEEKDAYS
from core.search.query import OPERATORS
from core.search.results import Match, Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


__all__ = ["gather", "open_page", "render", "write_library", "write_results", "write_sessions"]

CONVERSATION_CHARACTERS = 600_000
"""How much conversation one page holds, shared by its sessions."""


@dataclass(frozen=True)
class Card:
    """One session on the page."""

    match: Match
    name: str
    exchanges: int
    turns: tuple[Turn, ...]
    context: tuple[Turn, ...]
    """The matching exchange with its neighbours; empty where the match is in the summary."""

    @property
    def left_out_behind(self) -> int:
        """Exchanges behind the last turn that are not shown."""
        return self.exchanges - len(self.turns) - sum(turn.left_out for turn in self.turns)

    @property
    def is_cut(self) -> bool:
        """Whether any of the conversation is not shown."""
        return len(self.turns) < self.exchanges or any(turn.cut for turn in self.turns)


@dataclass(frozen=True)
class View:
    """All that a page shows."""

    kind: str
    """`results`, `library` or `sessions` (chosen ones, without a query)."""
    result: Result
    cards: tuple[Card, ...]
    total: int
    """How many sessions there are."""
    summarized: int
    """How many of them have a summary."""
    library: str
    """All of them, see `library_json`."""
    made_at: datetime
    windows: bool


def write_results(db: sqlite3.Connection, result: Result) -> str:
    """Write the page of a search result and return its path."""
    return _write(gather(db, "results", result))


def write_sessions(db: sqlite3.Connection, session_ids: Iterable[str]) -> str:
    """Write a page with these sessions and their conversations, and return its path."""
    wanted = list(dict.fromkeys(session_ids))
    known = sessions.get_sessions(db, wanted)
    matches = tuple(Match(known[name], 0.0, "", None) for name in wanted if name in known)
    return _write(gather(db, "sessions", Result("", matches, (), len(matches))))


def write_library(db: sqlite3.Connection) -> str:
    """Write the page of all sessions and return its path."""
    return _write(gather(db, "library", Result("", (), (), 0)))


def render(view: View) -> str:
    """Write the page as HTML. Depends on nothing but `view`, the assets and the local time zone."""
    environment, style, script = _assets()
    return environment.get_template("page.html").render(
        view=view,
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
        operators=OPERATORS,
    )


def gather(db: sqlite3.Connection, kind: str, result: Result) -> View:
    """Collect what a page of this kind shows."""
    windows = sys.platform == "win32"
    share = CONVERSATION_CHARACTERS // max(1, len(result.matches))
    names = sessions.names_of(db, (match.session.session_id for match in result.matches))
    total, summarized = db.execute("SELECT count(*), total(summary <> '') FROM sessions").fetchone()
    return View(
        kind=kind,
        result=result,
        cards=tuple(
            _card(db, match, names[match.session.session_id], result.words, share)
            for match in result.matches
            if match.session.session_id in names  # it may have been forgotten just now
        ),
        total=total,
        summarized=int(summarized),
        library=library_json(db, windows=windows),
        made_at=datetime.now().astimezone(),
        windows=windows,
    )


def _card(
    db: sqlite3.Connection, match: Match, name: str, words: tuple[str, ...], characters: int
) -> Card:
    exchanges = sessions.exchanges_of(db, match.session.session_id)
    said = turns(exchanges, words, around=match.seq, characters=characters)
    return Card(match, name, len(exchanges), said, _around(said, match.seq))


def _around(said: tuple[Turn, ...], seq: int | None) -> tuple[Turn, ...]:
    """Find the turn with this seq and its neighbours."""
    places = [place for place, turn in enumerate(said) if turn.exchange.seq == seq]
    return said[max(0, places[0] - 1) : places[0] + 2] if places else ()


@lru_cache(maxsize=1)
def _assets() -> tuple[jinja2.Environment, str, str]:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(paths.asset("page")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
    )
    environment.filters.update(
        day=_day,
        clock=_clock,
        marked=marked,
        sentence=sentence_html,
        resume=resume_command,
        local=times.parse,
    )
    return environment, _read("style.css"), _read("script.js")


def _finalize(value: object) -> object:
    return visible(value) if type(value) is str else value


def _read(name: str) -> str:
    with open(paths.asset(f"page/{name}"), encoding="utf-8") as stream:
        return stream.read()


def _policy(style: str, script: str) -> str:
    """Allow this style and this script, by their hashes, and nothing else."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _day(moment: datetime) -> str:
    day, month = WEEKDAYS[moment.weekday()], MONTHS[moment.month - 1]
    return f"{day[:3]} {moment.day} {month[:3]} {moment.year}"


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M}"


def _write(view: View) -> str:
    name = f"{view.kind}-{view.made_at:%Y-%m-%d-%H%M%S}-{secrets.token_hex(3)}.html"
    return write_page(name, render(view))
