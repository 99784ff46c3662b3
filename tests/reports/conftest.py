"""Small reports, and pages that are opened in a browser."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from gainful.presentation.chart_painter import Painter
from gainful.reports import html_page, report


def graded(topics=8, documents=6):
    """Judgments in which d1 is worth most and the last one nothing."""
    grades = {f"d{number}": max(0, 3 - number // 2) for number in range(1, documents + 1)}
    return {str(topic): dict(grades) for topic in range(1, topics + 1)}


def ranked(orders):
    """A run from documents in their order: {topic: "d1 d2 d3"}."""
    return {
        topic: {document: -float(place) for place, document in enumerate(order.split())}
        for topic, order in orders.items()
    }


def three_runs(topics=8):
    """One that begins well, one that ends well, and one that is mostly wrong."""
    early = {str(n): "d1 d2 x1 x2 x3 d5" if n % 3 else "d2 d1 x1 x2 d3" for n in range(1, topics + 1)}
    late = {str(n): "x1 d2 d1 d3 d4" if n % 2 else "x2 x1 d1 d2 d3 d4" for n in range(1, topics + 1)}
    poor = {str(n): "x1 x2 x3 d4 d1" if n % 4 else "d6 x1 d2" for n in range(1, topics + 1)}
    return {"early": ranked(early), "late": ranked(late), "poor": ranked(poor)}


@pytest.fixture(scope="session", autouse=True)
def one_painter():
    """One process draws the charts of all tests, as it takes a while to start."""
    with Painter() as shared, pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_page, "Painter", lambda: nullcontext(shared))
        yield


@pytest.fixture(scope="session")
def small():
    """A report on three small runs."""
    return report(graded(), three_runs(), "nDCG@5, AP, P@2", command="gainful report qrels.txt early.run")


@pytest.fixture(scope="session")
def page(small):
    return small.html()


class Opened:
    """A page in the browser, and what went wrong while it was open."""

    def __init__(self, browser, path, **context):
        self.context = browser.new_context(viewport={"width": 1200, "height": 900}, **context)
        self.tab = self.context.new_page()
        self.said, self.asked = [], []
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda fault: self.said.append(str(fault)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(Path(path).as_uri())

    def close(self):
        self.context.close()


@pytest.fixture(scope="session")
def saved(small, page, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, saved):
    """Opens the small report, or another file, in a fresh tab."""
    tabs = []

    def open_(path=saved, **context):
        tabs.append(Opened(browser, path, **context))
        return tabs[-1]

    yield open_
    for tab in tabs:
        tab.close()


def make_live(tab, plot) -> None:
    """Bring a chart into view and wait until it is live."""
    plot.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    tab.wait_for_function("one => one.classList.contains('live')", arg=plot.element_handle())


def draw_all(tab) -> None:
    """Open what is folded and wait until every chart is live."""
    tab.eval_on_selector_all("details", "parts => parts.forEach((part) => { part.open = true; })")
    for plot in tab.locator(".plot").all():
        make_live(tab, plot)
