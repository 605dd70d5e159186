"""Times the page: `python -m tests.benchmarks.page`.

Prints, by number of sessions, how long writing the page of a result takes, how large it is, and in
a real Chromium how long it takes to open it and to filter all sessions by a word.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from core import database
from core.display import page
from tests.support import pages

NUMBERS = (100, 1_000, 5_000, 10_000, 50_000)
RUNS = 5
FILTER = """() => {
  const filter = document.querySelector("#filter");
  const before = performance.now();
  filter.value = filter.value ? "" : "webhook flaky";
  filter.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  return performance.now() - before;
}"""
OPENED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


def main() -> None:
    """Measure and print the table."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    print(f"{'sessions':>8} {'write ms':>9} {'size MB':>8} {'open ms':>8} {'filter ms':>10}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for number in NUMBERS:
            with tempfile.TemporaryDirectory() as home:
                os.environ["CHATRECALL_HOME"] = home
                print_row(browser, number)
        browser.close()


def print_row(browser: Browser, number: int) -> None:
    """Measure one size."""
    with closing(database.connect()) as db:
        result = pages.ordinary(db)
        pages.many(db, number - 3)
        page.write_results(db, result)  # loads the templates
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            path = page.write_results(db, result)
            times.append(1000 * (time.perf_counter() - start))
    opened, filtered = [], []
    for _ in range(RUNS):
        tab = browser.new_page()
        tab.goto(Path(path).as_uri())
        opened.append(tab.evaluate(OPENED))
        filtered += [tab.evaluate(FILTER) for _ in range(4)]
        tab.close()
    print(
        f"{number:>8,} {median(times):>9.0f} {os.path.getsize(path) / 1e6:>8.2f} "
        f"{median(opened):>8.0f} {median(filtered):>10.1f}"
    )


if __name__ == "__main__":
    main()
