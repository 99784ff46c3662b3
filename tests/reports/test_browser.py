"""The page in a real browser."""

import re

import pytest

from gainful.formats.ids import shown
from gainful.presentation.chart_parts import colour
from gainful.reports import pair_section, report

from .conftest import graded, ranked, three_runs


def column(tab, table, number):
    return tab.eval_on_selector_all(
        f"{table} tbody tr", f"rows => rows.map(row => row.cells[{number}].dataset.value)"
    )


def live(tab, name):
    """Bring a chart into view and wait until it is live."""
    tab.locator(f"#figure-{name}").scroll_into_view_if_needed()
    tab.wait_for_selector(f"#figure-{name} .plot.live svg")


def test_the_page_opens_without_a_word_on_the_console_and_asks_for_nothing(opened, saved):
    made = opened()
    for name in (
        "readers-by-rank",
        "means",
        "ndcg-by-rank",
        "precision-recall",
        "pairs",
        "topics",
    ):
        live(made.tab, name)
    made.tab.locator("#curves summary").click()
    live(made.tab, "dcg-by-rank")
    assert made.said == []
    assert made.asked == [saved.as_uri()]


def test_a_point_on_a_chart_tells_its_value(opened, small):
    tab = opened().tab
    live(tab, "means")
    tab.locator("#figure-means .mark-symbol path").first.hover()
    tip = tab.wait_for_selector("#vg-tooltip-element.visible")
    board = small["scores"]
    assert board.systems[0] in tip.inner_text()
    assert f"{board.cell(board.systems[0], 'nDCG@5').mean:.4f}" in tip.inner_text()


def test_tables_sort_by_a_click_and_by_a_key(opened):
    tab = opened().tab
    head = tab.locator(".board thead th").nth(2)
    head.locator("button").click()
    values = list(map(float, column(tab, ".board", 2)))
    assert head.get_attribute("aria-sort") == "descending"
    assert values == sorted(values, reverse=True)
    head.locator("button").focus()
    tab.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert list(map(float, column(tab, ".board", 2))) == sorted(values)
    assert tab.locator(".board thead th").nth(1).get_attribute("aria-sort") == "none"
    assert "Sorted by AP, ascending." in tab.locator("#said").inner_text()


def test_topics_are_found_by_a_part_of_their_id(opened):
    tab = opened().tab
    tab.fill("#topics-find", "3")
    assert tab.locator("#topics-table tbody tr:visible").count() == 1
    assert tab.locator("#topics-count").inner_text() == "1 of 8 topics"
    tab.fill("#topics-find", "")
    assert tab.locator("#topics-table tbody tr:visible").count() == 8


def test_another_measure_shows_its_values(opened, small):
    tab = opened().tab
    tab.select_option("#topics-measure", "AP")
    ids = [topic.id for topic in small["topics"].topics]
    best = dict(zip(ids, small["topics"].values_of("AP")[0], strict=True))
    wanted = [best[topic] for topic in column(tab, "#topics-table", 0)]
    assert list(map(float, column(tab, "#topics-table", 5))) == pytest.approx(wanted, abs=1e-12)
    tab.select_option("#pairs-measure", "AP")
    wanted = [pair.difference for pair in small["pairs"].pairs("AP")]
    assert list(map(float, column(tab, "#pairs-table", 2))) == wanted


def test_topics_come_with_the_largest_loss_first(opened, small):
    tab = opened().tab
    a, b = small["pairs"].chosen
    losses = sorted(dict(small["pairs"].differences("nDCG@5", a, b)).values())
    assert list(map(float, column(tab, "#topics-table", 1))) == pytest.approx(losses, abs=1e-12)
    head = tab.locator("#topics-table thead th").nth(1)
    assert (head.inner_text().split(" ↑")[0], head.get_attribute("aria-sort")) == (f"{b} − {a}", "ascending")
    tab.select_option("#topics-measure", "AP")
    losses = sorted(dict(small["pairs"].differences("AP", a, b)).values())
    assert list(map(float, column(tab, "#topics-table", 1))) == pytest.approx(losses, abs=1e-12)


def test_topics_are_filtered_by_lost_won_and_unjudged_and_follow_the_pair(opened, small):
    tab = opened().tab
    a, b = small["pairs"].chosen
    options = tab.locator("#topics-filter option").all_inner_texts()
    assert options == ["every topic", f"{b} lost", f"{b} won", "unjudged documents in a top ten"]
    for measure in ("AP", "nDCG@5"):
        apart = dict(small["pairs"].differences(measure, a, b))
        tab.select_option("#topics-measure", measure)
        for name, kept in (
            ("lost", {topic for topic, gain in apart.items() if gain < 0}),
            ("won", {topic for topic, gain in apart.items() if gain > 0}),
            ("unjudged", {topic.id for topic in small["topics"].topics if topic.judged < 1}),
            ("all", set(apart)),
        ):
            tab.select_option("#topics-filter", name)
            assert set(column(tab, "#topics-table", 0)) == kept, (measure, name)
    tab.locator("#pairs-table [data-pair]").last.dispatch_event("click")
    pair = small["pairs"].pairs("nDCG@5")[-1]
    assert tab.locator("#topics-table thead th").nth(1).inner_text().startswith(f"{pair.b} − {pair.a}")
    wanted = sorted(dict(small["pairs"].differences("nDCG@5", pair.a, pair.b)).values())
    assert list(map(float, column(tab, "#topics-table", 1))) == pytest.approx(wanted, abs=1e-12)


def test_the_address_opens_a_topic_and_follows_the_clicks(opened, saved):
    tab = opened().tab
    tab.goto(f"{saved.as_uri()}?#topic=3")
    tab.wait_for_selector("#topic-view h3")
    assert tab.locator("#topic-view h3").inner_text() == "Topic 3"
    assert tab.evaluate("document.activeElement.id") == "topic-head"
    tab.locator("#topics-table a.topic").nth(1).dispatch_event("click")
    second = column(tab, "#topics-table", 0)[1]
    assert tab.url.endswith(f"#topic={second}")
    tab.go_back()
    assert tab.locator("#topic-view h3").inner_text() == "Topic 3"
    tab.locator("#topic-view button", has_text="Close").click()
    assert tab.url.endswith("#topics")
    tab.goto(f"{saved.as_uri()}?again#topic=nowhere")
    assert tab.locator("#said").inner_text() == "There is no topic nowhere."


def test_next_and_previous_follow_the_table_and_the_keyboard(opened):
    tab = opened().tab
    order = column(tab, "#topics-table", 0)
    tab.locator("#topics-table a.topic").first.focus()
    tab.keyboard.press("Enter")
    view = tab.locator("#topic-view")
    assert view.locator("h3").inner_text() == f"Topic {order[0]}"
    assert view.locator('[data-step="Previous"]').is_disabled()
    view.locator('[data-step="Next"]').focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")  # the focus stays
    assert view.locator("h3").inner_text() == f"Topic {order[2]}"
    assert tab.url.endswith(f"#topic={order[2]}")
    view.locator('[data-step="Previous"]').click()
    assert view.locator("h3").inner_text() == f"Topic {order[1]}"
    tab.select_option("#topics-filter", "lost")
    lost = column(tab, "#topics-table", 0)
    tab.locator("#topics-table a.topic").first.dispatch_event("click")
    for topic in lost[1:]:
        view.locator('[data-step="Next"]').click()
        assert view.locator("h3").inner_text() == f"Topic {topic}"
    assert view.locator('[data-step="Next"]').is_disabled()
    assert tab.evaluate("document.activeElement.id") == "topic-head"
    tab.keyboard.press("Escape")
    assert not view.is_visible()


def test_queries_and_titles_stand_beside_ids(opened, tmp_path):
    queries = {"1": "red <b>shoes</b>", "2": "blue boots"}
    documents = {"d1": {"title": "Runner <i>1</i>"}}
    made = report(graded(2), three_runs(2), "nDCG@5, AP", queries=queries, documents=documents)
    made.save(str(tmp_path / "words.html"))
    tab = opened(tmp_path / "words.html").tab
    row = tab.locator('#topics-table tr[data-topic="0"]')
    assert row.locator(".query").inner_text() == queries["1"]
    tab.fill("#topics-find", "boots")
    assert column(tab, "#topics-table", 0) == ["2"]
    assert tab.locator("#topics-table .query").inner_text() == queries["2"]
    tab.fill("#topics-find", "")
    tab.locator('#topics-table tr[data-topic="0"] a.topic').dispatch_event("click")
    view = tab.locator("#topic-view")
    assert view.locator(".query-text").inner_text() == queries["1"]
    assert "d1\nRunner <i>1</i>" in view.locator("table").first.inner_text()
    held = made.to_dict()["topics"]["topics"]
    assert [topic["query"] for topic in held] == list(queries.values())


def test_a_topic_opens_to_its_lists_and_what_moved(opened, small):
    tab = opened().tab
    tab.locator('#topics-table tr[data-topic="0"] a.topic').dispatch_event("click")
    view = tab.locator("#topic-view")
    assert view.locator("h3").inner_text() == "Topic 1"
    assert tab.evaluate("document.activeElement.id") == "topic-head"
    lists = view.locator(".list")
    assert lists.count() == 3
    listed = small["topics"].lists.topics[0]
    first = [listed.documents[one] for one in listed.lists[0]]
    assert [item.inner_text() for item in lists.first.locator("li bdi").all()] == first
    assert "(grade 3)" in lists.first.inner_text()
    assert "(not judged)" in lists.first.inner_text()
    moved = view.locator("table").first
    a, b = small["pairs"].chosen
    whole = dict(small["pairs"].differences("nDCG@5", a, b))["1"]
    assert moved.locator("tr").last.inner_text().split()[-1].replace("−", "-") == f"{whole:+.4f}"
    view.locator("select").first.select_option("AP")
    assert "AP" in lists.first.locator("h4").inner_text()
    view.locator("summary").click()
    assert "relevant so far" in view.locator("details table").inner_text()
    view.locator("button", has_text="Close").click()
    assert not view.is_visible()
    assert tab.evaluate("document.activeElement.className") == "topic"


def test_a_bar_opens_its_topic_and_a_pair_changes_the_bars(opened, small):
    tab = opened().tab
    live(tab, "topics")
    tab.locator("#pairs-table button[data-pair]").last.dispatch_event("click")
    title = tab.locator("#figure-topics figcaption strong").inner_text()
    last = small["pairs"].pairs("nDCG@5")[-1]
    assert title == f"nDCG@5, topic by topic: {last.b} − {last.a}"
    best = small["pairs"].differences("nDCG@5", last.a, last.b)[-1][0]
    tab.wait_for_timeout(100)
    bars = tab.locator("#figure-topics .mark-rect path")
    assert bars.count() == 8
    better = small["curves"].positions[last.a]  # the last bar is down
    assert bars.last.get_attribute("fill") == colour(better)
    bars.last.click(force=True)
    assert tab.locator("#topic-view h3").inner_text() == f"Topic {best}"


def test_the_keyboard_reaches_the_sections_and_opens_a_topic(opened):
    tab = opened().tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    tab.locator('#topics-table tr[data-topic="2"] a.topic').focus()
    outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    tab.keyboard.press("Enter")
    assert outline == "solid"
    assert tab.locator("#topic-view h3").inner_text() == "Topic 3"


def test_the_page_is_dark_where_the_reader_wants_it_and_by_a_button(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('#figure-ndcg-by-rank .mark-line path')).stroke"
    tab = opened().tab
    light = tab.evaluate(ground), tab.evaluate(line)
    tab.click("#theme")
    dark = tab.evaluate(ground), tab.evaluate(line)
    wanted = opened(color_scheme="dark").tab
    assert light != dark
    assert dark == (wanted.evaluate(ground), wanted.evaluate(line))
    wanted.click("#theme")
    assert (wanted.evaluate(ground), wanted.evaluate(line)) == light


def test_on_paper_the_page_is_light_and_without_buttons(opened):
    tab = opened(color_scheme="dark").tab
    tab.emulate_media(media="print")
    ground = re.findall(r"\d+", tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert min(map(int, ground[:3])) > 240
    assert not tab.locator(".top").is_visible()
    assert not tab.locator("#topics-find").is_visible()


def test_a_phone_does_not_scroll_sideways(opened):
    tab = opened().tab
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.locator("#topics-table a.topic").first.dispatch_event("click")
    for name in ("readers-by-rank", "ndcg-by-rank", "topics"):
        live(tab, name)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_javascript_the_tables_and_pictures_are_there(opened, small):
    tab = opened(java_script_enabled=False).tab
    assert tab.locator(".board tbody tr").count() == 3
    assert tab.locator("#pairs-table tbody tr").count() == 3
    assert tab.locator("#topics-table tbody tr").count() == 8
    assert tab.locator("#figure-ndcg-by-rank svg").is_visible()
    headline = tab.locator(".headline").inner_text()
    assert "95\N{NO-BREAK SPACE}% CI" in headline  # a line does not begin with the percent sign
    assert headline.replace("\N{NO-BREAK SPACE}", " ") == small["verdict"].headline
    assert not tab.locator("#topics-find").is_visible()
    assert not tab.locator("#theme").is_visible()


HOSTILE = (
    "<script>document.title='caught'</script><img src=x onerror=\"document.title='caught'\">\"'&\u202e\\x41"
)


def test_hostile_ids_do_nothing(opened, tmp_path):
    qrels = {f"{HOSTILE}{n}": {HOSTILE: 2, "b": 1} for n in range(4)}
    runs = {
        HOSTILE: {topic: {HOSTILE: 3.0, "</script>": 2.0} for topic in qrels},
        "other": {topic: {"b": 3.0, HOSTILE: 2.0} for topic in qrels},
    }
    titles = {HOSTILE: {"title": HOSTILE, "text": HOSTILE}}
    path = tmp_path / "hostile.html"
    report(qrels, runs, "AP, P@2", documents=titles, title="quiet").save(str(path))
    made = opened(path)
    for name in ("means", "ndcg-by-rank", "topics"):
        live(made.tab, name)
    made.tab.locator("#figure-means .mark-symbol path").first.hover()
    made.tab.wait_for_selector("#vg-tooltip-element.visible")
    made.tab.locator("#topics-table a.topic").first.dispatch_event("click")
    assert made.tab.title() == "quiet"
    assert made.tab.locator("main img").count() == 0
    assert shown(HOSTILE) in made.tab.locator("#topic-view h3").inner_text()
    assert made.said == []
    assert made.asked == [path.as_uri()]


def test_one_run_on_one_topic_opens(opened, tmp_path):
    path = tmp_path / "one.html"
    report({"1": {"a": 1}}, ranked({"1": "x a"}), "RR, AP").save(str(path))
    made = opened(path)
    live(made.tab, "ndcg-by-rank")
    made.tab.locator("#topics-table a.topic").dispatch_event("click")
    assert made.tab.locator("#topic-view .list").count() == 1
    assert made.said == []


def test_many_systems_are_shown_two_at_a_time(opened, tmp_path):
    runs = {f"{name}{n}": run for n in range(2) for name, run in three_runs().items()}
    path = tmp_path / "many.html"
    created = report(graded(), runs, "AP, P@2")
    created.save(str(path))
    made = opened(path)
    made.tab.select_option("#topics-measure", "P@2")
    ids = [topic.id for topic in created["topics"].topics]
    spreads = dict(zip(ids, created["topics"].difficulty("P@2"), strict=True))
    wanted = [spreads[topic] for topic in column(made.tab, "#topics-table", 0)]
    medians = [median for median, _, _ in wanted]
    widths = [highest - lowest for _, lowest, highest in wanted]
    assert list(map(float, column(made.tab, "#topics-table", 4))) == pytest.approx(medians, abs=1e-12)
    assert list(map(float, column(made.tab, "#topics-table", 5))) == pytest.approx(widths, abs=1e-12)
    made.tab.locator("#topics-table a.topic").first.dispatch_event("click")
    view = made.tab.locator("#topic-view")
    assert view.locator(".list").count() == 2
    view.locator("select").nth(1).select_option(label="poor1")
    assert view.locator(".list h4").first.inner_text().startswith("poor1")
    made.tab.select_option("#pairs-which", label="with poor1")
    assert made.tab.locator("#pairs-table tbody tr").count() == 5
    assert made.said == []


def test_of_very_many_pairs_those_of_the_leader_are_shown_and_it_is_the_one_chosen(
    opened, tmp_path, monkeypatch
):
    monkeypatch.setattr(pair_section, "_TABLE", 3)
    runs = {f"{name}{n}": run for n in range(2) for name, run in three_runs().items()}
    path = tmp_path / "many-pairs.html"
    made = report(graded(), runs, "AP")
    made.save(str(path))
    tab = opened(path).tab
    leader = made["scores"].systems[0]
    rows = [row.inner_text().split() for row in tab.locator("#pairs-table tbody tr").all()]
    assert len(rows) == 5
    assert all(leader in row[:2] for row in rows)
    assert tab.eval_on_selector("#pairs-which", "one => one.selectedOptions[0].text") == f"with {leader}"


def test_of_thousands_of_topics_some_are_shown_and_all_are_sorted_and_searched(opened, tmp_path):
    topics = 700
    qrels = {f"t{n}": {"a": 1} for n in range(topics)}
    run = {topic: {"a": 1.0, "x": 2.0 if topic != "t650" else 0.5} for topic in qrels}
    path = tmp_path / "many-topics.html"
    report(qrels, run, "RR").save(str(path))
    made = opened(path)
    rows = made.tab.locator("#topics-table tbody tr")
    assert rows.count() == 500
    made.tab.locator("#topics-table thead button").nth(3).dispatch_event("click")
    assert rows.first.locator("a").inner_text() == "t650"
    made.tab.fill("#topics-find", "t69")
    assert rows.count() == 11  # t69 and t690 to t699
    assert made.said == []
