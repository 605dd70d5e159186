from __future__ import annotations

import pytest

from core import folders


@pytest.mark.parametrize(
    ("path", "tidied"),
    [
        ("", ""),
        ("/", "/"),
        ("/home/ann/x/", "/home/ann/x"),
        ("/home//ann/./x", "/home/ann/x"),
        ("/home/Ünï 日本", "/home/Ünï 日本"),
        ("c:\\Users\\Ann\\x\\", "C:\\Users\\Ann\\x"),
        ("c:/Users/Ann//x", "C:\\Users\\Ann\\x"),
        ("C:", "C:"),
        ("C:\\", "C:\\"),
        ("\\\\server\\share\\x\\", "\\\\server\\share\\x"),
    ],
)
def test_a_folder_has_one_spelling(path: str, tidied: str) -> None:
    assert folders.tidy(path) == tidied


def test_windows_folders_are_equal_in_any_case() -> None:
    assert folders.key("c:/Users/ANN/Ünï") == folders.key("C:\\users\\ann\\ünï\\")


def test_other_folders_differ_by_case() -> None:
    assert folders.key("/home/ann") != folders.key("/home/Ann")


@pytest.mark.parametrize(
    ("path", "all_of_them"),
    [
        ("/a/b", ["/a/b", "/a", "/"]),
        ("/", ["/"]),
        ("C:\\a\\b", ["C:\\a\\b", "C:\\a", "C:\\"]),
        ("\\\\server\\share\\x", ["\\\\server\\share\\x", "\\\\server\\share\\"]),
        ("a/b", ["a/b", "a"]),
        ("", []),
    ],
)
def test_upwards_ends_at_the_root(path: str, all_of_them: list[str]) -> None:
    assert list(folders.upwards(path)) == all_of_them


def test_a_root_has_no_name() -> None:
    assert [folders.last(path) for path in ("/", "C:\\", "/a", "C:\\a")] == ["", "", "a", "a"]
