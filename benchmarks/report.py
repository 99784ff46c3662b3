"""What does a report cost beyond evaluation, how large is its page, and how fast does a browser open and sort it?"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.data import FOLDER, write_judgments, write_run
from support.measuring import GAINFUL, costs, hold, tell, warm

SEED = 300
USUAL = (20, 50, 1000)  # systems, topics, documents
LARGE = (100, 250, 100)
MANY_TOPICS = (2, 5000, 100)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SORT = """query => {
  const table = document.querySelector(query), button = table.tHead.querySelectorAll("button")[2], taken = [];
  for (let time = 0; time < 5; time += 1) {
    const start = performance.now();
    button.click();
    document.body.offsetHeight; // lay out
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[2] / 1000;
}"""
TABLES = ("#scores table", "#pairs-table", "#topics-table")


def answer() -> None:
    usual, large = FOLDER / "report-usual.html", FOLDER / "report-large.html"
    files = data(*USUAL)
    warm(*files)
    commands = {
        "gainful evaluate": [GAINFUL, "evaluate", *files, "-f", "json"],
        "gainful report": [GAINFUL, "report", *files, "-o", usual, "--overwrite"],
    }
    found = costs(commands, rounds=3)
    tell(found)
    beyond = found["gainful report"].seconds - found["gainful evaluate"].seconds
    hold("a report on 20 × 50 × 1,000, beyond evaluating", beyond, most=10, unit="s")
    hold("its page", usual.stat().st_size / 1e6, most=6, unit="MB")
    many = FOLDER / "report-many-topics.html"
    name = "gainful report, 2 × 5,000 × 100"
    found = costs({name: [GAINFUL, "report", *data(*MANY_TOPICS), "-o", many, "--overwrite"]}, rounds=1)
    tell(found)
    hold("a report on 5,000 topics", found[name].seconds, most=8, unit="s")
    print(f"  its page: {many.stat().st_size / 1e6:.1f} MB")
    tell(
        costs(
            {"gainful report, 100 × 250": [GAINFUL, "report", *data(*LARGE), "-o", large, "--overwrite"]},
            rounds=1,
        )
    )
    print(f"  its page: {large.stat().st_size / 1e6:.1f} MB")
    in_browser(large)


def in_browser(path: Path) -> None:
    """Open the page and sort its tables."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("  no Chromium here: opening and sorting were not timed")
        return
    with tab(chromium) as page:
        start = time.perf_counter()
        page.goto(path.as_uri(), wait_until="load")
        hold("100 × 250 opens", time.perf_counter() - start, most=2, unit="s")
        for table in TABLES:
            hold(f"{table} sorts", page.evaluate(SORT, table), most=0.2, unit="s")
        page.select_option("#pairs-which", "all")
        hold("all 4,950 pairs sort", page.evaluate(SORT, "#pairs-table"), most=0.2, unit="s")


@contextmanager
def tab(chromium: str) -> Iterator[Any]:
    """An empty page of a browser that has started already."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page()
        page.goto("about:blank")
        yield page
        browser.close()


def data(systems: int, topics: int, depth: int) -> list[Path]:
    """Judgments and runs, made first if they are not there; each whole or not at all."""
    FOLDER.mkdir(exist_ok=True)
    name = f"report-{systems}-{topics}-{depth}"
    judgments, runs = (
        FOLDER / f"{name}.qrels",
        [FOLDER / f"{name}-{number:03}.run" for number in range(systems)],
    )
    for number, path in enumerate([judgments, *runs], -1):
        if path.exists():
            continue
        partial = path.with_suffix(".part")
        with partial.open("wb") as out:
            if path is judgments:
                write_judgments(out, topics=topics, seed=SEED, each=100, depth=depth)
            else:
                write_run(out, topics=topics, seed=SEED, system=number, depth=depth)
        partial.rename(path)
    return [judgments, *runs]
