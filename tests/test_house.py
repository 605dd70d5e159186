"""The house rules: which room may know which, and what the hook may load."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from tests.support import hook
from tests.support.transcript import Transcript

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {"core", "hook", "installer", "tray"}
MAY_KNOW = {
    "core": {"core"},
    "hook": {"hook", "core"},
    "installer": {"installer", "core"},
    "tray": {"tray", "installer", "core"},
}
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

# Each costs the hook milliseconds at every turn of every session.
TOO_HEAVY_FOR_THE_HOOK = {
    "argparse", "dataclasses", "hashlib", "inspect", "logging", "pathlib", "subprocess", "tempfile",
    "typing", "urllib",
}  # fmt: skip

# What a process that did all the hook's work has loaded.
LIST_MODULES = """
import json, sys
before = set(sys.modules)
sys.argv = [sys.argv[1]]
sys.path.insert(0, sys.argv[0])
from hook.append_exchange import append_exchange
append_exchange(json.load(sys.stdin))
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def _imports(path: Path) -> set[str]:
    """The full names of all modules that a file imports, at any depth."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute, so that they can be searched"
            names.add(str(node.module))
    return names


def test_arrows_between_rooms_point_down() -> None:
    wrong = {path: _rooms_known_by(path) - MAY_KNOW[_room(path)] for path in SOURCES}

    assert not {str(path): rooms for path, rooms in wrong.items() if rooms}


def test_the_product_does_not_know_its_tests() -> None:
    assert not [path for path in SOURCES if "tests" in _first_names(path)]


def _room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def _rooms_known_by(path: Path) -> set[str]:
    return _first_names(path) & ROOMS


def _first_names(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in _imports(path)}


def test_modules_do_not_import_in_circles() -> None:
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    graph = {name: _top_level_imports(path, modules) for name, path in modules.items()}
    while leaves := {name for name, needs in graph.items() if not needs}:
        graph = {name: needs - leaves for name, needs in graph.items() if name not in leaves}

    assert not graph, f"These import each other: {sorted(graph)}"


def _top_level_imports(path: Path, modules: dict[str, Path]) -> set[str]:
    """Our modules that a file imports when it is loaded."""
    found: set[str] = set()
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # `from core import paths` names a module, `from core.paths import ROOT` its content.
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & modules.keys()
            found.update(inner or {str(node.module)})
    return found & modules.keys()


def test_the_hook_loads_few_modules_and_only_the_standard_library(claude_dir: Path) -> None:
    transcript = Transcript(claude_dir / "projects")
    transcript.user("What is the plan?")
    payload = hook.payload(transcript, last_assistant_message="To keep the hook light.")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LIST_MODULES, ROOT],
        input=json.dumps(payload),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}

    assert not loaded & TOO_HEAVY_FOR_THE_HOOK
    assert loaded - {"core", "hook"} <= sys.stdlib_module_names
