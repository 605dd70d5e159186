"""How well search finds: `python -m tests.benchmarks.retrieval [path/to/locomo10.json]`.

Asks labelled questions of several collections and prints hit@1, hit@5 and MRR: by kind of question,
and again with each step of the search switched off, so that one sees what it is worth. Collections:

own     the coding sessions of tests/fixtures/retrieval
noise   the same among 2,000 sessions that hold their common words, shuffled
uneven  the same, each grown by such words, so that lengths differ a thousandfold
LoCoMo  ten long conversations in one pool, not part of this repository (CC BY-NC 4.0)
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from core import database
from core.search import known_words, query, ranking, stop_words, words
from tests.support.retrieval import Collection, Score, fill, locomo, measure, own_collection

if TYPE_CHECKING:
    import sqlite3

NOISE = 2_000


def main() -> None:
    """Measure all collections and print both tables."""
    collections = {"own": own_collection()}
    collections["noise"] = among_noise(collections["own"])
    collections["uneven"] = unevenly_long(collections["own"])
    if len(sys.argv) > 1:
        collections["LoCoMo"] = locomo(sys.argv[1])
    with ExitStack() as opened:
        databases = {
            name: opened.enter_context(filled(collection))
            for name, collection in collections.items()
        }
        for name, collection in collections.items():
            print_kinds(name, databases[name], collection)
        print_steps(databases, collections)


def print_kinds(name: str, db: sqlite3.Connection, collection: Collection) -> None:
    """One row a kind of question."""
    print(f"\n{name}: {len(collection.sessions):,} sessions")
    print(f"{'':<14}{'questions':>10}{'hit@1':>8}{'hit@5':>8}{'MRR':>8}")
    for kind, score in measure(db, collection).items():
        figures = "".join(f"{rate:>8.3f}" for rate in score.rates())
        print(f"{kind:<14}{score.questions:>10}{figures}")


def print_steps(
    databases: dict[str, sqlite3.Connection], collections: dict[str, Collection]
) -> None:
    """One row a step: hit@1, hit@5 and MRR in each collection without it."""
    print(f"\n{'without':<24}" + "".join(f"{name:>22}" for name in collections))
    for step in STEPS:
        scores = [step.measure_without(databases[name], each) for name, each in collections.items()]
        cells = [" ".join(f"{rate:.3f}" for rate in score.rates()) for score in scores]
        print(f"{step.name:<24}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


@contextmanager
def filled(collection: Collection) -> Iterator[sqlite3.Connection]:
    """A database of its own with these sessions."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(database.connect(os.path.join(folder, "measured.db"))) as db,
    ):
        fill(db, collection.sessions)
        yield db


def among_noise(own: Collection) -> Collection:
    """The same questions with sessions around that hold the same common words, and no answer."""
    chance, chatter = random.Random(7), Chatter(own)
    noise = [
        {
            "session_id": f"noise-{number}",
            "started_at": f"2026-{6 + number % 6:02}-{1 + number % 28:02}T10:00:00.000Z",
            "exchanges": chatter.texts(1 + int(chance.lognormvariate(1.2, 1.1))),
        }
        for number in range(NOISE)
    ]
    return replace(own, sessions=own.sessions + noise)


def unevenly_long(own: Collection) -> Collection:
    """The same sessions, each with some more turns: most with a few, some with hundreds."""
    chance, chatter = random.Random(3), Chatter(own)
    grown = [
        {
            **session,
            "exchanges": session["exchanges"] + chatter.texts(int(chance.lognormvariate(2, 2.5))),
        }
        for session in own.sessions
    ]
    return replace(own, sessions=grown)


class Chatter:
    """Texts of words that stand in several sessions, in no order."""

    def __init__(self, collection: Collection) -> None:
        said = [text for session in collection.sessions for text in session["exchanges"]]
        known = Counter(token for text in said for token in set(words.tokens(text)))
        self._pieces = [
            piece
            for text in said
            for piece in text.split()
            if all(known[token] >= 3 for token in words.tokens(piece))
        ]
        self._chance = random.Random(1)

    def texts(self, number: int) -> list[str]:
        """So many texts of sixty words."""
        return [" ".join(self._chance.choices(self._pieces, k=60)) for _ in range(number)]


@dataclass(frozen=True)
class Step:
    """Something that the search does, and how it is switched off."""

    name: str
    patches: tuple[tuple[Any, str, object], ...] = ()
    left_out: tuple[str, ...] = ()
    """Fields of the sessions that are not stored."""
    is_indexed: bool = False
    """Whether the index has to be built without it."""

    def measure_without(self, db: sqlite3.Connection, collection: Collection) -> Score:
        """Ask all questions without this step."""
        with ExitStack() as off:
            for module, name, value in self.patches:
                off.enter_context(patch.object(module, name, value))
            if self.is_indexed:
                less = [
                    {key: value for key, value in session.items() if key not in self.left_out}
                    for session in collection.sessions
                ]
                db = off.enter_context(filled(replace(collection, sessions=less)))
            return measure(db, collection)["all"]


PARTS = query.Term.parts


def only_characters(term: query.Term) -> tuple[query.Term, ...]:
    """The parts of an unspaced run, none of `foo-bar.py`."""
    return PARTS(term) if words.is_unspaced(term.tokens[0]) else ()


WRITTEN = ("title", "summary", "topics", "decisions", "search_terms")
ENGLISH = frozenset(stop_words.ENGLISH.split())
STEPS = (
    Step("(nothing)"),
    Step("conversation", left_out=("exchanges",), is_indexed=True),
    Step("summary and its terms", left_out=WRITTEN, is_indexed=True),
    Step("search terms", left_out=("search_terms",), is_indexed=True),
    Step("pairs of characters", ((words, "paired", lambda run: f" {run} "),), is_indexed=True),
    Step("stop words", ((query, "is_stop_word", lambda _: False),)),
    Step("other stop words", ((query, "is_stop_word", ENGLISH.__contains__),)),
    Step("Cyrillic beginnings", ((query, "inflected_beginning", lambda token: token),)),
    Step("parts of compounds", ((query.Term, "parts", only_characters),)),
    Step("whole query", ((query, "whole_query", lambda _: None),)),
    Step("similar words", ((known_words, "correct", lambda *_: ""),)),
    Step("words that begin so", ((known_words, "SHORTEST_BEGINNING", 99),)),
    Step("time in passing", ((ranking, "ABOUT", 0.0),)),
    Step("what stands together", ((ranking, "TOGETHER", 0.0),)),
    Step("damping of long ones", ((ranking, "DAMPING", 0.0),)),
)


if __name__ == "__main__":
    main()
