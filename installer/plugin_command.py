"""What the plugin's slash commands start: `chatrecall`, by the private environment where it is.

Run as a script by whatever Python there is, so this holds to the standard library.
"""

from __future__ import annotations

import os
import subprocess
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, _ROOT)


def main() -> int:
    """Run the command line given; returns its exit code."""
    from installer import layout  # noqa: PLC0415  only now does the path hold our rooms

    here = layout.current()
    if os.path.exists(here.hook):
        return subprocess.call(here.command(*sys.argv[1:]))
    print(
        "ChatRecall captures this session, but searching and summarizing need its private "
        "environment, which is not there yet. Tell the user to run this once in a terminal:\n"
        f'  {os.path.basename(sys.executable)} "{os.path.join(_ROOT, "installer")}" '
        "--only environment database history"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
