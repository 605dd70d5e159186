from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from core import settings
from core.projects import project_name, project_root

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    if not shutil.which("git"):
        pytest.skip("needs git")
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def repository(home: Path) -> Path:
    """A repository with one commit, `work/shop` in the home folder."""
    folder = home / "code" / "shop"
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "first")
    return folder


def root(folder: Path) -> str:
    return project_root(str(folder))


def test_a_folder_outside_of_repositories_is_its_own_project(home: Path) -> None:
    folder = home / "notes"
    folder.mkdir()
    assert root(folder) == str(folder)
    assert project_name(str(folder)) == "notes"


def test_subfolders_belong_to_their_repository(repository: Path) -> None:
    deep = repository / "src" / "web"
    deep.mkdir(parents=True)
    assert root(deep) == str(repository)
    assert project_name(str(deep)) == "shop"


def test_a_worktree_belongs_to_its_repository(repository: Path) -> None:
    git(repository, "worktree", "add", "../shop-fix")
    assert root(repository.parent / "shop-fix") == str(repository)


def test_a_subfolder_of_a_worktree_belongs_to_the_repository(repository: Path) -> None:
    git(repository, "worktree", "add", "../shop-fix")
    deep = repository.parent / "shop-fix" / "src"
    deep.mkdir()
    assert root(deep) == str(repository)


def test_a_worktree_of_claude_code_that_is_gone_belongs_to_its_repository(home: Path) -> None:
    gone = home / "gone" / ".claude" / "worktrees" / "brave-otter" / "src"
    assert root(gone) == str(home / "gone")


def test_a_submodule_belongs_to_the_repository_around_it(repository: Path, home: Path) -> None:
    library = home / "library"
    library.mkdir()
    git(library, "init")
    git(library, "commit", "--allow-empty", "-m", "first")
    git(
        repository,
        "-c", "protocol.file.allow=always", "submodule", "add", str(library), "vendor/library",
    )  # fmt: skip
    assert root(repository / "vendor" / "library") == str(repository)


def test_worktrees_of_a_bare_repository_are_one_project(repository: Path) -> None:
    bare = repository.parent / "store.git"
    git(repository, "clone", "--bare", ".", str(bare))
    git(bare, "worktree", "add", "../one")
    git(bare, "worktree", "add", "../two")
    assert root(bare.parent / "one") == root(bare.parent / "two") == str(bare)
    assert project_name(str(bare.parent / "one")) == "store"


def test_a_hidden_bare_repository_is_named_after_the_folder_around_it(repository: Path) -> None:
    around = repository.parent / "tidy"
    around.mkdir()
    git(repository, "clone", "--bare", ".", str(around / ".bare"))
    git(around / ".bare", "worktree", "add", "../fix")
    assert root(around / "fix") == str(around)


def test_a_separate_git_folder_changes_nothing(home: Path) -> None:
    folder = home / "apart"
    folder.mkdir()
    git(folder, "init", "--separate-git-dir", str(home / "apart-git"))
    assert root(folder) == str(folder)


def test_a_repository_of_dotfiles_in_the_home_folder_owns_no_project(home: Path) -> None:
    git(home, "init")
    folder = home / "notes"
    folder.mkdir()
    assert root(folder) == str(folder)


def test_a_folder_that_is_gone_keeps_its_name(home: Path) -> None:
    assert project_name(str(home / "gone" / "shop")) == "shop"


def test_a_deleted_subfolder_belongs_to_its_repository(repository: Path) -> None:
    assert root(repository / "old" / "part") == str(repository)


@pytest.mark.parametrize("content", [b"", b"\xff\x00 nothing", b"gitdir: \x00", b"gitdir:"])
def test_a_git_file_with_nonsense_is_no_repository(home: Path, content: bytes) -> None:
    folder = home / "odd"
    folder.mkdir()
    (folder / ".git").write_bytes(content)
    assert project_name(str(folder)) == "odd"


def test_the_home_folder_is_called_home(home: Path) -> None:
    assert project_name(str(home)) == "home"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "/"),
        ("C:\\", "C:\\"),
        ("", ""),
        ("c:\\Users\\Ann\\shop", "shop"),
        ("C:/Users/Ann/shop/", "shop"),
        ("C:\\Users\\Ann\\shop\\.claude\\worktrees\\brave-otter", "shop"),
        ("\\\\server\\share\\Ünï 日本", "Ünï 日本"),
    ],
)
def test_paths_of_any_system_have_a_name(path: str, name: str) -> None:
    assert project_name(path) == name


def test_spellings_of_one_windows_folder_are_one_project() -> None:
    assert project_root("c:/Users/Ann/shop/") == project_root("C:\\Users\\Ann\\shop")


def test_a_name_from_the_settings_is_used_for_the_whole_repository(repository: Path) -> None:
    settings.write({"project_names": {"~/code/shop": "Corner shop"}})
    deep = repository / "src"
    deep.mkdir()
    git(repository, "worktree", "add", "../shop-fix")
    assert project_name(str(deep)) == "Corner shop"
    assert project_name(str(repository.parent / "shop-fix")) == "Corner shop"


@pytest.mark.skipif(os.name != "posix", reason="Windows tells a folder as it was entered")
def test_a_name_for_a_folder_behind_a_link_is_used(repository: Path, home: Path) -> None:
    (home / "work").symlink_to(repository.parent)
    settings.write({"project_names": {f"~/work/{repository.name}": "Corner shop"}})
    assert project_name(str(repository)) == "Corner shop"


def test_a_name_of_a_nearer_folder_comes_first(repository: Path) -> None:
    deep = repository / "packages" / "till"
    deep.mkdir(parents=True)
    settings.write({"project_names": {str(repository): "Shop", str(deep.parent): "Packages"}})
    assert project_name(str(deep)) == "Packages"


def test_a_name_for_a_windows_folder_fits_in_any_spelling() -> None:
    settings.write({"project_names": {"c:/users/ann/SHOP": "Corner shop"}})
    assert project_name("C:\\Users\\Ann\\shop\\src") == "Corner shop"
