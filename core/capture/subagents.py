"""Counting subagents: their text stays out of the conversation, the session says how many ran."""

from __future__ import annotations

import os

# Claude Code's own helpers: compaction, suggested prompts and side questions.
_HELPERS = ("agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-")


def count(transcript_path: str) -> int:
    """How many subagents ran under the session of this transcript.

    Each has a file `<session>/subagents/**/agent-<id>.jsonl` (Claude Code 2.1 on). Only names are
    looked at, so a hundred thousand files take a tenth of a second.
    """
    return _count_below(os.path.join(os.path.splitext(transcript_path)[0], "subagents"))


def _count_below(folder: str) -> int:
    found = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith("agent-") and entry.name.endswith(".jsonl"):
                    found += not entry.name.startswith(_HELPERS)
                elif entry.is_dir(follow_symlinks=False):
                    found += _count_below(entry.path)
    except OSError:
        pass  # no such folder for most sessions; one that can't be read has none that count
    return found
