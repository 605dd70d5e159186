from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.capture import subagents

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session's folder; its transcript lies beside it."""
    return tmp_path / "C--Users-Ünï-日本" / "0b3c7a1e-1c1f-4d53-9f1a-5b8f4d7c2e10"


def run(session: Path, *names: str) -> None:
    for name in names:
        file = session / "subagents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")


def count(session: Path) -> int:
    return subagents.count(f"{session}.jsonl")


def test_a_session_without_subagents_has_none(session: Path) -> None:
    assert count(session) == 0


def test_each_subagents_file_counts(session: Path) -> None:
    run(session, "agent-a1.jsonl", "agent-b2.jsonl")
    assert count(session) == 2


def test_subagents_of_workflows_count(session: Path) -> None:
    run(session, "agent-a1.jsonl", "workflows/wf_1/agent-b2.jsonl", "workflows/wf_2/agent-c3.jsonl")
    assert count(session) == 3


def test_helpers_of_claude_code_do_not_count(session: Path) -> None:
    run(
        session,
        "agent-a1.jsonl",
        "agent-acompact-1.jsonl",
        "agent-aprompt_suggestion-2.jsonl",
        "agent-aside_question-3.jsonl",
    )
    assert count(session) == 1


def test_other_files_do_not_count(session: Path) -> None:
    run(session, "agent-a1.jsonl", "agent-a1.meta.json", "notes.jsonl", "agent-a1.jsonl.backup")
    assert count(session) == 1


def test_a_folder_of_thousands_is_counted(session: Path) -> None:
    run(session, "agent-0.jsonl")
    folder = session / "subagents"
    for number in range(1, 20_000):
        (folder / f"agent-{number}.jsonl").hardlink_to(folder / "agent-0.jsonl")
    assert count(session) == 20_000
