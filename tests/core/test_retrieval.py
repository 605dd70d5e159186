"""The quality of search on the labelled sessions: it may rise, not fall."""

from __future__ import annotations

import pytest

from core import database
from tests.support.retrieval import FIXTURE, Collection, Score, fill, measure, own_collection


@pytest.fixture(scope="module")
def collection() -> Collection:
    return own_collection()


@pytest.fixture(scope="module")
def scores(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Score]:
    db = database.connect(str(tmp_path_factory.mktemp("retrieval") / "labelled.db"))
    fill(db, collection.sessions)
    scores = measure(db, collection)
    db.close()
    return scores


def test_the_answer_comes_first_or_among_the_first_five(scores: dict[str, Score]) -> None:
    hit_1, hit_5, _ = scores["all"].rates()
    assert hit_1 >= 0.95
    assert hit_5 >= 0.985, scores["all"].missed


@pytest.mark.parametrize(
    ("kind", "first", "among_five"),
    [
        ("keywords", 0.98, 1),
        ("identifier", 0.98, 1),
        ("error", 0.96, 1),
        ("path", 1, 1),
        ("version", 1, 1),
        ("flag", 0.84, 0.94),
        ("typo", 0.95, 1),
        ("part", 0.95, 1),
        ("time", 0.93, 1),
        ("question", 0.95, 1),
        ("vague", 0.77, 0.93),
    ],
)
def test_each_kind_of_question_finds_its_session(
    scores: dict[str, Score], kind: str, first: float, among_five: float
) -> None:
    hit_1, hit_5, _ = scores[kind].rates()
    assert hit_1 >= first
    assert hit_5 >= among_five, scores[kind].missed


@pytest.mark.parametrize("language", ["en", "zh", "ja", "ko", "ru", "fr", "de", "es", "vi"])
def test_each_language_finds_its_sessions(scores: dict[str, Score], language: str) -> None:
    hit_1, hit_5, _ = scores[language].rates()
    assert hit_1 >= 0.84
    assert hit_5 >= 0.98, scores[language].missed


def test_the_collection_is_as_large_as_it_claims(collection: Collection) -> None:
    assert len(collection.sessions) == 115
    assert len(collection.questions) == 418
    assert FIXTURE.stat().st_size < 200_000
