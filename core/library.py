"""All known sessions as data for the page's filter: small, whatever their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from core import times
from core.markup import visible
from core.resume import go_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from core.sessions import Session

_NAME_BYTES = 150
_TOPICS_BYTES = 200
_SUMMARY_BYTES = 480
_ALL_SUMMARIES_BYTES = 2_500_000


def library_json(sessions: Iterable[Session], names: Mapping[str, str], *, windows: bool) -> str:
    """Write `{"projects": […], "sessions": […]}`, safe inside a `<script>` element.

    A project is `[name, path, cd …]`, a session `[id, project, started, name, summary, topics]`:
    `project` is a place in `projects`, `started` milliseconds since 1970 or null. Texts are cut so
    that 5,000 sessions stay below 5 MB.
    """
    sessions = list(sessions)
    summary_bytes = min(_SUMMARY_BYTES, _ALL_SUMMARIES_BYTES // max(1, len(sessions)))
    projects: dict[tuple[str, str], int] = {}
    rows = [
        (
            session.session_id,
            projects.setdefault((session.project_name, session.project_path), len(projects)),
            _milliseconds(session.started_at),
            _cut(names[session.session_id], _NAME_BYTES),
            _cut(session.summary, summary_bytes),
            _topics(session.topics),
        )
        for session in sessions
    ]
    named = [
        (visible(name), visible(path), go_there(path, windows=windows)) for name, path in projects
    ]
    return _inert(orjson.dumps({"projects": named, "sessions": rows}).decode())


def _inert(json: str) -> str:
    """JSON that an HTML parser can't leave: no tag, no comment and no entity begins in it."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _milliseconds(at: str) -> int | None:
    moment = times.parse(at)
    return int(moment.timestamp() * 1000) if moment else None


def _topics(topics: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    room = _TOPICS_BYTES
    for topic in topics:
        room -= len(topic.encode(errors="replace"))
        if room < 0:
            break
        kept.append(visible(topic))
    return kept


def _cut(text: str, size: int) -> str:
    data = visible(text).encode()
    return data.decode() if len(data) <= size else data[:size].decode(errors="ignore") + "…"
