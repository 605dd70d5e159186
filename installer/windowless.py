"""Starts `chatrecall` under the base interpreter's `pythonw.exe`: one process, no console window.

Run as a script. The base interpreter doesn't know the private environment, so this tells it where
the dependencies are.
"""

from __future__ import annotations

import os
import runpy
import site
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SITE_PACKAGES = os.path.dirname(_PACKAGE)
_ENVIRONMENT = os.path.dirname(os.path.dirname(_SITE_PACKAGES))


def main() -> None:
    """Run the command line; what goes wrong is logged, since there is nobody to read it."""
    site.addsitedir(_SITE_PACKAGES)  # pywin32 finds its libraries by a .pth file there
    # What starts a further process by `sys.executable` means a Python that knows the environment.
    sys.executable = os.path.join(_ENVIRONMENT, "Scripts", "python.exe")
    try:
        runpy.run_path(os.path.join(_PACKAGE, "__main__.py"), run_name="__main__")
    except Exception as error:
        from core import log  # noqa: PLC0415  `__main__.py` has put it on the path

        log.write(f"{' '.join(sys.argv[1:])}: {type(error).__name__}: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
