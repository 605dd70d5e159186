"""Run by a Windows Python: ChatRecall, with a taskbar that refuses icons at first and takes notes.

`python watched_taskbar.py MAIN REFUSALS NOTES ARGUMENTS…`: the first REFUSALS messages about an
icon are refused as Windows does while Explorer is not there; the code of each goes into NOTES, a
line each, with what it was answered with.
"""

from __future__ import annotations

import runpy
import sys

from pystray._util import win32

main, refusals, notes_file, *arguments = sys.argv[1:]
notify = win32.Shell_NotifyIcon
left = int(refusals)


def watched(code: int, data: object) -> int:
    """Take the place of Shell_NotifyIcon."""
    global left  # noqa: PLW0603
    left -= 1
    answer = 0 if left >= 0 else int(notify(code, data))
    with open(notes_file, "a", encoding="ascii") as notes:
        notes.write(f"{code} {answer}\n")
    return answer


win32.Shell_NotifyIcon = watched
sys.argv = [main, *arguments]
runpy.run_path(main, run_name="__main__")
