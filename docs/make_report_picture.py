"""docs/report.png anew: the head of the report on the bundled data, as a browser shows it (needs Chromium)."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import gainful

ROOT = Path(__file__).parents[1]
DATA = ROOT / "examples" / "data"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


def page(path: Path) -> None:
    """The report that the picture shows."""
    runs = [str(DATA / f"{name}.run") for name in ("sprinter", "marathon", "plain")]
    gainful.report(str(DATA / "qrels.txt"), runs).save(str(path))


def picture(path: Path, target: Path) -> None:
    """The verdict, the leaders by measure, and the strip by rank."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("there is no Chromium; install the package chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        tab = browser.new_page(viewport={"width": 1180, "height": 1000})
        tab.goto(path.as_uri())
        tab.wait_for_selector("#figure-readers-by-rank .plot.live svg")
        tab.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        tab.wait_for_timeout(300)
        tab.screenshot(path=str(target))
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "report.html"
        page(made)
        picture(made, ROOT / "docs" / "report.png")
    print(f"docs/report.png: {(ROOT / 'docs' / 'report.png').stat().st_size:,} bytes")
