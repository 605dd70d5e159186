"""A `crontab` for tests: the machine's own is not theirs to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# What crontab(1) does: lists, takes a new one from standard input, removes.
_PROGRAM = """\
#!/bin/sh
case "$1" in
    -l) [ -f "$0.tab" ] && /bin/cat "$0.tab" || { echo "no crontab for me" >&2; exit 1; } ;;
    -r) /bin/rm "$0.tab" ;;
    -) /bin/cat > "$0.tab" ;;
esac
"""


def put_into(folder: Path) -> Path:
    """Put the program into a folder; returns the file that it keeps the table in."""
    program = folder / "crontab"
    program.write_text(_PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    return folder / "crontab.tab"
