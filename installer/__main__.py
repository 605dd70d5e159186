"""`python installer`: puts ChatRecall on this machine, with nothing but Python.

This file must be readable by every Python that a machine may still have, so that an old one gets a
sentence and not a syntax error: no annotations, no f-strings, no newer syntax.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036  an old Python is exactly what this is for
    sys.exit(
        "ChatRecall needs Python 3.11 or newer, and this is Python "
        + ".".join(str(part) for part in sys.version_info[:3])
        + " ("
        + sys.executable
        + "). Get a newer one from https://www.python.org/downloads/ and run this again with it."
    )

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_NOT_OURS = [os.path.join(_ROOT, "installer")]
if os.environ.get("PYTHONPATH"):  # relative folders, too; an empty one is where the person stands
    _NOT_OURS += map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep))
sys.path[:] = [_ROOT] + [folder for folder in sys.path if os.path.abspath(folder) not in _NOT_OURS]

from installer.command_line import main  # noqa: E402  only now does the path hold our rooms

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
