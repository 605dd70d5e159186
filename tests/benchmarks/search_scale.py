"""Times search by size: `python -m tests.benchmarks.search_scale [SESSIONS …]` (1,000 and 10,000).

Sessions have 10 KB of conversation on average, most of them less, a few much more, one in ten in
Chinese; their words are as unevenly common as words are (Zipf's law). Prints for each size how long
the index takes to build and how large it is, what one more session costs, how long searches of
several kinds take in process, and how long the whole command takes, with the page written.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from core import database, paths
from core.search import index
from core.search.search import search
from tests.support.retrieval import store

if TYPE_CHECKING:
    import sqlite3

SIZES = (1_000, 10_000)
QUERIES = 100
COMMANDS = 7
VOCABULARY = 80_000
_COMMONEST = 12  # words in nearly each session; stop words would be such
_STARTER = Path(__file__).parent.parent.parent / "__main__.py"


class Writer:
    """Writes sessions and queries. The same seed gives the same ones."""

    def __init__(self) -> None:
        self._random = random.Random(1)
        self.words = sorted({self._word() for _ in range(VOCABULARY)})
        self._random.shuffle(self.words)
        self.characters = [chr(0x4E00 + number) for number in range(3_000)]
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))
        self._rare_weights = self._weights[: len(self.characters)]

    def sessions(self, number: int) -> Iterator[dict[str, Any]]:
        """So many sessions, with summaries."""
        for each in range(number):
            words = int(self._random.lognormvariate(6.7, 1.0))
            texts = [self._text(min(150, words)) for _ in range(max(1, words // 150))]
            if each % 10 == 0:
                texts = [self._chinese(400) for _ in texts]
            day = f"2026-{1 + each % 12:02}-{1 + each % 28:02}"
            yield {
                "session_id": f"00000000-0000-4000-8000-{each:012}",
                "project_name": f"project-{each % 40}",
                "project_path": f"/home/dev/project-{each % 40}",
                "started_at": f"{day}T{each % 24:02}:00:00.000Z",
                "title": self._text(6),
                "summary": self._text(50),
                "topics": [self._text(2) for _ in range(5)],
                "decisions": [self._text(8) for _ in range(2)],
                "search_terms": [self._text(2) for _ in range(20)],
                "exchanges": texts,
            }

    def queries(self) -> dict[str, Callable[[], str]]:
        """Kinds of queries, each a function that makes one."""
        return {
            "three words": lambda: " ".join(self._pick(200, 5_000) for _ in range(3)),
            "a question": lambda: " ".join(
                ["why", "did", "the", *(self._pick(0, 3_000) for _ in range(7))]
            ),
            "common words": lambda: " ".join(self._pick(0, 60) for _ in range(5)),
            "with a typo": lambda: f"{self._pick(200, 2_000)} {self._misspelt()}",
            "an unknown word": lambda: f"{self._pick(200, 2_000)} {self._word()}xqjzq",
            "in a project": lambda: (
                f"{self._pick(200, 5_000)} {self._pick(20, 500)} project:project-7"
            ),
            "since a day": lambda: f"{self._pick(200, 5_000)} {self._pick(20, 500)} after:2026-06",
            "a phrase": lambda: f'"{self._pick(0, 40)} {self._pick(0, 40)}"',
            "Chinese": lambda: self._chinese(8),
            "a pasted log": lambda: self._text(300),
        }

    def _word(self) -> str:
        letters = "etaoinshrdlucmfwypvbgkxz"
        return "".join(self._random.choices(letters, k=self._random.randint(3, 10)))

    def _text(self, words: int) -> str:
        return " ".join(self._random.choices(self.words, cum_weights=self._weights, k=words))

    def _chinese(self, length: int) -> str:
        weights = self._rare_weights
        return "".join(self._random.choices(self.characters, cum_weights=weights, k=length))

    def _pick(self, first: int, last: int) -> str:
        return self.words[_COMMONEST + self._random.randrange(first, last)]

    def _misspelt(self) -> str:
        word = next(word for word in iter(lambda: self._pick(200, 5_000), "") if len(word) > 7)
        return f"{word[:4]}{word[5]}{word[4]}{word[6:]}"


def main() -> None:
    """Measure each size in a home of its own."""
    for number in map(int, sys.argv[1:] or SIZES):
        with tempfile.TemporaryDirectory() as home:
            os.environ["CLAUDE_CONFIG_DIR"] = home
            writer = Writer()
            with closing(database.connect()) as db:
                print_building(db, writer, number)
                print_searching(db, writer)
            print_command(writer)


def print_building(db: sqlite3.Connection, writer: Writer, number: int) -> None:
    """Fill and index the database."""
    store(db, writer.sessions(number))
    (characters,) = db.execute("SELECT sum(length(text)) FROM exchanges").fetchone()
    before = os.path.getsize(paths.database_file())
    start = time.perf_counter()
    index.rebuild(db)
    seconds = time.perf_counter() - start
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = os.path.getsize(paths.database_file()) - before
    db.execute("UPDATE sessions SET revision = revision + 1 WHERE rowid % 500 = 0")
    changed, start = index.pending(db), time.perf_counter()
    index.bring_up_to_date(db)
    each = (time.perf_counter() - start) / max(1, changed)
    print(
        f"\n{number:,} sessions, {characters / 1e6:.0f} million characters: index built in "
        f"{seconds:.1f} s, {size / 1e6:.0f} MB; one changed session {each * 1000:.1f} ms"
    )


def print_searching(db: sqlite3.Connection, writer: Writer) -> None:
    """One row a kind of query: median and 95th percentile, and the same while typing."""
    print(f"{'in process':<16}{'median':>12}{'p95':>12}{'typing':>12}{'p95':>12}")
    everything: list[float] = []
    for kind, make in writer.queries().items():
        queries = [make() for _ in range(QUERIES)]
        whole = [_time(partial(search, db, query)) for query in queries]
        parts = [query[: max(3, len(query) * 2 // 3)] for query in queries]
        typed = [_time(partial(search, db, query, typing=True)) for query in parts]
        everything += whole
        print(f"{kind:<16}{_columns(whole)}{_columns(typed)}")
    print(f"{'all':<16}{_columns(everything)}")


def print_command(writer: Writer) -> None:
    """The whole `chatrecall search`, process start and page included."""
    make = writer.queries()["a question"]
    command = [sys.executable, str(_STARTER), "search", "--no-open"]
    times = [
        _time(lambda: subprocess.run([*command, make()], capture_output=True, check=True))
        for _ in range(COMMANDS)
    ]
    nothing = [
        _time(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        for _ in range(COMMANDS)
    ]
    print(f"{'the command':<16}{_columns(times)}   (python -c pass: {median(nothing):.0f} ms)")


def _time(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def _columns(times: list[float]) -> str:
    return f"{median(times):>9.1f} ms{quantiles(times, n=20)[-1]:>9.1f} ms"


if __name__ == "__main__":
    main()
