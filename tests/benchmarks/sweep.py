"""Times the sweep: `python -m tests.benchmarks.sweep [MB]`.

Prints a table: a first sweep of generated history, a sweep of 10,000 files with nothing new, one
large transcript's peak memory, and a folder of 100,000 subagents. Compare ratios within one run.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from core import database, paths
from core.capture.sweep import sweep
from tests.benchmarks.history import Conversation, write_history

MEGABYTE = 1_000_000


def main() -> None:
    """Run each measurement in a home of its own and print its row."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f"{'what':<44}{'figure':>16}")
    for name, measure in (
        (f"first sweep of {size} MB", lambda projects: first_sweep(projects, size)),
        ("10,000 transcripts, nothing new", nothing_new),
        ("peak memory, one transcript of 200 MB", lambda _: peak_memory(200)),
        ("nothing new, 100,000 subagents beside", many_subagents),
    ):
        with tempfile.TemporaryDirectory() as home:
            os.environ["CLAUDE_CONFIG_DIR"] = home
            print(f"{name:<44}{measure(Path(paths.projects_dir())):>16}", flush=True)


def first_sweep(projects: Path, size: int) -> str:
    """Megabytes of transcript a second of processor time."""
    write_history(projects, size // 3, 3 * MEGABYTE)
    seconds = timed_sweep()
    return f"{size / seconds:.0f} MB/s"


def nothing_new(projects: Path) -> str:
    """Seconds for 10,000 transcripts that are as the last sweep left them."""
    write_history(projects, 10_000, 2000)
    timed_sweep()
    return f"{timed_sweep():.2f} s"


def many_subagents(projects: Path) -> str:
    """Seconds where one session of a hundred has 100,000 subagents."""
    parents = write_history(projects, 100, 2000)
    folder = parents[0].with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    for number in range(100_000):
        (folder / f"agent-{number}.jsonl").touch()
    timed_sweep()
    return f"{timed_sweep():.2f} s"


def peak_memory(size: int) -> str:
    """Megabytes that a process of its own needs at most."""
    program = (
        "from contextlib import closing\n"
        "from core import database\n"
        "from core.capture.sweep import sweep\n"
        "with closing(database.connect()) as db: sweep(db)"
    )
    Conversation(1).write(Path(paths.projects_dir()) / "-home-dev-shop", size * MEGABYTE)
    subprocess.run([sys.executable, "-c", program], check=True)
    return f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB"


def timed_sweep() -> float:
    """Sweep once; the processor seconds that it took."""
    with closing(database.connect()) as db:
        begun = time.process_time()
        sweep(db)
        return time.process_time() - begun


if __name__ == "__main__":
    main()
