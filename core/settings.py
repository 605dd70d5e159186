"""ChatRecall's own settings: one JSON file in the data folder, each key with a default.

The hook reads it, so this module stays with `json` and `os`.
"""

from __future__ import annotations

import json
import os

from core import paths
from core.errors import ChatRecallError

SUMMARIZERS = ("auto", "api", "claude", "local")

DEFAULTS: dict[str, object] = {
    "summarizer": "auto",  # auto: `api` where a key is set, else `local`; or api, claude, local
    "model": "claude-haiku-5-5",  # CHATRECALL_MODEL comes before it
    "daily_cap_usd": 0.25,
    "quiet_minutes": 10,  # a session is due when nothing was said for so long
    "interval_minutes": 60,  # how often the timer sweeps and summarizes
    "hotkey": "Ctrl+Alt+R",  # opens the search box (Windows); empty: none
    "excluded_projects": [],  # globs of project paths that are never captured
    "project_names": {},  # project path: the name to show for it
}

_MOST = 1_000_000
"""Of any number; so many minutes are two years, and beyond lie times that no calendar has."""


def read() -> dict[str, object]:
    """All settings, defaults where the file says nothing. Unknown keys are kept.

    Raises `ChatRecallError` where the file is damaged or a value has the wrong type: going on with
    defaults could capture a project that the person has excluded.
    """
    file = paths.settings_file()
    try:
        with open(file, encoding="utf-8-sig") as stream:
            written = json.load(stream)
    except FileNotFoundError:
        return dict(DEFAULTS)
    except (OSError, ValueError) as error:
        raise ChatRecallError("ChatRecall's settings can't be read", f"{file}: {error}") from error
    if not isinstance(written, dict):
        raise ChatRecallError("ChatRecall's settings can't be read", f"{file} holds no object.")
    for name in DEFAULTS.keys() & written.keys():
        wrong = trouble(name, written[name])
        if wrong:
            raise ChatRecallError(
                "ChatRecall's settings can't be read", f"{name} in {file}: {wrong}"
            )
    return {**DEFAULTS, **written}


def trouble(name: str, value: object) -> str:
    """Why `value` can't be the setting `name`, as a sentence; empty where it can."""
    default = DEFAULTS[name]
    if name == "summarizer" and value not in SUMMARIZERS:
        return f"It is one of {', '.join(SUMMARIZERS)}."
    if isinstance(default, (int, float)):
        if (
            not isinstance(value, (int, float))
            or isinstance(value, bool)
            or not 0 <= value <= _MOST
        ):
            return f"It is a number from 0 to {_MOST:,}."
        return ""
    if not isinstance(value, type(default)):
        return f"It looks like {json.dumps(default)}."
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return "" if all(isinstance(item, str) for item in items) else "It holds texts only."
    return ""


def number(key: str) -> float:
    """One setting that is a number. Raises as `read` does."""
    value = read()[key]
    assert isinstance(value, (int, float))
    return float(value)


def write(changes: dict[str, object]) -> None:
    """Store changed settings; whatever else the file holds stays. The file is replaced at once."""
    file = paths.settings_file()
    paths.make_private(os.path.dirname(file))
    settings = {key: value for key, value in read().items() if DEFAULTS.get(key) != value}
    fresh = f"{file}.{os.getpid()}.new"
    with open(fresh, "w", encoding="utf-8") as stream:
        json.dump({**settings, **changes}, stream, indent=2, ensure_ascii=False)
        stream.write("\n")
    os.replace(fresh, file)
