"""Questions whose answers are known: for measuring how well a search finds the right session."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import times
from core.database import transaction
from core.search import index
from core.search.search import search

if TYPE_CHECKING:
    import sqlite3

FIXTURE = Path(__file__).parent.parent / "fixtures" / "retrieval" / "sessions.jsonl"
DEPTH = 10
"""How many results are looked at; an answer further down counts as not found."""


@dataclass(frozen=True)
class Question:
    """A query and the sessions that answer it."""

    text: str
    kinds: tuple[str, ...]
    answers: frozenset[str]


@dataclass(frozen=True)
class Collection:
    """Sessions to search and questions to ask."""

    sessions: list[dict[str, Any]]
    questions: list[Question]
    now: datetime | None = None


@dataclass
class Score:
    """How well questions were answered."""

    questions: int = 0
    hit_1: int = 0
    hit_5: int = 0
    reciprocal: float = 0.0
    missed: list[str] = field(default_factory=list)

    def add(self, question: Question, found: Sequence[str]) -> None:
        """Count one answer: the ids that were found, the best first."""
        place = next((n for n, each in enumerate(found, 1) if each in question.answers), 0)
        self.questions += 1
        self.hit_1 += place == 1
        self.hit_5 += 1 <= place <= 5
        self.reciprocal += 1 / place if place else 0.0
        if not 1 <= place <= 5:
            self.missed.append(question.text)

    def rates(self) -> tuple[float, float, float]:
        """hit@1, hit@5 and MRR: shares of all questions."""
        asked = max(1, self.questions)
        return self.hit_1 / asked, self.hit_5 / asked, self.reciprocal / asked


def own_collection() -> Collection:
    """The labelled coding sessions of this repository."""
    lines = FIXTURE.read_text(encoding="utf-8").splitlines()
    sessions = [json.loads(line) for line in lines]
    questions = [
        Question(text, (kind, language), frozenset([session["session_id"]]))
        for session in sessions
        for language in [session.pop("language")]
        for kind, text in session.pop("questions")
    ]
    return Collection(sessions, questions, datetime.fromisoformat("2026-11-30T12:00:00+00:00"))


def locomo(path: str) -> Collection:
    """LoCoMo's ten conversations in one pool, read from a copy of `locomo10.json`."""
    sessions: list[dict[str, Any]] = []
    questions: list[Question] = []
    for conversation in json.loads(Path(path).read_text(encoding="utf-8")):
        name = conversation["sample_id"]
        own = list(_locomo_sessions(name, conversation))
        known = {session["session_id"] for session in own}
        sessions += own
        for asked in conversation["qa"]:
            evidence = " ".join(asked.get("evidence") or ())
            answers = {f"{name}-{number}" for number in re.findall(r"D:?(\d+):", evidence)} & known
            if answers:
                kind = _LOCOMO_KINDS[asked["category"]]
                questions.append(Question(asked["question"], (kind,), frozenset(answers)))
    return Collection(sessions, questions)


_LOCOMO_KINDS = {1: "multi-hop", 2: "time", 3: "open", 4: "single-hop", 5: "adversarial"}


def _locomo_sessions(name: str, conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    said = conversation["conversation"]
    number = 1
    while turns := said.get(f"session_{number}"):
        at = datetime.strptime(said[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        yield {
            "session_id": f"{name}-{number}",
            "started_at": times.stored(at.astimezone()),
            "summary": conversation["session_summary"][f"session_{number}_summary"],
            "exchanges": [
                f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption', '')}"
                for turn in turns
            ],
        }
        number += 1


def fill(db: sqlite3.Connection, sessions: Iterable[dict[str, Any]]) -> None:
    """Store sessions in an empty database and index them."""
    store(db, sessions)
    index.bring_up_to_date(db)
    index.optimize(db)


def store(db: sqlite3.Connection, sessions: Iterable[dict[str, Any]]) -> None:
    """Store sessions in an empty database.

    `exchanges` are texts, user and assistant in turn; all else is named as in the table `sessions`.
    """
    with transaction(db):
        for session in sessions:
            row = {key: value for key, value in session.items() if key != "exchanges"}
            row |= {key: json.dumps(row[key], ensure_ascii=False) for key in _LISTS & row.keys()}
            row = {"last_activity_at": row["started_at"], "revision": 1, **row}
            db.execute(
                f"INSERT INTO sessions ({', '.join(row)}) VALUES (:{', :'.join(row)})",
                row,
            )
            db.executemany(
                "INSERT INTO exchanges (session_id, seq, role, kind, text) VALUES (?, ?, ?, ?, ?)",
                [
                    (row["session_id"], seq, *_SPEAKERS[seq % 2], text)
                    for seq, text in enumerate(session.get("exchanges", ()))
                ],
            )


_LISTS = {"topics", "decisions", "search_terms"}
_SPEAKERS = (("user", "human"), ("assistant", "assistant_text"))


def measure(db: sqlite3.Connection, collection: Collection) -> dict[str, Score]:
    """Ask all questions; the scores by kind, those of all questions under `all`."""
    scores: dict[str, Score] = {"all": Score()}
    for question in collection.questions:
        result = search(db, question.text, limit=DEPTH, now=collection.now)
        found = [match.session.session_id for match in result.matches]
        for name in ("all", *question.kinds):
            scores.setdefault(name, Score()).add(question, found)
    return scores
