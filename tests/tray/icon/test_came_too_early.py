from __future__ import annotations

import pytest

from tray.icon import icon as icon_module
from tray.icon.icon import Icon


@pytest.mark.parametrize(
    ("at_first", "later", "why_missing", "expected"),
    [
        (False, True, "The desktop has no tray.", True),
        (False, False, "The desktop has no tray.", False),
        (False, True, "", False),  # an X11 tray shows it
        (True, True, "This Python has no AppIndicator.", False),  # a new process has none either
    ],
)
def test_only_a_tray_that_came_later_is_worth_a_new_start(
    at_first: bool,
    later: bool,
    why_missing: str,
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([at_first, later])
    monkeypatch.setattr(icon_module, "_has_tray_like_kde_s", lambda: next(answers))
    made = Icon(source=None, keys="", open_menu=lambda _x, _y: None)  # type: ignore[arg-type]
    made._why_missing = why_missing

    assert made.came_too_early is expected
