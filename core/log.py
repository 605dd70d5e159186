"""The log: one file, for what went wrong where nobody was looking. It never grows beyond 2 MB.

The hook writes it too, so this is not `logging`, whose import alone costs more than the capture.
"""

from __future__ import annotations

import os
import time

from core import paths

_LIMIT = 1024 * 1024


def write(line: str) -> None:
    """Append one line with the UTC time. Where even that fails (a full disk), nothing happens."""
    file = paths.log_file()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        paths.make_private(os.path.dirname(file))
        if os.path.exists(file) and os.path.getsize(file) > _LIMIT:
            os.replace(file, f"{file}.old")
        with open(file, "a", encoding="utf-8", errors="replace") as stream:
            stream.write(f"{stamp} {' '.join(line.split())}\n")
    except OSError:
        pass
