"""Several judges: every way to print what was found."""

import csv
import io
import json

import pytest

from gainful.comparisons import judges
from gainful.comparisons.judges import Chance, agree, compare_judges
from gainful.comparisons.judges import judge_tables as views
from gainful.comparisons.judges.agreement import PairAgreement
from gainful.errors import UsageError

from .several_judges import RUNS, SAID, collection


def test_json_has_everything_in_full(made):
    read = json.loads(views.of_judges(made, "json"))
    assert read["scores"][0]["by_judge"]["judge0"] == made.scores[0].by_judge["judge0"]
    assert (
        read["agreement"]["pairs"][0]["kappa_linear"]["value"] == made.agreement.pairs[0].kappa_linear.value
    )
    assert read["orders"][1]["pairs"][2]["tau_ap"]["interval"][0] == made.orders[1].pairs[2].tau_ap.low
    assert [one["name"] for one in read["judges"]] == list(SAID)
    assert read["settings"]["unjudged"] == "nonrelevant"
    assert (read["seed"], read["resamples"], read["confidence"]) == (0, 300, 0.95)


def test_csv_is_one_row_a_number(made):
    rows = list(csv.DictReader(io.StringIO(views.of_judges(made, "csv"))))
    found = {
        (row["part"], row["measure"], row["system"], row["judge"], row["statistic"]): row["value"]
        for row in rows
    }
    assert float(found["scores", "nDCG@5", "system1", "judge2", "mean"]) == made.scores[1].by_judge["judge2"]
    assert {row["statistic"] for row in rows if row["part"] == "agreement"} >= set(
        PairAgreement.__slots__[6:]
    )


def test_tables_show_judges_systems_and_how_it_was_done(made):
    for form in ("table", "markdown", "latex"):
        text = views.of_judges(made, form)
        for word in (
            "judge2",
            "system3",
            "kappa",
            "tau-b",
            "300 resamples of topics, seed 0",
            "unjudged documents: not relevant",
        ):
            assert word in text
    html = made._repr_html_()
    assert html.count("<table>") == 4
    with pytest.raises(UsageError, match="format must be one of"):
        views.of_judges(made, "xml")


def test_sentences_tell_survival_and_the_systems_that_swap(made):
    assert made.sentences[0].startswith(
        "3 judges, 180 documents judged by two or more: Krippendorff's alpha (ordinal) 0."
    )
    said = [
        line for line in made.sentences if line.startswith("nDCG@5: the order of the 4 systems survives in ")
    ]
    assert len(said) == 1
    split = [
        pair
        for pair in made.orders[0].of_systems
        if min(pair.differences.values()) < 0 < max(pair.differences.values())
    ]
    assert sum(line.startswith("nDCG@5: judges differ on") for line in made.sentences) == len(split)


def test_of_many_judges_those_who_agree_least_are_shown_and_programs_get_all():
    said, _ = collection(judges=13, topics=3, documents=6)
    told = []
    found = agree(said, resamples=5, progress=lambda *args: told.append(args))
    assert told[-1] == ("pairs of judges", 78, 78)
    text = views.of_agreement(found)
    assert "Of 78 pairs of judges the 20 that agree least are shown" in text
    worst = min(found.pairs, key=lambda pair: pair.kappa_linear.value)
    assert text.splitlines()[2].split()[:2] == [worst.first, worst.second]
    assert views.of_agreement(found, "csv").count(",kappa_linear,") == 78


def test_names_are_shown_safely():
    said = {"a\tb": SAID["judge0"], "<c>": SAID["judge1"]}
    found = compare_judges(said, RUNS, "AP", resamples=10)
    assert "a\\x09b" in views.of_judges(found)
    assert "&lt;c&gt;" in found._repr_html_()
    assert "<c>" not in found._repr_html_()


def test_the_door_has_what_its_list_says():
    assert all(hasattr(judges, name) for name in judges.__all__)
    assert Chance().percent == "95 %"
