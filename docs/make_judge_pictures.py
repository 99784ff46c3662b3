"""The pictures of docs/judge_page.md anew, and how quick a page of 10,000 documents is (needs Chromium)."""

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from gainful.studies import pool
from gainful.studies.collected_answers import Collected
from gainful.studies.judging_page import adjudication_page, assessor_page
from gainful.studies.study_folder import Study
from gainful.studies.study_records import Answer, Answers, Example

ROOT = Path(__file__).parents[1]
DATA = ROOT / "examples" / "data" / "search"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
INSTRUCTIONS = """Grade how well a text helps somebody who types the query.

Judge what it says, not how well it is written. Where you cannot know, say so."""
EXAMPLE = Example(
    query="how long to boil an egg",
    title="Eggs",
    text="A soft egg takes five minutes, a hard one ten.",
    grade=3,
    why="answers it completely",
)


def study(**given: Any) -> Study:
    """A study of the two runs of the bundled search team."""
    return pool(
        [str(DATA / "words.run"), str(DATA / "stems.run")],
        queries=str(DATA / "queries.tsv"),
        documents=str(DATA / "documents.tsv"),
        strategy="depth:5",
        assessors=["ann", "bob"],
        overlap=0.5,
        instructions=INSTRUCTIONS,
        examples=[EXAMPLE],
        **given,
    )


def disputed(made: Study) -> Collected:
    """Answers in which bob is a grade stricter than ann, and says why."""
    answers = {}
    for name, grade, reason in (("ann", 2, "says what to do"), ("bob", 1, "only half of it")):
        rows = [row for row in made.assignments if row.assessor == name]
        replies = tuple(
            Answer(topic=row.topic, document=row.document, grade=grade, reason=reason) for row in rows
        )
        answers[name] = Answers(study=made.manifest.id, assessor=name, answers=replies)
    return Collected(made, answers)


def taken(
    browser: Any, page: str, target: Path, keys: str, *, width: int, height: int, dark: bool = False
) -> None:
    """A picture of a page after some keys."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        tab = context.new_page()
        tab.goto(path.as_uri())
        for key in keys.split():
            tab.keyboard.press(key)
        tab.wait_for_timeout(200)
        target.parent.mkdir(exist_ok=True)
        tab.screenshot(path=str(target))
        context.close()
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


def pictures(browser: Any, folder: Path) -> None:
    """All pictures of the page in the docs."""
    graded, compared = study(), study(mode="preferences")
    page = assessor_page(graded, "ann")
    taken(browser, page, folder / "document.png", "Enter 3 2 1 0 2", width=1100, height=620)
    taken(browser, page, folder / "phone.png", "Enter 3 2", width=390, height=760, dark=True)
    taken(browser, assessor_page(compared, "ann"), folder / "pair.png", "Enter a b", width=1100, height=560)
    collected = disputed(graded)
    page = adjudication_page(graded, "cy", collected.disputed())
    taken(browser, page, folder / "adjudication.png", "Enter 2", width=1100, height=620)


ANSWER = """() => {
  const start = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def quickness(browser: Any, count: int = 10_000) -> None:
    """How large the page of a large study is, and how long opening it and an answer take."""
    sentence = "The cure of the fever was looked for in bark and root and found at last by chance. " * 12
    documents = {f"doc{number}": f"{sentence}{number}" for number in range(count)}
    topics = [f"{number}" for number in range(1, 51)]
    run = {
        topic: {f"doc{number}": -float(number) for number in range(place, count, 50)}
        for place, topic in enumerate(topics)
    }
    large = pool(
        {"a": run},
        queries={topic: f"cure for fever {topic}" for topic in topics},
        documents=documents,
        strategy="depth:1000",
        depth=1000,
    )
    start = time.perf_counter()
    page = assessor_page(large, "assessor")
    made = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        tab = browser.new_page()
        start = time.perf_counter()
        tab.goto(path.as_uri())
        tab.keyboard.press("Enter")
        opened = time.perf_counter() - start
        times = sorted(tab.evaluate(ANSWER) for _ in range(200))
    print(
        f"{len(large.assignments):,} documents: {len(page.encode()) / 1e6:.0f} MB, written in {made:.1f} s, "
        f"opened in {opened:.1f} s; an answer takes {times[100]:.0f} ms (median), {times[190]:.0f} ms (95 %)"
    )


if __name__ == "__main__":
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("there is no Chromium; install the package chromium")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        pictures(started, ROOT / "docs" / "judge")
        quickness(started)
        started.close()
