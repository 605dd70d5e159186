"""The API key: ChatRecall's own in the system's keyring, else `ANTHROPIC_API_KEY`.

Never from a file: a project's `.env` must not pay for anybody's memory.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass

from core.errors import ChatRecallError

VARIABLE = "ANTHROPIC_API_KEY"
_SERVICE, _USER = "ChatRecall", "anthropic-api-key"
_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Key:
    """An API key and, in words, where it comes from."""

    value: str
    source: str

    def __repr__(self) -> str:
        return f"Key(from {self.source})"


def find() -> Key | None:
    """The key that pays for summaries, if there is one. The keyring's comes first."""
    stored = _stored()
    if stored:
        return Key(stored, "the system keyring (`chatrecall key set`)")
    given = os.environ.get(VARIABLE, "").strip()
    return Key(given, f"{VARIABLE} in your environment") if given else None


def checked(text: str) -> str:
    """The key in what somebody typed. Raises `ChatRecallError` where it can't be one."""
    value = text.strip()
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise ChatRecallError(
            "That is no API key", "Copy it from platform.claude.com; it begins with sk-ant-."
        )
    return value


def store(value: str) -> None:
    """Keep a key in the system's keyring. Raises `ChatRecallError` where that can't be used."""
    _ask_keyring("set_password", value)


def remove() -> bool:
    """Take ChatRecall's key out of the keyring; False where there was none.

    Raises `ChatRecallError` where the keyring can't be used.
    """
    if not _stored():
        return False
    _ask_keyring("delete_password")
    return True


def _stored() -> str:
    """The keyring's key; empty where there is none or no keyring, as on a headless machine."""
    try:
        return _ask_keyring("get_password") or ""
    except ChatRecallError:
        return ""


def _ask_keyring(question: str, *more: str) -> str | None:
    """Ask in a thread: a locked keyring waits for a person, and the timer must not."""
    answers: list[str | None] = []
    troubles: list[str] = []

    def ask() -> None:
        try:
            import keyring  # noqa: PLC0415  0.1 s, and only summaries need it

            answers.append(getattr(keyring, question)(_SERVICE, _USER, *more))
        except Exception as error:  # each back end has errors of its own
            troubles.append(str(error) or type(error).__name__)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(_PATIENCE_SECONDS)
    if answers:
        return answers[0]
    what = troubles[0].split(". ")[0] if troubles else "no answer in time; it may be locked"
    raise ChatRecallError(
        "The system keyring can't be used", f"It says: {what}. Set {VARIABLE} instead."
    )
