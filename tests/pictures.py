"""Takes the README's pictures from the sample sessions: `python -m tests.pictures`.

So they stay true: whatever changes the page or the search box is in the next pictures. Chromium,
Xvfb, xsetroot, openbox, trayer, xdotool and ImageMagick must be there.
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
DESKTOP = "#9db4c8"
MARGIN = 12


def main() -> None:
    """Write the pictures of page, search box and menu into `docs/pictures`."""
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
        take_tray(Path(home))


def take_tray(home: Path) -> None:
    """Start the tray app on a screen of its own, and keep its search box and its menu."""
    with new_screen(width=900, height=520) as screen:
        screen.start("xsetroot", "-solid", DESKTOP)
        screen.start_window_manager()
        screen.start_tray()
        app = TrayApp(screen, home, environment={})
        try:
            take_search_box(app)
            take_menu(app)
        finally:
            app.close()


def take_search_box(app: TrayApp) -> None:
    """Click the icon and type."""
    app.screen.click(*app.icon())
    box = wait_until(app.box)
    app.screen.type("stripe")
    time.sleep(2)  # the matches come while typing, the last of them after the last letter
    crop(app, app.screen.geometry(box), "search-box.png")
    app.screen.press("Escape")


def take_menu(app: TrayApp) -> None:
    """Click the icon's upper edge with the other button, so that the menu doesn't cover it."""
    x, y = app.icon()
    app.screen.click(x, y - 10, button=3)
    menu = wait_until(lambda: app.screen.find_windows("--class", "Menu"))[0]
    time.sleep(1)  # drawn
    x, y, _, _ = app.screen.geometry(menu)
    left, top = x - MARGIN, y - MARGIN
    crop(app, (left, top, app.screen.width - left, app.screen.height - top), "menu.png")


def crop(app: TrayApp, part: tuple[int, int, int, int], name: str) -> None:
    """Keep a part of the screen: left, top, width and height in pixels."""
    x, y, width, height = part
    with Image.open(app.screen.screenshot(app.home / "screen.png")) as picture:
        picture.crop((x, y, x + width, y + height)).save(PICTURES / name)


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
