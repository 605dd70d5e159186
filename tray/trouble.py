"""Trouble in words: whatever goes wrong in the background, a person is told the same way."""

from __future__ import annotations

import sqlite3

from core.errors import ChatRecallError
from tray import log


def in_words(error: Exception) -> ChatRecallError:
    """Say of any error what happened and what to do."""
    if isinstance(error, ChatRecallError):
        return error
    if isinstance(error, sqlite3.DatabaseError):
        return ChatRecallError(
            "The database can't be used", f"SQLite says: {error}. Run `chatrecall doctor`."
        )
    return ChatRecallError("Something went wrong", f"{error}. More is in {log.file()}.")
