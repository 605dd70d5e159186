from __future__ import annotations

import pytest

from core.summaries.cues import is_small_talk, tells_decision


@pytest.mark.parametrize(
    "text",
    ["hi", "Hello Claude!", "ok, thanks :)", "你好", "こんにちは！", "Guten Morgen", "/clear",
     "/model opus", "test", "👋", "…", ""],
)  # fmt: skip
def test_small_talk_has_no_content(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    ["hi, why does auth.py fail?", "fix it", "/review src/app.ts", "build", "修复登录", "continue",
     "thanks " * 20, "!ls -la"],
)  # fmt: skip
def test_whatever_asks_for_something_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    ["Let’s go with Redis.", "We decided against it.", "Wir nehmen nun doch Postgres.",
     "Usamos Vite en lugar de Webpack.", "Решили хранить в S3.", "改用 PostgreSQL", "Redisにします",
     "레디스로 결정했습니다", "x " * 5_000 + "The root cause was a typo."],
)  # fmt: skip
def test_decisions_announce_themselves(text: str) -> None:
    assert tells_decision(text)


def test_a_question_is_no_decision() -> None:
    assert not tells_decision("Which database should I take?")
