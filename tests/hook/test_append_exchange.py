"""The hook stores what was said, and whatever happens says nothing and exits with 0."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from core import database, paths
from core.capture.sweep import sweep
from hook.append_exchange import SHORT_LOG
from tests.support import hook
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a file system"
)


@pytest.fixture
def transcript(claude_dir: Path) -> Transcript:
    """One exchange that no hook has seen."""
    session = Transcript(claude_dir / "projects" / "-home-dev-shop")
    session.user("Where does the cart lose its items?")
    session.assistant("In the session cookie.")
    return session


EXCHANGE = ["Where does the cart lose its items?", "In the session cookie."]


def said() -> list[str]:
    with contextlib.closing(database.connect()) as db:
        rows = db.execute("SELECT text FROM exchanges ORDER BY session_id, seq").fetchall()
    return [text for (text,) in rows]


def said_after_a_sweep() -> list[str]:
    with contextlib.closing(database.connect()) as db:
        sweep(db)
    return said()


def logged() -> str:
    with open(paths.log_file(), encoding="utf-8") as file:
        return file.read()


def test_the_write_ahead_log_stays_short_over_many_hooks(transcript: Transcript) -> None:
    longest = 0
    for number in range(12):
        transcript.user(f"Question {number} " + "x" * 40_000)
        hook.run(hook.payload(transcript))
        log = f"{paths.database_file()}-wal"
        longest = max(longest, os.path.getsize(log) if os.path.exists(log) else 0)
    assert 0 < longest < 2 * SHORT_LOG
    assert len(said()) == len(EXCHANGE) + 12


class TestWhatWasSaid:
    def test_is_stored(self, transcript: Transcript) -> None:
        hook.run(hook.payload(transcript))

        assert said() == EXCHANGE

    def test_is_stored_once_however_often_the_hook_runs(self, transcript: Transcript) -> None:
        for _ in range(3):
            hook.run(hook.payload(transcript))

        assert said_after_a_sweep() == EXCHANGE

    def test_is_stored_once_by_many_hooks_at_once(self, transcript: Transcript) -> None:
        payload = json.dumps(hook.payload(transcript)).encode()
        hooks = [hook.start() for _ in range(6)]
        for process in hooks:
            process.communicate(payload, timeout=60)

        assert [process.returncode for process in hooks] == [0] * 6
        assert said() == EXCHANGE

    def test_is_taken_from_a_path_that_starts_with_a_tilde(
        self, transcript: Transcript, home: Path
    ) -> None:
        short = f"~/{transcript.path.relative_to(home).as_posix()}"

        hook.run(hook.payload(transcript, transcript_path=short))

        assert said() == EXCHANGE

    def test_is_left_alone_in_the_summarizers_own_runs(self, transcript: Transcript) -> None:
        hook.run(hook.payload(transcript), env={**os.environ, "CHATRECALL_NO_CAPTURE": "1"})

        assert not os.path.exists(paths.data_dir())


class TestTheLastAnswer:
    """In the terminal it reaches the transcript up to 0.2 s after the hook has started."""

    def test_is_kept_before_its_line_is_on_disk(self, transcript: Transcript) -> None:
        transcript.user("And the fix?")

        hook.run(hook.payload(transcript, last_assistant_message="Set SameSite=Lax."))

        assert said() == [*EXCHANGE, "And the fix?", "Set SameSite=Lax."]

    def test_gives_way_to_its_line(self, transcript: Transcript) -> None:
        transcript.user("And the fix?")
        hook.run(hook.payload(transcript, last_assistant_message="Set SameSite=Lax."))
        transcript.assistant("Two parts.\nSet SameSite=Lax.")

        hook.run(hook.payload(transcript, last_assistant_message="Set SameSite=Lax."))

        assert said() == [*EXCHANGE, "And the fix?", "Two parts.\nSet SameSite=Lax."]

    def test_is_not_doubled_where_its_line_is_on_disk(self, transcript: Transcript) -> None:
        hook.run(hook.payload(transcript, last_assistant_message=EXCHANGE[-1]))

        assert said() == EXCHANGE

    def test_is_not_taken_from_a_session_that_is_kept_off_disk(
        self, transcript: Transcript
    ) -> None:
        """Its path names no file, ever. The first turn of 2.1.197 looks the same to the hook."""
        content = transcript.path.read_bytes()
        transcript.path.unlink()

        hook.run(hook.payload(transcript, last_assistant_message=EXCHANGE[-1]))

        assert not os.path.exists(paths.database_file())
        transcript.path.write_bytes(content)
        assert said_after_a_sweep() == EXCHANGE

    def test_comes_from_any_folder(self, transcript: Transcript) -> None:
        transcript.user("And the fix?")
        answer = "Set SameSite=Lax."

        hook.run(hook.payload(transcript, last_assistant_message=answer, cwd="/home/\ud83d\x00"))

        assert said() == [*EXCHANGE, "And the fix?", answer]

    def test_is_redacted(self, transcript: Transcript) -> None:
        secret = "ghp_" + "a1B2c3D4e5F6" * 3

        hook.run(hook.payload(transcript, last_assistant_message=f"The token is {secret}"))

        assert secret not in "".join(said())


class TestAPayloadThatIsNone:
    @pytest.mark.parametrize(
        "payload",
        [
            b"",
            b"\n",
            b"{",
            b"[]",
            b"null",
            b"17",
            b"{}",
            b"\xff\xfe\x00",
            b'{"transcript_path": null}',
            b'{"transcript_path": ""}',
            b'{"transcript_path": 5}',
            b'{"transcript_path": "/no/such/file.jsonl"}',
            b'{"transcript_path": "a\\u0000b"}',
            b'{"transcript_path": "\\ud800"}',
            b'{"transcript_path": "/"}',
            b"[" * 100_000,
        ],
        ids=lambda payload: repr(payload[:40]),
    )
    def test_does_no_harm(self, payload: bytes) -> None:
        hook.run(payload)

    def test_does_no_harm_without_standard_input(self) -> None:
        done = subprocess.run(
            hook.COMMAND, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )

        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    @posix
    def test_does_no_harm_with_all_streams_closed(self, transcript: Transcript) -> None:
        closed = ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *hook.COMMAND]

        assert subprocess.run(closed, check=False).returncode == 0


class TestADatabaseThatCannotBeWritten:
    """Nothing is lost: what the hook could not write, the next sweep brings."""

    def test_is_locked(self, transcript: Transcript, db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        hook.run(hook.payload(transcript))
        db.execute("ROLLBACK")

        assert said() == []
        assert "locked" in logged()
        assert said_after_a_sweep() == EXCHANGE

    @as_root
    def test_is_on_a_read_only_disk(self, transcript: Transcript, small_disk: Path) -> None:
        database.connect().close()
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
        hook.run(hook.payload(transcript))
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)

        assert said() == []
        assert said_after_a_sweep() == EXCHANGE

    @as_root
    def test_is_on_a_full_disk(self, transcript: Transcript, small_disk: Path) -> None:
        database.connect().close()
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass
        hook.run(hook.payload(transcript))
        filler.unlink()

        assert said() == []
        assert said_after_a_sweep() == EXCHANGE

    @as_root
    def test_cannot_even_be_made_on_a_full_disk(
        self, transcript: Transcript, small_disk: Path
    ) -> None:
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass
        hook.run(hook.payload(transcript))
        filler.unlink()

        assert said_after_a_sweep() == EXCHANGE

    @posix
    def test_may_not_grow(self, transcript: Transcript) -> None:
        """Like a full disk or a quota, without root: no file may grow beyond 16 bytes."""
        import resource

        database.connect().close()
        hook.run(
            hook.payload(transcript),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)),
        )

        assert said() == []
        assert said_after_a_sweep() == EXCHANGE

    @pytest.mark.skipif(
        hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write any file"
    )
    def test_is_another_users(self, transcript: Transcript) -> None:
        database.connect().close()
        os.chmod(paths.database_file(), 0o400)
        hook.run(hook.payload(transcript))
        os.chmod(paths.database_file(), 0o600)

        assert said() == []
        assert said_after_a_sweep() == EXCHANGE

    @pytest.mark.parametrize("damage", [b"not a database at all " * 400, b"SQLite format 3\x00"])
    def test_is_damaged(self, transcript: Transcript, damage: bytes) -> None:
        os.makedirs(paths.data_dir())
        with open(paths.database_file(), "wb") as file:
            file.write(damage)

        hook.run(hook.payload(transcript))

        with open(paths.database_file(), "rb") as file:
            assert file.read() == damage, "the hook repairs nothing: others may be at work"
        assert "hook:" in logged()

    def test_is_damaged_in_the_middle(self, transcript: Transcript) -> None:
        database.connect().close()
        size = os.path.getsize(paths.database_file())
        with open(paths.database_file(), "r+b") as file:
            file.seek(4096)
            file.write(b"\xaa" * (size - 4096))

        hook.run(hook.payload(transcript))

    def test_is_a_folder(self, transcript: Transcript) -> None:
        os.makedirs(paths.database_file())

        hook.run(hook.payload(transcript))
        os.rmdir(paths.database_file())

        assert said_after_a_sweep() == EXCHANGE

    def test_is_a_newer_versions(self, transcript: Transcript) -> None:
        with contextlib.closing(database.connect()) as db:
            db.execute("PRAGMA user_version = 999")

        hook.run(hook.payload(transcript))

        assert "newer ChatRecall" in logged()

    def test_has_settings_that_cannot_be_read(self, transcript: Transcript) -> None:
        os.makedirs(paths.data_dir())
        with open(paths.settings_file(), "w", encoding="utf-8") as file:
            file.write("{")

        hook.run(hook.payload(transcript))


class TestAHostileProject:
    """Claude Code runs in projects with a `core` or a `json.py` of their own."""

    def test_does_not_reach_the_hook(self, transcript: Transcript, hostile_project: Path) -> None:
        hook.run(
            hook.payload(transcript),
            cwd=hostile_project,
            env={**os.environ, "PYTHONPATH": str(hostile_project), "PYTHONSTARTUP": "json.py"},
        )

        assert said() == EXCHANGE
        assert not (hostile_project / "was-here").exists()

    @pytest.mark.parametrize("pythonpath", ["{project}", "{project}/", ".", "elsewhere:{project}"])
    def test_does_not_reach_the_commands(
        self, transcript: Transcript, hostile_project: Path, pythonpath: str
    ) -> None:
        folders = pythonpath.format(project=hostile_project).split(":")
        done = subprocess.run(
            [sys.executable, paths.ROOT, "sweep"],
            cwd=hostile_project,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

        assert done.returncode == 0, done.stderr
        assert said() == EXCHANGE
        assert not (hostile_project / "was-here").exists()


@pytest.fixture
def hostile_project(tmp_path: Path) -> Path:
    """A project whose modules have the names of ours and of the standard library's."""
    folder = tmp_path / "hostile"
    (folder / "core").mkdir(parents=True)
    trap = "open(__import__('os').path.join({!r}, 'was-here'), 'w').close()\nraise SystemExit(3)\n"
    for name in ("core/__init__.py", "json.py", "sqlite3.py", "argparse.py"):
        (folder / name).write_text(trap.format(str(folder)), encoding="utf-8")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 1 MB with ChatRecall's data folder on it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        pytest.skip(f"a file system can't be mounted here: {done.stderr.strip()}")
    monkeypatch.setenv("CHATRECALL_HOME", str(folder / "data"))
    yield folder
    subprocess.run(["umount", folder], check=True)
