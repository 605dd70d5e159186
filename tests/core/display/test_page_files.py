"""The files of pages."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from core import paths
from core.display.page_files import PAGES_KEPT, copy_for_snap, remove_pages, write_page


def test_a_page_is_readable_by_its_owner_only() -> None:
    path = write_page("a.html", "text")
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(paths.pages_dir()).st_mode) == 0o700
    assert os.path.dirname(path) == paths.pages_dir()


def test_old_pages_are_tidied_and_some_kept() -> None:
    for number in range(PAGES_KEPT + 3):
        path = write_page(f"{number}.html", "text")
        os.utime(path, (number, number))
    assert set(os.listdir(paths.pages_dir())) == {f"{n}.html" for n in range(3, PAGES_KEPT + 3)}


def test_a_page_that_failed_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_page("a.html", "text")
    assert os.listdir(paths.pages_dir()) == []


def test_every_page_and_every_copy_can_be_removed(home: Path) -> None:
    remove_pages()  # there is none yet
    page = write_page("a.html", "text")
    copy = copy_for_snap(page, "firefox")
    remove_pages()
    assert not os.path.exists(page)
    assert not os.path.exists(copy)


def test_a_snap_gets_a_copy_that_it_can_read_and_others_not(home: Path) -> None:
    copy = copy_for_snap(write_page("a.html", "text"), "firefox")
    assert Path(copy) == home / "snap" / "firefox" / "common" / "chatrecall" / "a.html"
    assert Path(copy).read_text(encoding="utf-8") == "text"
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
