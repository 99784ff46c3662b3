"""The page: what is in it, and what is not."""

import base64
import hashlib
import json
import os
import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

import gainful
from gainful.comparisons import compare
from gainful.comparisons.comparison_tables import of_pairs
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import (
    CARD,
    CARD_DARK,
    GRADES,
    GRADES_DARK,
    INK,
    INK_DARK,
    LINK,
    LINK_DARK,
    PAGE,
    PAGE_DARK,
    QUIET,
    QUIET_DARK,
    SERIES,
    SERIES_DARK,
    columns,
    contrast,
)
from gainful.reports import report

from .conftest import graded, ranked, three_runs
from .reading import Tags, embedded, rows_of, scrubbed, tags

STORED = Path(__file__).parent / "stored"


def test_the_scores_on_the_page_are_those_of_evaluate(page):
    said = gainful.evaluate(graded(), three_runs(), "nDCG@5, AP, P@2").to_dict()
    cells = [one for one in tags(page, "td") if "data-measure" in one]
    found = {(one["data-system"], one["data-measure"]): float(one["data-value"]) for one in cells}
    assert found == {
        (run["name"], measure): value for run in said["runs"] for measure, value in run["mean"].items()
    }


def test_the_topics_on_the_page_are_those_of_evaluate(page):
    said = gainful.evaluate(graded(), three_runs(), "nDCG@5, AP, P@2").to_dict()
    data = embedded(page, "data-page")
    for run in said["runs"]:
        place = data["systems"].index(run["name"])
        for number, (topic, *_) in enumerate(data["topics"]):
            for measure, value in run["per_topic"][topic].items():
                assert data["values"][measure][place][number] == value
    first = rows_of(page, "topics-table")[0]
    topic = first[0].split()[0]
    values = [run["per_topic"][topic]["nDCG@5"] for run in said["runs"]]
    assert sorted(map(float, first[5:])) == sorted(values)


def test_the_pairs_on_the_page_are_those_of_compare(page):
    said = json.loads(of_pairs(compare(graded(), three_runs(), "nDCG@5, AP, P@2"), "json"))["comparisons"]
    data = embedded(page, "data-page")
    first = [pair for pair in said if pair["measure"] == "nDCG@5"]
    rows = rows_of(page, "pairs-table")
    for pair, row in zip(first, rows, strict=True):
        assert [float(cell) for cell in row[2:7]] == [
            pair["difference"],
            pair["interval"][0],
            pair["p_value"],
            pair["p_adjusted"],
            pair["effect_size"],
        ]
        assert [int(cell) for cell in row[7:10]] == [pair["wins"], pair["ties"], pair["losses"]]
    for measure in ("nDCG@5", "AP", "P@2"):
        wanted = [pair for pair in said if pair["measure"] == measure]
        for pair, row in zip(wanted, data["pairs"]["rows"][measure], strict=True):
            assert [data["systems"][row[0]], data["systems"][row[1]]] == [pair["a"], pair["b"]]
            assert row[2:8] == [
                pair["difference"],
                *pair["interval"],
                pair["p_value"],
                pair["p_adjusted"],
                pair["effect_size"],
            ]


def test_the_page_forbids_the_network_and_eval_and_knows_its_scripts_by_their_hash(page):
    (policy,) = [one["content"] for one in tags(page, "meta") if "http-equiv" in one]
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "unsafe-eval" not in policy
    scripts = re.search(r"script-src ([^;]*)", policy)[1].split()
    texts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    made = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]
    assert sorted(scripts) == sorted(made)


def test_the_page_asks_for_nothing_from_outside(page):
    for tag, attributes in Tags(page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        for name in ("src", "href", "xlink:href", "action"):
            assert attributes.get(name, "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style


def test_ids_in_the_page_are_each_there_once(page):
    found = [attributes["id"] for _, attributes in Tags(page).tags if "id" in attributes]
    assert len(found) == len(set(found))
    for _, attributes in Tags(page).tags:
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(attributes.get(name, "").split()) <= set(found)
        clip = re.fullmatch(r"url\(#(.+)\)", attributes.get("clip-path", ""))
        assert clip is None or clip[1] in found


def test_headings_do_not_skip_a_level(page):
    levels = [int(tag[1]) for tag, _ in Tags(page).tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


HOSTILE = "<script>alert(1)</script>\"'&\u202eevil\\x"


def test_hostile_ids_are_text_everywhere():
    qrels = {f"{HOSTILE}{n}": {HOSTILE: 2, "</script><b>": 1, "caf\udce9": 0} for n in range(6)}
    run = {topic: {HOSTILE: 3.0, "]]>": 2.0, "</script><b>": 1.0} for topic in qrels}
    other = {topic: {"</script><b>": 3.0, "<!--": 2.0, "caf\udce9": 1.0} for topic in qrels}
    made = report(
        qrels,
        {f"{HOSTILE}A": run, "</style>B": other},
        "AP, P@2",
        documents={HOSTILE: {"title": "<img src=x onerror=alert(2)>", "text": "</script>"}},
        title=HOSTILE,
        command=HOSTILE,
    )
    html = made.html()
    parsed = Tags(html)
    assert sum(tag == "script" and not attributes for tag, attributes in parsed.tags) == 2  # ours and Vega's
    assert not any(tag in ("img", "b") for tag, _ in parsed.tags)
    assert not any(name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    assert embedded(html, "list-0")["d"][0] == shown(HOSTILE)
    assert "caf\\xe9" in embedded(html, "list-0")["d"]
    assert any(shown(HOSTILE) in text for text in parsed.texts)
    html.encode()


def test_the_same_input_makes_the_same_bytes(page):
    again = report(
        graded(), three_runs(), "nDCG@5, AP, P@2", command="gainful report qrels.txt early.run"
    ).html()
    assert again == page


def test_lines_of_topics_stay_in_their_place_whatever_the_measure():
    html = report(graded(), three_runs(), "DCG, Fallout@2").html()
    tracks = [one["style"] for one in tags(html, "span") if one.get("class") == "track"]
    ends = [[float(part.split(":")[1]) for part in track.split(";")] for track in tracks]
    assert len(ends) == 8
    assert all(0 <= low <= middle <= high <= 1 for low, middle, high in ends)
    assert max(high for _, _, high in ends) == 1


def test_where_less_is_better_bars_down_are_good():
    qrels, runs = graded(), three_runs()
    made = report(qrels, {"early": runs["early"], "poor": runs["poor"]}, "Fallout@2")
    a, b = made["pairs"].chosen
    assert (a, b) == ("early", "poor")
    (drawn,) = [figure for figure in made.charts() if figure.name == "topics"]
    values = [value for _, value in made["pairs"].differences("Fallout@2", a, b)]
    above, below = sum(value > 0 for value in values), sum(value < 0 for value in values)
    assert drawn.says == f"Up: early is better, on {above} of 8 topics; down: poor, on {below}."
    speaks_for = {row["s"] for row in drawn.spec["datasets"]["bars"] if row["d"] > 0}
    assert (above > 0, speaks_for) == (True, {"early"})
    assert "Less is better in Fallout@2." in made.html()


def test_legends_have_as_many_columns_as_there_is_room_for():
    long = {f"{name}-with-a-long-name-of-a-run": run for name, run in three_runs().items()}
    (drawn,) = [one for one in report(graded(), long, "AP").charts() if one.name == "precision-recall"]
    assert drawn.spec["usermeta"]["letters"] == max(map(len, long))
    assert columns(max(map(len, long)), 500) == 1
    assert columns(max(map(len, three_runs())), 500) == 4


def test_the_page_is_as_it_was_stored():
    made = scrubbed(
        report(graded(3), three_runs(3), "nDCG@5, AP", command="gainful report qrels.txt a.run").html()
    )
    path = STORED / "small.html"
    if os.environ.get("GAINFUL_STORE"):  # the way to store it anew, after the change was looked at
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8"), (
        "look at the change; then GAINFUL_STORE=1 stores the page anew"
    )


def test_templates_are_shipped_with_the_package():
    names = {one.name for one in files("gainful.reports").joinpath("templates").iterdir()}
    assert {"page.html", "style.css", "page.js", "topics.js"} <= names


@pytest.mark.parametrize(
    ("page_colour", "card", "ink", "quiet", "link", "series"),
    [
        (PAGE, CARD, INK, QUIET, LINK, SERIES),
        (PAGE_DARK, CARD_DARK, INK_DARK, QUIET_DARK, LINK_DARK, SERIES_DARK),
    ],
    ids=["light", "dark"],
)
def test_letters_and_lines_stand_out_from_the_page(page_colour, card, ink, quiet, link, series):
    for ground in (page_colour, card):
        for letters in (ink, quiet, link):
            assert contrast(letters, ground) >= 4.5  # WCAG 2 AA, text
        for line in series:
            assert contrast(line, ground) >= 3  # WCAG 2 AA, graphics


def test_letters_stand_out_from_the_shades_of_grades():
    assert all(contrast(INK, shade) >= 4.5 for shade in GRADES)
    assert all(contrast(INK_DARK, shade) >= 4.5 for shade in GRADES_DARK)


def test_contrast_is_as_wcag_counts_it():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the example of WCAG's own pages


def test_one_run_and_one_topic_make_a_page():
    one = report({"1": {"a": 1}}, ranked({"1": "a x"}), "RR").html()
    assert 'id="pairs"' not in one
    assert "There is one run" in one
    html = report(graded(1), three_runs(1), "AP").html()
    assert "One topic is not enough to compare systems" in html
    assert "judgments of 1 topic," in html
    assert "Means." in html
    assert "Means with 95 % confidence intervals." in report(graded(4), three_runs(4), "AP").html()


def test_a_report_shows_itself_in_a_notebook(small, page):
    (frame,) = tags(small._repr_html_(), "iframe")
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"] == page
