"""Takes the README's pictures from the sample sessions: `python -m tests.pictures`.

So they stay true: whatever changes the page or the search box is in the next pictures. Chromium,
Xvfb, openbox, trayer, xdotool and ImageMagick must be there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import closing
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from core import database, paths
from core.capture.sweep import sweep
from core.display import page
from core.search.search import search
from core.summaries.summarize import summarize_due
from installer import samples
from tests.support.screen import new_screen, wait_until
from tests.support.tray_app import TrayApp

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
QUERY = "webhook signature"


def main() -> None:
    """Write the pictures of page and search box into `docs/pictures`."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, CLAUDE_CONFIG_DIR=os.path.join(home, ".claude"))
        samples.write(paths.projects_dir(), home)
        with closing(database.connect()) as db:
            sweep(db)
            summarize_due(db)
            found = page.write_results(db, search(db, QUERY, limit=2))
        for scheme in ("light", "dark"):
            take_page(found, scheme)
        take_search_box(Path(home))


def take_search_box(home: Path) -> None:
    """Start the tray app on a screen of its own, click its icon, type, and keep what shows."""
    with new_screen(width=900, height=520) as screen:
        screen.start_window_manager()
        screen.start_tray()
        app = TrayApp(screen, home, environment={})
        try:
            screen.click(*app.icon())
            window = wait_until(app.box)
            screen.type("stripe")
            time.sleep(2)  # the matches come while typing, the last of them after the last letter
            x, y, width, height = screen.geometry(window)
            whole = screen.screenshot(home / "screen.png")
        finally:
            app.close()
    with Image.open(whole) as picture:
        picture.crop((x, y, x + width, y + height)).save(PICTURES / "search-box.png")


def take_page(file: str, scheme: str) -> None:
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
