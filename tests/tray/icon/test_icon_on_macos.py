"""What macOS asks for, held here with its libraries' doubles: nothing of it was seen on a Mac."""

from __future__ import annotations

import subprocess
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from tests.support.tray_app import ROOT
from tray.icon.icon import Icon

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tray.icon.icon_source import IconSource

WITHOUT_TK = """
import sys
sys.modules["tkinter"] = None
import tray.desktop.macos
"""


class DoubleOfPystray:
    """Calls what is to be set up in a thread of its own, as pystray does."""

    def __init__(self) -> None:
        self.shown_in = ""

    def run_detached(self, setup: Callable[[Any], None]) -> None:
        thread = threading.Thread(target=setup, args=(self,))
        thread.start()
        thread.join()

    def _appear(self) -> None:
        self.shown_in = threading.current_thread().name


def test_the_icon_shows_from_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Callable[[], None]] = []
    helper = ModuleType("PyObjCTools.AppHelper")
    monkeypatch.setattr(helper, "callAfter", waiting.append, raising=False)
    monkeypatch.setitem(sys.modules, "PyObjCTools.AppHelper", helper)
    monkeypatch.setitem(sys.modules, "PyObjCTools", ModuleType("PyObjCTools"))
    monkeypatch.setattr(sys, "platform", "darwin")
    double = DoubleOfPystray()
    icon = Icon(cast("IconSource", None), "", lambda _x, _y: None)
    monkeypatch.setattr(icon, "_make", lambda: double)
    icon.start()
    for call in waiting:  # as the main thread's loop does
        call()
    assert double.shown_in == threading.main_thread().name


def test_a_python_without_tk_has_an_icon_nevertheless() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TK], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
