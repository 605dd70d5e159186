"""Generated transcripts with the real mix of lines, for benchmarks and endurance tests.

The mix is that of client 2.1.332: of the bytes, user and assistant lines make 9 %, prompt snapshots
35 %, api-request lines 30 %, skill listings 8 %, the rest is many small kinds.
"""

from __future__ import annotations

import json
import random
import uuid
from pathlib import Path

_WORDS = (
    "build", "test", "cache", "index", "queue", "retry", "parser", "token", "schema", "branch",
    "merge", "deploy", "timeout", "handler", "login", "session", "cookie", "header", "proxy",
    "socket", "thread", "lock", "buffer", "stream", "chunk", "config", "option", "flag",
)  # fmt: skip
_START = 1_790_000_000_000  # milliseconds; any moment will do


class Conversation:
    """Writes the lines of one session, exchange by exchange. The same seed gives the same bytes."""

    def __init__(self, seed: int, cwd: str = "/home/dev/project") -> None:
        self._random = random.Random(seed)
        self.session_id = self._uuid()
        self._cwd = cwd
        self._clock = _START + seed * 86_400_000
        self.said: list[str] = []

    def exchange(self) -> list[bytes]:
        """The lines of one exchange: about 9 % of the bytes are what somebody said."""
        prompt, answer = self._sentence(12), self._sentence(90)
        self.said += [prompt, answer]
        spoken = [
            self._line("user", promptId=self._uuid(), message={"role": "user", "content": prompt}),
            self._assistant({"type": "thinking", "thinking": "", "signature": "c2ln" * 50}),
            self._assistant({"type": "text", "text": answer}),
        ]
        share = sum(map(len, spoken)) / 0.09
        snapshot = self._attachment("prompt_snapshot", int(share * 0.35))
        skills = self._attachment("skill_listing", int(share * 0.08))
        request = self._line("api-request-blob", blob=self._filler(int(share * 0.30)))
        rest = self._line("file-history-snapshot", snapshot=self._filler(int(share * 0.18)))
        return [snapshot, skills, spoken[0], request, *spoken[1:], rest]

    def write(self, folder: Path, size: int) -> Path:
        """A transcript of at least `size` bytes in `folder`."""
        file = folder / f"{self.session_id}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as stream:
            while stream.tell() < size:
                stream.writelines(self.exchange())
        return file

    def _line(self, kind: str, **fields: object) -> bytes:
        self._clock += self._random.randrange(5, 4000)
        seconds, milliseconds = divmod(self._clock, 1000)
        minutes, second = divmod(seconds, 60)
        at = f"2026-09-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:{minutes % 60:02}"
        record = {
            "parentUuid": self._uuid(),
            "isSidechain": False,
            **fields,
            "type": kind,
            "uuid": self._uuid(),
            "timestamp": f"{at}:{second:02}.{milliseconds:03}Z",
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self._cwd,
            "sessionId": self.session_id,
            "version": "2.1.332",
            "gitBranch": "main",
        }
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def _assistant(self, block: dict[str, object]) -> bytes:
        message = {
            "id": f"msg_{self.session_id[:8]}_{len(self.said)}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [block],
            "usage": {"input_tokens": 12, "output_tokens": 34},
        }
        return self._line("assistant", message=message)

    def _attachment(self, kind: str, size: int) -> bytes:
        return self._line("attachment", attachment={"type": kind, "content": self._filler(size)})

    def _filler(self, size: int) -> str:
        # Escaped JSON inside JSON, as in the client's own snapshots.
        piece = json.dumps({"role": "user", "text": self._sentence(20)})
        return (piece * (size // len(piece) + 1))[:size]

    def _sentence(self, words: int) -> str:
        return " ".join(self._random.choices(_WORDS, k=words)) + f" {self._random.random()}"

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def write_history(projects: Path, sessions: int, size: int) -> list[Path]:
    """`sessions` transcripts of about `size` bytes each, in folders of twenty."""
    return [
        Conversation(number).write(projects / f"-home-dev-project-{number // 20}", size)
        for number in range(sessions)
    ]
