"""All checks and tests in one command: `python tests [pytest arguments]`.

Needs a Python and this checkout, nothing else: what the tests use is installed into an environment
of their own under `.cache/`, which is made again when `pyproject.toml` or the Python has changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)


def main(pytest_arguments: list[str]) -> int:
    """Run lint, format check, type check and tests, all of them; 0 only where all are clean."""
    python = _environment()
    checks = {
        "ruff check": ["ruff", "check", "--quiet"],
        "ruff format --check": ["ruff", "format", "--check", "--quiet"],
        "mypy": ["mypy", "."],
        "pytest": ["pytest", *pytest_arguments],
    }
    failed = [name for name, command in checks.items() if not _passes(name, python, command)]
    if failed:
        print(f"Failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def _environment() -> str:
    """The Python of the test environment, which is made first where it is missing or stale."""
    folder = ROOT / ".cache" / f"tests-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "made-for"
    wanted = _fingerprint()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"Making the test environment in {folder} …", flush=True)
        venv.create(folder, clear=True, with_pip=True, symlinks=os.name != "nt")
        _install(str(python))
        stamp.write_text(wanted, encoding="utf-8")  # last, so that half an environment has none
    return str(python)


def _fingerprint() -> str:
    pyproject = (ROOT / "pyproject.toml").read_bytes()
    return f"{sys.version} {sys.base_prefix} {hashlib.sha256(pyproject).hexdigest()}"


def _install(python: str) -> None:
    """Install what the project and its tests depend on.

    Not the project itself: the tests run against the checkout.
    """
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if subprocess.run([*pip, *requirements], check=False).returncode != 0:
        sys.exit("The test environment could not be made; pip says why above.")


def _passes(name: str, python: str, command: list[str]) -> bool:
    print(f"\n== {name}", flush=True)
    return subprocess.run([python, "-m", *command], cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    if sys.version_info < OLDEST_PYTHON:
        sys.exit("ChatRecall's tests need Python 3.11 or newer.")
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit("This Python can't make environments. On Debian: apt-get install python3-venv")
    sys.exit(main(sys.argv[1:]))
