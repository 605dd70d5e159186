"""Counting subagents (first cut by the lead)."""

from __future__ import annotations

import os


def count(transcript_path: str) -> int:
    """How many subagents ran under a session."""
    folder = os.path.join(os.path.splitext(transcript_path)[0], "subagents")
    try:
        with os.scandir(folder) as entries:
            return sum(entry.name.endswith(".jsonl") for entry in entries)
    except OSError:
        return 0
