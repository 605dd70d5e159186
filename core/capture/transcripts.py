"""What a turn is: JSON records of a transcript → what was said, by whom.

The rules and the version ranges behind them were read off 4,027 public transcripts. Tool calls,
tool results, thinking, attachments, meta lines, subagents and the client's own messages are not
conversation. A record is judged alone, but for what is typed while the assistant works: that can
stand in a queue line only, and `Reader` carries the queue from line to line.
"""

from __future__ import annotations

import re

from core.privacy.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Record = dict[str, Any]

# A message that was absorbed while a tool ran may come once more as an attachment or a user line,
# before the assistant's next words and within so many lines.
_ABSORBED_FOR_LINES = 50

_DROPPED_ELEMENTS = (
    "ide_opened_file", "ide_selection", "ide_diagnostics", "system-reminder",
    "user-prompt-submit-hook",
)  # fmt: skip
_CLIENT_ELEMENTS = (
    "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-stdout",
    "bash-stderr", "task-notification", "agent-notification", "teammate-message",
    "observed_from_primary_session",
)  # fmt: skip
_CLIENT_PREFIXES = (
    "[Request interrupted by user",
    "Unknown skill: ",
    "Unknown slash command: ",
    "Caveat: The messages below",
    "This session is being continued from a previous conversation",
    *(f"<{name}" for name in _CLIENT_ELEMENTS),
)
_PLAN_PREFIX = "Implement the following plan:"
_BLANK_ANSWERS = ("", "(no content)")


class Turn:
    """One thing that was said.

    `role` is `user`, `assistant` or `program`; `kind` says how it was said (`human`, `queue_only`,
    `slash_command`, …). `line` counts from 1. `key` is the same wherever the line is copied to.
    """

    __slots__ = ("at", "key", "kind", "line", "message_id", "role", "text")

    def __init__(
        self, line: int, role: str, kind: str, text: str, at: str, key: str, message_id: str = ""
    ) -> None:
        self.line = line
        self.role = role
        self.kind = kind
        self.text = text
        self.at = at
        self.key = key
        self.message_id = message_id


class Withdrawal:
    """Takes back the turn with this key: its words came again as a line of their own."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key


if TYPE_CHECKING:
    Event = Turn | Withdrawal


class Reader:
    """Turns records into events, in the order of the file.

    Attributes say what the file has told so far: `session_id` is the first turn's, `project_path`
    the first working directory, `title` the last that the person gave, else the client's last.
    `dump` and `load` carry the reader from one piece of the file to the next.
    """

    def __init__(self) -> None:
        self.session_id = ""
        self.project_path = ""
        self.title = ""
        self.title_is_custom = False
        self._queue: list[list[Any]] = []  # [line, at, text, delivered]
        self._absorbed: list[list[Any]] = []  # [line, text, key]

    def dump(self) -> dict[str, Any]:
        """The state as JSON can hold it."""
        return {
            "session": self.session_id,
            "project": self.project_path,
            "title": self.title,
            "title_is_custom": self.title_is_custom,
            "queue": self._queue,
            "absorbed": self._absorbed,
        }

    @classmethod
    def load(cls, state: dict[str, Any]) -> Reader:
        """A reader that goes on where `dump` was called."""
        reader = cls()
        reader.session_id = state["session"]
        reader.project_path = state["project"]
        reader.title = state["title"]
        reader.title_is_custom = state["title_is_custom"]
        reader._queue = state["queue"]
        reader._absorbed = state["absorbed"]
        return reader

    def forget_words(self) -> None:
        """Drop what was said so far: it is not to be remembered."""
        self.title = ""
        self._queue.clear()
        self._absorbed.clear()

    def read(self, record: Record, line: int) -> list[Event]:
        """The events of one record; most records have none."""
        kind = record.get("type")
        if kind == "queue-operation":
            return self._queue_operation(record, line)
        if kind == "custom-title":
            self._name(record.get("customTitle"), custom=True)
        elif kind == "ai-title":
            self._name(record.get("aiTitle"), custom=False)
        if kind == "assistant":
            turn = _assistant_turn(record, line)
        elif kind in ("user", "attachment"):
            turn = _user_turn(record, line)
        else:
            return []
        if not self.project_path:
            self.project_path = _text(record.get("cwd"))
        if turn is None:
            return []
        if not self.session_id:
            self.session_id = _text(record.get("sessionId"))
        if turn.role == "assistant":
            self._absorbed.clear()
            return [turn]
        return [*self._delivered(turn), turn]

    def _delivered(self, turn: Turn) -> list[Withdrawal]:
        """Match a user turn with the queue: the same words are kept once."""
        for item in self._absorbed:
            line, text, key = item
            if text == turn.text and turn.line - line <= _ABSORBED_FOR_LINES:
                self._absorbed.remove(item)
                return [Withdrawal(key)]
        for waiting in self._queue:
            if waiting[2] == turn.text and not waiting[3]:
                waiting[3] = True
                break
        return []

    def _name(self, title: object, *, custom: bool) -> None:
        kind, words = _wording(_text(title))
        if words and kind == "human" and custom >= self.title_is_custom:
            self.title = words
            self.title_is_custom = custom

    def _queue_operation(self, record: Record, line: int) -> list[Event]:
        operation = record.get("operation")
        words = _human_words(_plain(record.get("content")))
        if operation == "enqueue":
            self._queue.append([line, _at(record), words, False])
        elif operation == "popAll":
            self._queue.clear()
        elif operation in ("dequeue", "remove") and self._queue:
            first_line, at, text, delivered = self._queue.pop(self._position(words))
            if operation == "remove" and text and not delivered:
                key = f"{_text(record.get('sessionId'))}/{at}/{first_line}"
                self._absorbed.append([line, text, key])
                kind = "queue_only_command" if text.startswith("/") else "queue_only"
                return [Turn(first_line, "user", kind, text, at, key)]
        return []

    def _position(self, words: str) -> int:
        """Which waiting message an operation means: the one with its words, else the oldest."""
        return next((i for i, item in enumerate(self._queue) if words and item[2] == words), 0)


def _assistant_turn(record: Record, line: int) -> Turn | None:
    message = record.get("message")
    if _is_side_line(record) or record.get("isApiErrorMessage") or not isinstance(message, dict):
        return None
    text = redact(clean(_plain(message.get("content"))))
    if message.get("model") == "<synthetic>" or text.strip() in _BLANK_ANSWERS:
        return None
    message_id = _text(message.get("id"))
    return Turn(
        line, "assistant", "assistant_text", text, _at(record), _key(record, line), message_id
    )


def _user_turn(record: Record, line: int) -> Turn | None:
    if _is_side_line(record) or record.get("isMeta") or record.get("isCompactSummary"):
        return None
    said = _said(record)
    if not said or record.get("promptSource") == "system" or _origin(record) != "human":
        return None
    if said.lstrip().startswith(_PLAN_PREFIX) or record.get("planContent"):
        role, kind, words = "program", "plan_handoff", redact(clean(said))
    else:
        kind, words = _wording(said)
        role = "user"
        if record["type"] == "attachment":
            kind = "human_queued"
        elif _is_programs(record) and kind == "human":
            role, kind = "program", "program_prompt"
    if not words:
        return None
    return Turn(line, role, kind, words, _at(record), _key(record, line))


def _said(record: Record) -> str:
    """The text that a record of a person's would hold, whoever wrote it."""
    if record["type"] == "user":
        message = record.get("message")
        return _plain(message.get("content")) if isinstance(message, dict) else ""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return ""
    if attachment.get("commandMode") != "prompt" or _origin(attachment) != "human":
        return ""
    return _plain(attachment.get("prompt"))


def _human_words(text: str) -> str:
    return _wording(text)[1] if text else ""


def _wording(text: str) -> tuple[str, str]:
    """The kind of a person's message and the person's own words in it; empty where none are."""
    if "</" in text:
        text = _without_dropped_elements(text)
    text = redact(clean(text)).strip()
    if text.startswith(_CLIENT_PREFIXES):
        return "client", ""
    if not text.startswith("<"):
        return "human", text
    name = _element("command-name", text)
    if name is not None:
        command = f"/{name.strip().lstrip('/')} {_element('command-args', text) or ''}"
        return "slash_command", command.strip()
    shell = _element("bash-input", text)
    if shell is not None:
        return "bash_command", f"!{shell.strip()}"
    memory = _element("user-memory-input", text)
    if memory is not None:
        return "memory_input", memory.strip()
    return "human", text


def _without_dropped_elements(text: str) -> str:
    """A message without what the client put into it.

    Only up to the last end of such an element, so that none is sought for a beginning without one,
    which would take quadratic time.
    """
    for name in _DROPPED_ELEMENTS:
        head, end, rest = text.rpartition(f"</{name}>")
        if end:
            expression = re.compile(rf"<{name}\b[^>]*>.*?</{name}>\s*", re.DOTALL)
            spaces = len(rest) - len(rest.lstrip())
            text = expression.sub("", head + end + rest[:spaces]) + rest[spaces:]
    return text


def _element(name: str, text: str) -> str | None:
    start = text.find(f"<{name}>")
    if start < 0:
        return None
    start += len(name) + 2
    end = text.find(f"</{name}>", start)
    return text[start:] if end < 0 else text[start:end]


def _plain(content: object) -> str:
    """The text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    blocks = (block for block in content if isinstance(block, dict) and block.get("type") == "text")
    return "\n".join(_text(block.get("text")) for block in blocks)


def clean(text: str) -> str:
    """`text` as SQLite, JSON and an API can carry it: no lone surrogate, no NUL."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _is_side_line(record: Record) -> bool:
    return bool(record.get("isSidechain") or record.get("agentId"))


def _is_programs(record: Record) -> bool:
    """Whether a program wrote the prompt: the SDK's, or `claude -p`'s caller."""
    is_sdk = _text(record.get("entrypoint")).startswith("sdk-")
    return is_sdk and record.get("promptSource") != "typed"


def _origin(record: Record) -> str:
    origin = record.get("origin")
    return _text(origin.get("kind")) or "human" if isinstance(origin, dict) else "human"


def _key(record: Record, line: int) -> str:
    key = _text(record.get("uuid"))
    return key or f"{_text(record.get('sessionId'))}/{_at(record)}/{line}"


def _at(record: Record) -> str:
    return _text(record.get("timestamp"))


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""
