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
_FOREIGN = os.environ.get("PYTHONPATH", "").split(os.pathsep)
_HERE = os.path.join(_ROOT, "installer")
sys.path[:] = [_ROOT] + [f for f in sys.path if f != _HERE and f not in _FOREIGN]

from installer.command_line import main  # noqa: E402  only now does the path hold our rooms

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
