"""Times the Stop hook: `python -m tests.benchmarks.hook [RUNS]`.

Prints what one run costs beside a database of two hundred sessions, with one new exchange behind a
small and a large transcript, as a ratio to `python -c pass` of the same interpreter: the base one,
which is what Claude Code is told to start. How much that spends on its own site-packages differs
from machine to machine, so the bare start-up (`-I -S`) has a row too.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles

from core import database, paths
from core.capture.sweep import sweep
from tests.benchmarks.history import Conversation, write_history
from tests.support import hook

SESSIONS = 200
MEGABYTE = 1_000_000
SIZES_MB = (1, 10, 100)
NOTHING = "python -c pass"
BARE = "python -I -S -c pass"
PYTHON = getattr(sys, "_base_executable", sys.executable)


def main() -> None:
    """Measure in a home of its own, all rows mixed, and print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as home:
        os.environ["CLAUDE_CONFIG_DIR"] = home
        projects = Path(paths.projects_dir())
        write_history(projects, SESSIONS, MEGABYTE // 10)
        growing = {
            f"hook, {size} MB": Growing(projects, size, SESSIONS + size) for size in SIZES_MB
        }
        with closing(database.connect()) as db:
            sweep(db)
        cases = {
            NOTHING: lambda: time_python("-c", "pass"),
            BARE: lambda: time_python("-I", "-S", "-c", "pass"),
            **{name: transcript.time for name, transcript in growing.items()},
        }
        times: dict[str, list[float]] = {name: [] for name in cases}
        for name in random.Random(1).sample([*cases] * runs, len(cases) * runs):
            times[name].append(cases[name]())
    print(PYTHON)
    print_table(times)


class Growing:
    """A transcript that has grown by one exchange each time that the hook runs."""

    def __init__(self, projects: Path, megabytes: int, seed: int) -> None:
        self._conversation = Conversation(seed)
        self._path = self._conversation.write(projects, megabytes * MEGABYTE)

    def time(self) -> float:
        """Seconds that the hook takes for one new exchange."""
        with self._path.open("ab") as stream:
            stream.writelines(self._conversation.exchange())
        payload = {
            "session_id": self._path.stem,
            "transcript_path": str(self._path),
            "cwd": "/home/dev/project",
            "hook_event_name": "Stop",
            "last_assistant_message": self._conversation.said[-1],
        }
        return time_python("-I", "-S", hook.SCRIPT, stdin=json.dumps(payload).encode())


def time_python(*arguments: str, stdin: bytes = b"") -> float:
    """Seconds that the interpreter takes from its start to its end."""
    start = time.perf_counter()
    subprocess.run([PYTHON, *arguments], input=stdin, capture_output=True, check=True)
    return time.perf_counter() - start


def print_table(times: dict[str, list[float]]) -> None:
    """One row a case: median, 95th percentile, ratio of the medians."""
    print(f"{'what':<22}{'median':>12}{'p95':>12}{'ratio':>9}")
    for name, seconds in times.items():
        ratio = median(seconds) / median(times[NOTHING])
        late = quantiles(seconds, n=20)[-1]
        print(f"{name:<22}{median(seconds) * 1000:>9.1f} ms{late * 1000:>9.1f} ms{ratio:>9.2f}")


if __name__ == "__main__":
    main()
