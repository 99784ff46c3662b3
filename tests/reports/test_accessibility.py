"""The page for everybody: read aloud, by keyboard, on a phone, in the dark and on paper."""

import pytest
from tests.chromium import violations

from gainful.reports import report

from .conftest import draw_all, graded, three_runs

SIZES = {"desktop": {"width": 1200, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_violation(opened, axe, size, scheme):
    tab = opened(color_scheme=scheme).tab
    tab.set_viewport_size(SIZES[size])
    draw_all(tab)
    tab.locator("#topics-table a.topic").first.dispatch_event("click")
    assert violations(tab, axe) == []


def test_pictures_that_scroll_can_be_reached_before_they_are_live(opened, axe):
    tab = opened().tab
    tab.set_viewport_size(SIZES["phone"])
    assert tab.locator(".plot:not(.live)").count() > 5
    assert violations(tab, axe) == []


def test_every_column_that_sorts_shows_that_it_does(opened):
    tab = opened().tab
    arrows = tab.eval_on_selector_all(
        "th[aria-sort] button", "all => all.map((one) => getComputedStyle(one, '::after').content)"
    )
    assert len(arrows) > 10
    assert set(arrows) == {'" ↕"', '" ↓"', '" ↑"'}
    assert tab.locator("th[aria-sort=descending]").inner_text() == "nDCG@5"
    assert tab.locator("th[aria-sort=ascending]").inner_text() == "late − early"


def test_heads_of_tables_are_words_on_paper(opened):
    """Chromium repeats the head of a table on the next sheet without its buttons."""
    tab = opened().tab
    tab.emulate_media(media="print")
    labels = tab.eval_on_selector_all(
        "th[aria-sort]",
        "all => all.map((one) => [getComputedStyle(one, '::before').content, one.textContent])",
    )
    assert len(labels) > 10
    assert all(label == f'"{name}"' for label, name in labels)
    assert not tab.locator("#topics-table thead button").first.is_visible()


def test_the_lines_of_topics_are_printed_without_the_browsers_backgrounds(opened):
    tab = opened().tab
    tab.emulate_media(media="print")
    kept = tab.eval_on_selector(".track", "one => getComputedStyle(one).printColorAdjust")
    assert kept == "exact"


INSIDE = """name => {
  const chart = document.querySelector(`#figure-${name} svg`).getBoundingClientRect();
  return Array.from(document.querySelectorAll(`#figure-${name} svg text`))
    .filter((text) => text.getBoundingClientRect().width > 0)
    .filter((text) => text.getBoundingClientRect().left < chart.left - 1 || text.getBoundingClientRect().right > chart.right + 1)
    .map((text) => text.textContent);
}"""


@pytest.mark.parametrize("width", [360, 1200])
def test_no_word_of_a_chart_is_cut_off(opened, tmp_path, width):
    runs = {f"a-long-name-of-a-run-{name}": run for name, run in three_runs().items()}
    path = tmp_path / "long.html"
    report(graded(), runs, "AP, P@2").save(str(path))
    tab = opened(path).tab
    tab.set_viewport_size({"width": width, "height": 800})
    tab.reload()
    draw_all(tab)
    names = tab.eval_on_selector_all(".plot", "plots => plots.map((plot) => plot.dataset.chart)")
    assert [(name, cut) for name in names if (cut := tab.evaluate(INSIDE, name))] == []
