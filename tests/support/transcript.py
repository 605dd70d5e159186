"""Builds the lines of a transcript, for tests that need one of their own."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

SESSION = "11111111-2222-4333-8444-555555555555"


class Transcript:
    """A transcript that grows; each method appends one line and gives its uuid back."""

    def __init__(
        self, folder: Path, session_id: str = SESSION, cwd: str = "/home/dev/shop"
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{session_id}.jsonl"
        self.session_id = session_id
        self.cwd = cwd
        self._second = 0

    def user(self, content: object, **fields: object) -> str:
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, text: str, message_id: str = "", **fields: object) -> str:
        content = [{"type": "text", "text": text}]
        return self.assistant_blocks(content, message_id, **fields)

    def assistant_blocks(self, content: object, message_id: str = "", **fields: object) -> str:
        message = {
            "id": message_id or f"msg_{uuid.uuid4().hex[:16]}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": content,
        }
        return self.line("assistant", **{"message": message, **fields})

    def queue(self, operation: str, content: object = None) -> None:
        fields = {} if content is None else {"content": content}
        self.raw(
            {
                "type": "queue-operation",
                "operation": operation,
                "timestamp": self._now(),
                "sessionId": self.session_id,
                **fields,
            }
        )

    def queued_command(self, prompt: object, **fields: object) -> str:
        attachment = {"type": "queued_command", "commandMode": "prompt", "prompt": prompt, **fields}
        return self.line("attachment", attachment=attachment)

    def line(self, kind: str, **fields: object) -> str:
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "type": kind,
            "uuid": str(uuid.uuid4()),
            "timestamp": self._now(),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": "2.1.332",
            **fields,
        }
        self.raw(record)
        return str(record["uuid"])

    def raw(self, record: dict[str, object] | bytes) -> None:
        """Append a record, or bytes just as they are."""
        data = record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n"
        with self.path.open("ab") as stream:
            stream.write(data)

    def _now(self) -> str:
        self._second += 1
        return f"2026-11-03T10:{self._second // 60 % 60:02}:{self._second % 60:02}.000Z"
