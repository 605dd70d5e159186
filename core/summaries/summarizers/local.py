"""The summarizer that needs nobody: it picks sentences and terms out of the conversation.

No network, no model, no cost, the same answer each time. What it writes is the conversation's own
words, so it is in the conversation's language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.summaries.condense import LEFT_OUT
from core.summaries.cues import is_small_talk, tells_decision
from core.summaries.ledger import Usage
from core.summaries.summarizer import Summary
from core.summaries.terms import telling_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.summaries.condense import Condensed, Turn

_REQUEST_MOST, _STATE_MOST, _DECISION_MOST = 240, 240, 200  # characters
_DECISION_LEAST = 24  # UTF-8 bytes, so that fewer Chinese characters say as much
_TOPICS, _DECISIONS = 12, 6
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s*)+|\*\*", re.MULTILINE)
_NO_PROSE = re.compile(r"^\s*(?:\||[-=*_]{3,}\s*$|[{}\[\]<])")
_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_PREAMBLE_MOST = 18  # characters; "Done." or "Great!" says nothing by itself
_BARE = re.compile(r"\s*(?:!|/\S+\s*$)")  # a shell command, or a slash command by itself
_STATE_LEAST = 12  # characters
_LOOK_BACK = 6  # answers; the last ones may be mere politeness


class LocalSummarizer:
    """Extracts; never invents."""

    written_by = "local"
    account = "local"
    input_budget = 8_000

    def expected(self, _conversation_tokens: int) -> Usage:
        """Nothing."""
        return Usage()

    def summarize(self, conversation: Condensed) -> Summary:
        """The first request, the last state, the terms that stand out, the decisions as said."""
        turns = conversation.turns
        former = conversation.former
        state = _last_state(turns)
        if former and former.summary:
            opening, topics, decided = former.summary, former.topics, former.decisions
        else:
            opening, topics, decided = _first_request(turns), (), ()
        fresh = telling_terms([turn.text for turn in turns], _TOPICS)
        return Summary(
            summary=" → ".join(part for part in _without_repeats([opening, state]) if part),
            topics=tuple(_without_repeats([*fresh, *topics]))[:_TOPICS],
            decisions=tuple(_without_repeats([*decided, *_decisions(turns)]))[-_DECISIONS:],
            project_name=conversation.project_name,
        )


def _first_request(turns: Iterable[Turn]) -> str:
    asked = [turn.text for turn in turns if turn.role != "assistant"]
    telling = [text for text in asked if not is_small_talk(text) and not _BARE.match(text)]
    return _opening(next(iter([*telling, *asked]), ""), _REQUEST_MOST)


def _last_state(turns: Iterable[Turn]) -> str:
    for answer in reversed(_answers(turns)[-_LOOK_BACK:]):
        state = _opening(answer, _STATE_MOST, skip=_PREAMBLE_MOST)
        if len(state) >= _STATE_LEAST:
            return state
    return ""


def _answers(turns: Iterable[Turn]) -> list[str]:
    """The answers, those to mere small talk left out."""
    answers, is_polite = [], False
    for turn in turns:
        if turn.role != "assistant":
            is_polite = is_small_talk(turn.text)
        elif not is_polite:
            answers.append(turn.text)
    return answers


def _decisions(turns: Iterable[Turn]) -> Iterator[str]:
    for turn in turns:
        if tells_decision(turn.text):
            yield from (
                sentence
                for sentence in _sentences(turn.text)
                if _is_statement(sentence) and tells_decision(sentence)
            )


def _is_statement(sentence: str) -> bool:
    """Whether it can say what was decided: more than "Agreed!", less than a paragraph, not cut."""
    size = len(sentence.encode("utf-8", "replace"))
    if size < _DECISION_LEAST or len(sentence) > _DECISION_MOST:
        return False
    return sentence[-1] not in "…?？"


def _opening(text: str, most: int, *, skip: int = 0) -> str:
    """The first one or two sentences, at most `most` characters.

    Sentences of `skip` characters or less are passed over at the beginning of a long text.
    """
    chosen = ""
    for sentence in _sentences(text):
        if len(sentence) <= skip and not chosen and len(text) > most:
            continue
        if chosen and len(chosen) + len(sentence) > most:
            break
        chosen = f"{chosen}{_joint(chosen)}{sentence}"
        if len(chosen) > most // 2:
            break
    return chosen if len(chosen) <= most else f"{chosen[: most - 1].rstrip()}…"


def _joint(before: str) -> str:
    """What goes between two sentences, so that list items don't run into each other."""
    if not before:
        return ""
    return " " if before[-1] in ".!?:;,。！？：；，" else "; "


def _sentences(text: str) -> Iterator[str]:
    """The sentences of the prose in a text, without code, tables and markup."""
    prose = LEFT_OUT.sub(" …\n", _FENCE.sub("\n", text))
    for line in _MARKUP.sub("", prose).splitlines():
        if not _NO_PROSE.match(line):
            yield from (part for piece in _SENTENCE_END.split(line) if (part := piece.strip()))


def _without_repeats(texts: Iterable[str]) -> list[str]:
    seen: dict[str, str] = {}
    for text in texts:
        seen.setdefault(text.casefold(), text)
    return list(seen.values())
