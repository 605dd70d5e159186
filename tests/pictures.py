"""Takes the README's pictures from the sample sessions: `python -m tests.pictures`.

So they stay true: whatever changes the page is in the next pictures.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import sync_playwright

from core import database, paths
from core.capture.sweep import sweep
from core.display import page
from core.search.search import search
from core.summaries.summarize import summarize_due
from installer import samples

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
QUERY = "webhook signature"


def main() -> None:
    """Write the pictures of the page, light and dark, into `docs/pictures`."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, CLAUDE_CONFIG_DIR=os.path.join(home, ".claude"))
        samples.write(paths.projects_dir(), home)
        with closing(database.connect()) as db:
            sweep(db)
            summarize_due(db)
            found = page.write_results(db, search(db, QUERY, limit=2))
        for scheme in ("light", "dark"):
            take_picture(found, scheme)


def take_picture(file: str, scheme: str) -> None:
    """Open an HTML file in Chromium and keep what a person sees of it."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        view = chromium.new_page(
            viewport={"width": 960, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        view.goto(Path(file).as_uri())
        view.screenshot(path=PICTURES / f"page-{scheme}.png")
        chromium.close()


if __name__ == "__main__":
    main()
