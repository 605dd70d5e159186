"""Sample sessions: what they say is in `assets/samples/`, here they become transcripts."""

from __future__ import annotations

import json
import os
import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from core import paths, times

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLIENT = "2.1.332"
_MODEL = "claude-opus-5"
_NAMES = uuid.UUID("5b0bb5a4-94d2-4c63-8f0c-1d7c9fbb3a6e")
_TURN = timedelta(seconds=95)


def write(projects: str, home: str) -> list[str]:
    """Write all samples below `projects` as Claude Code would have; returns their files.

    They happened in folders below `home`, in the days before today.
    """
    now = datetime.now(UTC)
    with open(paths.asset("samples/sessions.json"), encoding="utf-8") as stream:
        sessions = json.load(stream)
    return [_write(projects, home, now, number, said) for number, said in enumerate(sessions)]


def _write(projects: str, home: str, now: datetime, number: int, said: dict[str, Any]) -> str:
    cwd = os.path.join(home, "code", said["project"])
    start = (now - timedelta(days=said["days_ago"])).replace(hour=14, minute=7 * number, second=12)
    session_id = str(uuid.uuid5(_NAMES, f"session {number}"))
    folder = os.path.join(projects, re.sub(r"[^A-Za-z0-9]", "-", cwd))
    os.makedirs(folder, exist_ok=True)
    os.makedirs(cwd, exist_ok=True)
    file = os.path.join(folder, f"{session_id}.jsonl")
    with open(file, "w", encoding="utf-8") as stream:
        for row in _rows(said, session_id, cwd, start):
            stream.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    return file


def _rows(
    said: dict[str, Any], session_id: str, cwd: str, at: datetime
) -> Iterator[dict[str, Any]]:
    parent: str | None = None
    for number, turn in enumerate(said["turns"]):
        (kind, content), *_ = turn.items()
        own = str(uuid.uuid5(_NAMES, f"{session_id} {number}"))
        yield {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": cwd,
            "sessionId": session_id,
            "version": _CLIENT,
            "gitBranch": "main",
            **_message(kind, content, own),
            "uuid": own,
            "timestamp": times.stored(at),
        }
        parent, at = own, at + _TURN
    yield {"type": "ai-title", "aiTitle": said["title"], "sessionId": session_id}


def _message(kind: str, content: Any, own: str) -> dict[str, Any]:
    """What one entry of the samples is in a transcript: `user`, `claude` or a tool that ran."""
    if kind == "user":
        message = {"role": "user", "content": content}
        return {"type": "user", "promptSource": "typed", "message": message}
    if kind == "result":
        result = {"type": "tool_result", "tool_use_id": "toolu_sample", "content": content}
        message = {"role": "user", "content": [result]}
        return {"type": "user", "message": message, "toolUseResult": content}
    block = {"type": "text", "text": content}
    if kind == "bash":
        block = {
            "type": "tool_use",
            "id": "toolu_sample",
            "name": "Bash",
            "input": {"command": content},
        }
    return {
        "type": "assistant",
        "message": {
            "id": f"msg_{own[:8]}",
            "type": "message",
            "role": "assistant",
            "model": _MODEL,
            "content": [block],
            "stop_reason": "tool_use" if kind == "bash" else "end_turn",
            "usage": {"input_tokens": 1200, "output_tokens": 160},
        },
    }
