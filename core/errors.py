"""Errors that carry words for a person."""

from __future__ import annotations


class ChatRecallError(Exception):
    """A failure that a person can understand and, mostly, mend.

    The command line, the log and a notification all show the same two texts: a short `title`
    without a full stop, and `advice`, one or two sentences that say what to do.
    """

    def __init__(self, title: str, advice: str = "") -> None:
        super().__init__(f"{title}. {advice}" if advice else title)
        self.title = title
        self.advice = advice
