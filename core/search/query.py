"""What a person types, understood. Any text is a query; nothing here can fail or needs a database.

Words are looked for as typed, each for itself. On top of that: `"a phrase"` must stand word for
word, `-word` must not stand at all, `project:name`, `after:`, `before:` and `on:` with a date
narrow down where to look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.search.dates import ANY_TIME, Period, period, spoken_period
from core.search.stop_words import is_stop_word
from core.search.words import inflected_beginning, is_lone, is_unspaced, query_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

OPERATORS = (
    ('"two words"', "these words, next to each other"),
    ("-word", "without this word"),
    ("project:name", "only in this project"),
    ("after:2026-11-01", "on this day or later; also 2026-11, 2026, monday, yesterday, 3d, 2w"),
    ("before:2026-11-01", "before this day"),
    ("on:yesterday", "on this day, or in this month or year"),
)
"""The operators for a person: how each is written and what it means."""

SHORTEST_BEGINNING = 3
"""Fewer letters begin too many words to tell anything."""

MOST_TERMS = 100
"""Of a longer text, a pasted log for example, the first ones are looked for."""

_PIECE = re.compile(
    r"""(?P<operator>project|after|before|on):(?:"(?P<quoted>[^"]+)"|(?P<value>[^\s"]+))"""
    r"""|(?P<minus>-?)"(?P<phrase>[^"]+)"(?=\s|$)"""
    r"""|(?P<word>\S+)""",
    re.IGNORECASE,
)
_QUOTES = str.maketrans("“”„«»「」『』\0", '""""""""" ')
# Not `-m`, `-Xmx2g`, `-File`: those are flags.
_EXCLUDED = re.compile(r"-(?![A-Z])[^\W\d_](?:[\w.-]{2,}|[\u3040-\uffff])")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_AROUND = re.compile(r"^[^\w.+#-]+|[^\w+#]+$")


@dataclass(frozen=True)
class Term:
    """One thing to look for."""

    text: str
    """As it was typed, for showing and marking."""
    tokens: tuple[str, ...]
    """What the index holds of it; several must stand next to each other."""
    is_prefix: bool = False
    """Whether the last token may be only the beginning of one."""

    @property
    def match(self) -> str:
        """The FTS5 expression for it. Tokens are letters and digits, so none can break out."""
        return f'"{" ".join(self.tokens)}"{"*" if self.is_prefix else ""}'

    def parts(self) -> tuple[Term, ...]:
        """Its tokens, each for itself, without those that say nothing."""
        return tuple(_single(token, token) for token in self.tokens if _tells(token))


@dataclass(frozen=True)
class Query:
    """A text as it was understood."""

    terms: tuple[Term, ...] = ()
    """What to look for; a session need not hold them all."""
    whole: Term | None = None
    """All words as they were typed: an error message, found word for word, beats its words."""
    phrases: tuple[Term, ...] = ()
    """What each session must hold, word for word."""
    excluded: tuple[Term, ...] = ()
    """What no session may hold."""
    projects: tuple[str, ...] = ()
    within: Period = ANY_TIME
    """The time in which sessions must lie."""
    about: Period | None = None
    """A time that was named in passing ("last week"): sessions of then come first."""
    notes: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether it leaves out sessions for another reason than their words."""
        return bool(self.projects) or self.within != ANY_TIME


@dataclass(frozen=True)
class _Piece:
    kind: str
    text: str
    when: Period = ANY_TIME


def parse(text: str, now: datetime, *, typing: bool = False) -> Query:
    """Understand `text`. While somebody is `typing`, the last word may be unfinished."""
    pieces = [_piece(match, now) for match in _PIECE.finditer(text.translate(_QUOTES))]

    def of(kind: str) -> list[str]:
        return [piece.text for piece in pieces if piece.kind == kind]

    unfinished = _unfinished(pieces, text) if typing else None
    if unfinished:
        pieces.pop()
    words, about = _without_time([*of("word"), *of("no date")], now)
    every = {term.tokens: term for term in _terms(words)}.values()
    telling = [term for term in every if not all(map(is_stop_word, term.tokens))]
    terms = tuple(telling if telling or about else every)[:MOST_TERMS]
    if unfinished and (unfinished.is_prefix or not terms):
        terms = (*terms, unfinished)
    phrases = tuple(_phrases(of("phrase")))
    within = _within(pieces)
    if about and not (terms or phrases):
        within, about = _both(within, about), None
    return Query(
        terms=terms,
        whole=whole_query(of("word")) if len(terms) > 1 else None,
        phrases=phrases,
        excluded=tuple(_phrases(of("excluded"))),
        projects=tuple(of("project")),
        within=within,
        about=about,
        notes=tuple(f"“{word}” is no date like 2026-11-30 or yesterday." for word in of("no date")),
    )


def _piece(match: re.Match[str], now: datetime) -> _Piece:
    if match["phrase"]:
        return _Piece("excluded" if match["minus"] else "phrase", match["phrase"])
    if match["word"]:
        word, is_first = match["word"], not match.string[: match.start()].strip()
        excludes = _EXCLUDED.fullmatch(word) and not is_first  # a query may begin with a flag
        return _Piece("excluded", word[1:]) if excludes else _Piece("word", word)
    operator, value = match["operator"].lower(), match["quoted"] or match["value"]
    if operator == "project":
        return _Piece("project", value)
    when = period(value, now)
    return _Piece(operator, value, when) if when else _Piece("no date", value)


def _unfinished(pieces: Sequence[_Piece], text: str) -> Term | None:
    """The word at the end of what somebody is typing, as the beginning of one."""
    if not pieces or pieces[-1].kind != "word" or text[-1].isspace():
        return None
    found = query_tokens(pieces[-1].text)
    if len(found) != 1 or is_unspaced(found[0]):
        return None
    return Term(found[0], (found[0],), is_prefix=len(found[0]) >= SHORTEST_BEGINNING)


def _within(pieces: Iterable[_Piece]) -> Period:
    """The time that `after:`, `before:` and `on:` leave open."""
    within = ANY_TIME
    for piece in pieces:
        if piece.kind == "after":
            within = _both(within, Period(since=piece.when.since))
        elif piece.kind == "before":
            within = _both(within, Period(until=piece.when.since))
        elif piece.kind == "on":
            within = _both(within, piece.when)
    return within


def _both(one: Period, other: Period) -> Period:
    ends = [end for end in (one.until, other.until) if end]
    return Period(max(one.since, other.since), min(ends, default=""))


def _without_time(words: Sequence[str], now: datetime) -> tuple[list[str], Period | None]:
    """The words that don't name a time, and the time that the others name."""
    spoken = spoken_period(" ".join(words), now)
    if spoken is None:
        return list(words), None
    start, end, about = spoken
    said = " ".join(words)
    return f"{said[:start]} {said[end:]}".split(), about


def _terms(words: Iterable[str]) -> Iterator[Term]:
    for word in words:
        text = _POSSESSIVE.sub("", _AROUND.sub("", word))
        found = query_tokens(text)
        whole = _term(text, found)
        if whole and (len(found) == 1 or not any(map(is_unspaced, found))):
            yield whole
        if whole and len(found) > 1:  # `foo-bar.py`, `数据库`: the parts count as well
            yield from whole.parts()


def whole_query(words: Sequence[str]) -> Term | None:
    """All the words as one phrase."""
    return next(_phrases([" ".join(words[:MOST_TERMS])]), None)


def _phrases(texts: Iterable[str]) -> Iterator[Term]:
    return (term for text in texts if (term := _term(text.strip(), query_tokens(text))))


def _term(text: str, found: Sequence[str]) -> Term | None:
    if len(found) == 1:
        return _single(text, found[0])
    return Term(text, tuple(found), is_prefix=is_lone(found[-1])) if found else None


def _single(text: str, token: str) -> Term:
    beginning = inflected_beginning(token)
    return Term(text, (beginning,), is_prefix=beginning != token or is_lone(token))


def _tells(token: str) -> bool:
    """Whether a part of `v2.10` or `don't` is worth looking for without the rest."""
    if is_stop_word(token):
        return False
    return is_unspaced(token) or (len(token) > 1 and not (token.isdigit() and len(token) < 3))
