"""The tray app on a test's own screen, with a recorder in the browser's place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.screen import Screen, wait_until
from tests.support.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]

SESSIONS = (
    ("Fix the login redirect loop after OAuth", "It was a cookie without SameSite.", "shop"),
    ("Speed up the nightly CSV import", "Batched inserts: 40 minutes became 6.", "data tools"),
    ("日本語の検索が見つからない", "二文字ずつの索引で直しました。", "notes"),
)

# Takes the place of `xdg-open`: notes what would be opened.
RECORDER = """\
#!/bin/sh
printf '%s\\n' "$1" >> "$OPENED"
"""


def write_sessions(claude_dir: Path) -> list[str]:
    """Write the transcripts of a few sessions of three weeks ago; returns their ids."""
    ids = []
    for number, (asked, answered, project) in enumerate(SESSIONS):
        session_id = f"{number:08}-0000-4000-8000-000000000000"
        folder = claude_dir / "projects" / f"-home-dev-{project.replace(' ', '-')}"
        transcript = Transcript(folder, session_id, cwd=f"/home/dev/{project}")
        transcript.user(asked)
        transcript.assistant(answered)
        ids.append(session_id)
    return ids


class TrayApp:
    """A tray app that runs, as a person and a shell see it."""

    def __init__(self, screen: Screen, home: Path, *, environment: dict[str, str]) -> None:
        self.screen = screen
        self.home = home
        self.data = home / ".claude" / "chatrecall"
        self.opened_file = home / "opened.txt"
        programs = home / "programs"
        programs.mkdir(exist_ok=True)
        recorder = programs / "xdg-open"
        recorder.write_text(RECORDER, encoding="utf-8")
        recorder.chmod(0o755)
        self.environment = {
            **screen.environment,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "OPENED": str(self.opened_file),
            **environment,
        }
        self.process = self._start("tray", "--background")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", str(ROOT / "__main__.py"), *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
        )

    def command(self, *arguments: str) -> str:
        """Run a `chatrecall` command beside it, and return what it prints."""
        done = subprocess.run(
            [sys.executable, "-I", str(ROOT / "__main__.py"), *arguments],
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=True,
        )
        return done.stdout.strip()

    @property
    def log(self) -> str:
        """All that it has logged."""
        file = self.data / "tray.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def opened(self) -> list[str]:
        """What was opened, in its order."""
        if not self.opened_file.exists():
            return []
        return self.opened_file.read_text(encoding="utf-8").splitlines()

    def wait_for_page(self, number: int = 1) -> str:
        """Wait until so many pages were opened and return the last one's HTML."""
        wait_until(lambda: len(self.opened) >= number)
        return Path(self.opened[-1]).read_text(encoding="utf-8")

    def wait_for_log(self, words: str) -> None:
        """Wait until the log holds these words."""
        wait_until(lambda: words in self.log)

    def box(self) -> str:
        """The window of the search box, where it shows; else nothing."""
        found = self.screen.find_windows("--name", "^ChatRecall: search$")
        return found[0] if found else ""

    def icon(self) -> tuple[int, int]:
        """The middle of the icon, where it shows in trayer's panel."""
        name = "ChatRecallSystemTrayIcon"
        window = wait_until(lambda: self.screen.find_windows("--classname", name))[0]
        wait_until(lambda: _has_its_place(self.screen.geometry(window)))
        x, y, width, height = self.screen.geometry(window)
        return x + width // 2, y + height // 2

    def quit(self) -> int:
        """Ask it to quit and return its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=15)

    def close(self) -> None:
        """End it in any case."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def _has_its_place(geometry: tuple[int, int, int, int]) -> bool:
    """Whether a panel has taken the icon in."""
    x, _, width, _ = geometry
    return width > 1 and x >= 0


def children(process: int) -> Iterator[int]:
    """The processes that another one has started."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in (thread / "children").read_text(encoding="ascii").split():
            yield int(child)
