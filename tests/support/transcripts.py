"""Small transcripts as Claude Code writes them, one line at a time."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_START = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)


class Transcript:
    """One session's file under a Claude config dir, written to like the client does."""

    def __init__(self, claude_dir: Path, cwd: str = "/home/dev/shop") -> None:
        self.session_id = str(uuid.uuid4())
        self.cwd = cwd
        self.path = claude_dir / "projects" / "-home-dev-shop" / f"{self.session_id}.jsonl"
        self._lines = 0

    def user(self, text: str) -> None:
        """Append what a person typed."""
        self.append(self.line("user", {"role": "user", "content": text}, promptSource="typed"))

    def assistant(self, text: str) -> None:
        """Append an answer."""
        content = [{"type": "text", "text": text}]
        message = {"id": f"msg_{uuid.uuid4().hex}", "role": "assistant", "content": content}
        self.append(self.line("assistant", message))

    def line(self, kind: str, message: Mapping[str, object], **more: object) -> str:
        """A line with its line end, not written yet."""
        self._lines += 1
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": "2.1.332",
            "entrypoint": "cli",
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": f"{_START + timedelta(seconds=self._lines):%Y-%m-%dT%H:%M:%S}.000Z",
            **more,
        }
        return json.dumps(record, ensure_ascii=False) + "\n"

    def append(self, text: str) -> None:
        """Append text as it stands, which may be less than a line."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def payload(self, **more: object) -> dict[str, object]:
        """What Claude Code tells a Stop hook about this session."""
        return {
            "session_id": self.session_id,
            "transcript_path": str(self.path),
            "cwd": self.cwd,
            "permission_mode": "default",
            "hook_event_name": "Stop",
            "stop_hook_active": False,
            **more,
        }
