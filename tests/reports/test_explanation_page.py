"""The page of an explanation: whole, self-contained, and read in a real browser."""

import re

import pytest
from tests.chromium import violations

import gainful
from gainful.explaining import explain_difference
from gainful.reports.html_page import explanation_page

from .conftest import draw_all, graded, three_runs

RUNS = three_runs()
PAGES = {
    "one run": lambda: gainful.explain(graded(), {"early": RUNS["early"]}, "3", "nDCG@5"),
    "two runs": lambda: explain_difference(
        graded(), {"early": RUNS["early"]}, {"late": RUNS["late"]}, "3", "nDCG@5"
    ),
    "precision": lambda: gainful.explain(graded(), {"early": RUNS["early"]}, "3", "AP"),
}


@pytest.fixture(params=PAGES)
def explained(request):
    return PAGES[request.param]()


def test_the_page_has_the_tables_and_a_picture_and_needs_no_other_file(explained):
    made = explanation_page(explained)
    assert made.startswith("<!doctype html>")
    for table in re.findall("<table>.*?</table>", explained.html()):
        assert table in made
    assert '<svg aria-hidden="true"' in made
    assert "default-src &#39;none&#39;" in made
    assert not re.search(r'(?:src|href)="(?:https?:)?//', made)
    assert [int(level) for level in re.findall(r"<h(\d)", made.partition("<script")[0])][:2] == [1, 2]


def test_the_page_opens_in_a_browser_wide_and_narrow(explained, opened, tmp_path):
    path = tmp_path / "explained.html"
    path.write_text(explanation_page(explained), encoding="utf-8")
    page = opened(path)
    for plot in page.tab.locator(".plot").all():
        plot.scroll_into_view_if_needed()
    page.tab.wait_for_selector(".plot.live svg")
    assert page.said == []
    assert page.asked == [path.as_uri()]
    for width in (1200, 390):
        page.tab.set_viewport_size({"width": width, "height": 900})
        # charts are drawn anew for the width
        # A function, not text: the page's policy lets no text be evaluated again while waiting.
        page.tab.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)


def test_decimals_and_folding_are_followed():
    made = explanation_page(PAGES["one run"](), places=2, fold=False)
    assert re.search(r"<h2>nDCG@5 = 0\.\d\d ·", made)


def test_an_empty_list_has_a_page_without_a_picture():
    made = explanation_page(gainful.explain({"q": {"d": 1}, "r": {"d": 1}}, {"r": {"d": 1.0}}, "q", "AP"))
    assert "<svg" not in made
    assert "AP = 0.0000" in made


def test_names_cannot_become_tags():
    run = {"<i>r": {"<i>q": {"<i>d": 1.0}}}
    made = explanation_page(gainful.explain({"<i>q": {"<i>d": 1}}, run, measure="nDCG@2"))
    assert "<i>" not in made
    assert "&lt;i&gt;d" in made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_axe_finds_no_violation(explained, opened, axe, tmp_path, width, scheme):
    path = tmp_path / "explained.html"
    path.write_text(explanation_page(explained), encoding="utf-8")
    tab = opened(path, color_scheme=scheme).tab
    tab.set_viewport_size({"width": width, "height": 844})
    draw_all(tab)
    assert violations(tab, axe) == []


def test_without_javascript_the_pictures_are_large_enough_to_read(explained, opened, tmp_path):
    path = tmp_path / "explained.html"
    path.write_text(explanation_page(explained), encoding="utf-8")
    for plot in opened(path, java_script_enabled=False).tab.locator(".plot svg").all():
        assert plot.bounding_box()["width"] >= 480
