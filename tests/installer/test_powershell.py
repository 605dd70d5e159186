from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core import paths

if TYPE_CHECKING:
    from tree_sitter import Node

SCRIPTS = sorted(Path(paths.ROOT, "installer").glob("*.ps1"))

# What PowerShell 7 has and Windows PowerShell 5.1 doesn't; the grammar knows both.
ONLY_IN_7 = {"&&", "||", "??", "??=", "?."}


def tree(source: bytes) -> Node:
    tree_sitter = pytest.importorskip("tree_sitter")
    powershell = pytest.importorskip("tree_sitter_powershell")
    parser = tree_sitter.Parser(tree_sitter.Language(powershell.language()))
    root: Node = parser.parse(source).root_node
    return root


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_are_well_formed(script: Path) -> None:
    assert not tree(script.read_bytes()).has_error


def test_a_broken_script_would_be_noticed() -> None:
    assert tree(b"if ($x) { 'a' ").has_error


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_hold_to_what_windows_powershell_knows(script: Path) -> None:
    tokens = set()
    waiting = [tree(script.read_bytes())]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if not node.children and node.text:
            tokens.add(node.text.decode())
    assert not tokens & ONLY_IN_7


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_are_ascii(script: Path) -> None:
    # Windows PowerShell reads a file without a mark in the machine's code page.
    assert script.read_bytes().isascii()


def test_the_store_is_passed_over() -> None:
    text = Path(paths.ROOT, "installer", "install-chatrecall.ps1").read_text("utf-8")

    assert text.count("WindowsApps") == 2  # the alias's own path, and the base of what it starts


def test_both_scripts_are_there() -> None:
    assert [os.path.basename(script) for script in SCRIPTS] == [
        "install-chatrecall.ps1",
        "register-task.ps1",
    ]
