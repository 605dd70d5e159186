from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from core import folders, settings
from core.errors import ChatRecallError
from core.privacy import exclusions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("glob", "folder"),
    [
        ("/srv/client", "/srv/client"),
        ("/srv/client/", "/srv/client/"),
        ("/srv/client", "/srv/client/src/deep"),
        ("/srv/*", "/srv/client/src"),
        ("/srv/cli?nt", "/srv/client"),
        ("/srv/**", "/srv/a/b"),
        ("/srv/**/secret", "/srv/secret"),
        ("/srv/**/secret", "/srv/a/b/secret/c"),
        ("private", "/home/ann/private/x"),
        ("*-private", "/home/ann/tax-private"),
        ("work/private", "/home/ann/work/private"),
        ("**/private", "/private"),
        ("/srv/Ünï 日本", "/srv/Ünï 日本"),
        ("/srv/a.b+c", "/srv/a.b+c"),
        ("C:\\Work\\Client", "c:/work/CLIENT/src"),
        ("c:/work/*", "C:\\Work\\client"),
        ("client", "C:\\work\\Client\\src"),
        ("*", "/any/folder"),
    ],
)
def test_a_folder_that_fits_is_excluded(glob: str, folder: str) -> None:
    exclusions.exclude(glob)
    assert exclusions.is_excluded(folder)


@pytest.mark.parametrize(
    ("glob", "folder"),
    [
        ("/srv/client", "/srv/client2"),
        ("/srv/client", "/srv"),
        ("/srv/*/deep", "/srv/deep"),
        ("/srv/**", "/srvant"),
        ("/srv/**", "/srv"),
        ("private", "/home/ann/private2"),
        ("Private", "/home/ann/private"),
        ("work/private", "/home/ann/private"),
        ("/srv/a.b", "/srv/aXb"),
        ("C:\\work", "D:\\work"),
        ("private", ""),
    ],
)
def test_a_folder_that_does_not_fit_is_captured(glob: str, folder: str) -> None:
    exclusions.exclude(glob)
    assert not exclusions.is_excluded(folder)


def test_a_tilde_is_the_home_folder(home: Path) -> None:
    exclusions.exclude("~/private-*")
    assert exclusions.is_excluded(str(home / "private-taxes" / "2026"))


@pytest.mark.skipif(os.name != "posix", reason="Windows tells a folder as it was entered")
@pytest.mark.parametrize("glob", ["~/cloud/taxes", "~/cloud/t*", "~/cloud/**/2026", "~/cloud"])
def test_a_folder_behind_a_link_is_excluded_as_transcripts_name_it(home: Path, glob: str) -> None:
    folder = home / "Library" / "taxes" / "2026"
    folder.mkdir(parents=True)
    (home / "cloud").symlink_to(home / "Library")
    exclusions.exclude(glob)
    assert exclusions.is_excluded(str(folder))
    assert exclusions.is_excluded(str(home / "cloud" / "taxes" / "2026"))
    assert not exclusions.is_excluded(str(home / "Library2" / "taxes" / "2026"))


@pytest.mark.skipif(os.name != "posix", reason="Windows tells a folder as it was entered")
def test_a_home_that_is_a_link_is_the_folder_that_it_leads_to(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = home.with_name("link")
    link.symlink_to(home)
    monkeypatch.setenv("HOME", str(link))
    exclusions.exclude("~/private")
    assert exclusions.is_excluded(str(home / "private" / "diary"))
    assert folders.home() == str(home)


def test_a_worktree_elsewhere_is_excluded_with_its_repository(home: Path) -> None:
    git_folder = home / "shop" / ".git" / "worktrees" / "fix"
    git_folder.mkdir(parents=True)
    worktree = home / "elsewhere"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {git_folder}\n", encoding="utf-8")
    exclusions.exclude("~/shop")
    assert exclusions.is_excluded(str(worktree))


def test_nothing_is_excluded_at_first() -> None:
    assert not exclusions.is_excluded("/srv/client")


def test_excluding_twice_leaves_one_glob() -> None:
    exclusions.exclude("/srv/client")
    exclusions.exclude("/srv/client")
    assert exclusions.all_globs() == ("/srv/client",)


def test_what_is_included_again_is_captured() -> None:
    exclusions.exclude("/srv/client")
    assert exclusions.include("/srv/client")
    assert not exclusions.is_excluded("/srv/client")
    assert not exclusions.include("/srv/client")


def test_other_settings_stay() -> None:
    settings.write({"daily_cap_usd": 1.5})
    exclusions.exclude("/srv/client")
    assert settings.read()["daily_cap_usd"] == 1.5


def test_damaged_settings_are_an_error_and_not_an_empty_list(home: Path) -> None:
    exclusions.exclude("/srv/client")
    (home / ".claude" / "chatrecall" / "settings.json").write_text("{", encoding="utf-8")
    with pytest.raises(ChatRecallError):
        exclusions.is_excluded("/srv/client")
