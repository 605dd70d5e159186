"""A real Chromium that opens pages from files and writes down all that they do."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import TIME_ZONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

AXE = "axe-core@4.14.1"
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chatrecall-tests"


@dataclass
class Opened:
    """A page in the browser, with what it asked for and what it complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if not chromium:
        pytest.skip("no Chromium is installed")
    from playwright.sync_api import sync_playwright

    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"] if as_root else []
        )
        yield browser
        browser.close()


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[..., Opened]]:
    """Opens an HTML file: `show(path, color_scheme="dark", viewport={…})`."""
    contexts = []

    def open_file(path: str, fragment: str = "", **options: Any) -> Opened:
        context = browser.new_context(timezone_id=TIME_ZONE, locale="de-DE", **options)
        contexts.append(context)
        opened = Opened(context.new_page())
        page = opened.page
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("console", lambda message: opened.complaints.append(message.text))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        page.add_init_script(
            "window.violations = []; document.addEventListener('securitypolicyviolation',"
            " (event) => window.violations.push(event.violatedDirective));"
        )
        page.goto(Path(path).as_uri() + fragment)
        return opened

    yield open_file
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, from npm, kept in a cache."""
    source = _CACHE / AXE / "node_modules/axe-core/axe.min.js"
    if not source.exists():
        _install_axe(source.parents[2])
    return source.read_text(encoding="utf-8")


def _install_axe(folder: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed, so axe-core can't be had")
    _CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_CACHE) as fresh:
        done = subprocess.run(
            [npm, "install", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund", AXE],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        if done.returncode != 0:
            pytest.skip(f"npm can't install axe-core: {done.stderr.strip()[:200]}")
        shutil.copytree(fresh, folder, dirs_exist_ok=True)


@pytest.fixture
def faults(axe: str) -> Callable[[Page], list[str]]:
    """What axe finds wrong with a page, best practices included, one line each."""

    def find(page: Page) -> list[str]:
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        return [
            f"{fault['id']}: {node['html'][:120]} ({node['failureSummary']})"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]

    return find
