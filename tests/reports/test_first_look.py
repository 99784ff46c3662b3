"""The first look at the page of a search team: few words, and on a phone the answer on the first two screens."""

from pathlib import Path

import pytest
from tests.chromium import violations

from gainful.reports import report

from .conftest import draw_all, make_live

DATA = Path(__file__).parents[2] / "examples" / "data"
SEARCH = DATA / "search"
MOST_WORDS = 1200
PHONE = {"width": 390, "height": 844}
PAGES = {
    "search team": lambda: report(
        str(SEARCH / "qrels.txt"),
        [str(SEARCH / "words.run"), str(SEARCH / "stems.run")],
        queries=str(SEARCH / "queries.tsv"),
        documents=str(SEARCH / "documents.tsv"),
        command="gainful report qrels.txt words.run stems.run",
    ),
    "three systems": lambda: report(
        str(DATA / "qrels.txt"), [str(DATA / f"{name}.run") for name in ("sprinter", "marathon", "plain")]
    ),
}


@pytest.fixture(scope="module", params=PAGES)
def path(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("look") / "report.html"
    PAGES[request.param]().save(str(path))
    return path


def scroll_through(tab):
    """Make every chart live that can be seen without opening anything."""
    for plot in tab.locator(".plot:visible").all():
        make_live(tab, plot)
    tab.evaluate("scrollTo(0, 0)")


def on_phone(opened, path):
    tab = opened(path).tab
    tab.set_viewport_size(PHONE)
    tab.reload()
    scroll_through(tab)
    return tab


def test_the_page_is_short_when_it_opens(opened, path):
    tab = opened(path).tab
    scroll_through(tab)
    words = tab.evaluate("document.body.innerText").split()
    assert 300 < len(words) <= MOST_WORDS


def test_a_phone_shows_verdict_table_and_strip_on_two_screens(opened, path):
    tab = on_phone(opened, path)
    for part in (".headline", ".leads table", "#figure-readers-by-rank"):
        box = tab.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 2 * PHONE["height"], part


STICKS_OUT = """() => Array.from(document.querySelectorAll("main *, header *, footer *"))
  .filter((part) => part.checkVisibility() && !part.closest(".scroll, .unseen, .lists"))
  .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((part) => part.outerHTML.slice(0, 120))"""


def test_nothing_is_cut_off_at_the_right_of_a_phone(opened, path):
    tab = on_phone(opened, path)
    assert tab.evaluate(STICKS_OUT) == []
    assert not any("…" in text for text in tab.locator(".plot:visible svg text").all_text_contents())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_axe_finds_no_violation_on_real_data(opened, path, axe, width, scheme):
    tab = opened(path, color_scheme=scheme).tab
    tab.set_viewport_size({"width": width, "height": 844})
    draw_all(tab)
    assert violations(tab, axe) == []


def test_the_first_topics_are_shown_and_the_others_when_asked_for_and_on_paper(opened, tmp_path):
    path = tmp_path / "report.html"
    PAGES["three systems"]().save(str(path))
    tab = opened(path).tab
    rows = tab.locator("#topics-table tbody tr:visible")
    assert rows.count() == 20
    tab.emulate_media(media="print")
    assert rows.count() == 50
    tab.emulate_media(media="screen")
    tab.press("#topics-all", "Enter")  # no click, which would miss it where a chart is drawn above just then
    assert rows.count() == 50
    assert tab.evaluate("document.activeElement.closest('tr').rowIndex") == 21
    assert not tab.locator("#topics-all").is_visible()
    tab.reload()
    tab.select_option("#topics-filter", "lost")
    assert rows.count() == 38


def test_next_steps_name_documents_and_link_to_their_topics(opened, tmp_path):
    path = tmp_path / "report.html"
    made = PAGES["search team"]()
    made.save(str(path))
    tab = opened(path).tab
    steps = made["verdict"].steps
    lost = [topic.topic for topic in steps.lost]
    judge = [document.topic for document in steps.judge_first]
    links = tab.locator("#verdict a.topic")
    assert [link.get_attribute("href") for link in links.all()] == [
        f"#topic={topic}" for topic in lost + judge
    ]
    assert judge
    assert "bike-tube" in tab.locator(".lost tbody").first.inner_text()
    links.last.click()
    assert tab.locator("#topic-view h3").inner_text() == f"Topic {judge[-1]}"
    assert tab.url.endswith(f"#topic={judge[-1]}")


def test_what_reverses_the_sign_is_said_once():
    said = " ".join(PAGES["search team"]()["verdict"].sentences())
    assert said.count("if relevant") + said.count("If relevant") == 1
