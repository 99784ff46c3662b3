"""What a report says, as data."""

import json
import math

import numpy as np
import pytest

import gainful
from gainful.comparisons import Method, compare_scores, leaderboard
from gainful.curves import Curve
from gainful.curves.curve_output import curve_spec
from gainful.errors import NothingInCommon, UsageError
from gainful.presentation.chart_parts import SERIES
from gainful.reports import report
from gainful.reports.curve_section import crossing_sentences, crossings
from gainful.reports.data_section import date
from gainful.reports.ranked_lists import room

from .conftest import graded, ranked, three_runs


def test_the_board_has_the_means_of_evaluate_best_first(small):
    scores = gainful.evaluate(graded(), three_runs(), "nDCG@5, AP, P@2")
    board = small["scores"]
    assert board.systems == tuple(sorted(three_runs(), key=lambda one: -scores[one].mean["nDCG@5"]))
    for run in scores:
        for measure, mean in run.mean.items():
            assert board.cell(run.name, measure).mean == mean


def test_the_board_has_the_letters_and_ranks_of_the_leaderboard(small):
    scores = gainful.evaluate(graded(), three_runs(), "nDCG@5, AP, P@2")
    for measure in ("nDCG@5", "AP"):
        for place in leaderboard(compare_scores(scores), measure).places:
            cell = small["scores"].cell(place.system, measure)
            assert (cell.ranks, cell.letters) == (place.ranks, place.letters)


def test_an_interval_of_a_mean_is_students():
    orders = {"0": "x y", "1": "a b"} | {str(n): "a x" for n in range(2, 10)}
    made = report({str(n): {"a": 1, "b": 1} for n in range(10)}, ranked(orders), "P@2")
    cell = made["scores"].cell("run", "P@2")
    half = 2.2621571627409915 * math.sqrt((0.25 + 0.25) / 9) / math.sqrt(10)  # t for 9 degrees of freedom
    assert (cell.low, cell.high) == (pytest.approx(0.5 - half), pytest.approx(0.5 + half))


def test_an_interval_stays_within_what_the_measure_can_be():
    made = report({"1": {"a": 1}, "2": {"a": 1}}, ranked({"1": "a", "2": "x a"}), "RR")
    cell = made["scores"].cell("run", "RR")
    assert cell.mean == 0.75
    assert 0 < cell.low < 1e-6  # two topics leave all open, and the bounds themselves are not reached
    assert 1 - 1e-6 < cell.high < 1


def test_an_interval_without_width_is_no_certainty():
    qrels = {str(n): {"a": 1} for n in range(9)}
    good, bad = (ranked(dict.fromkeys(qrels, order)) for order in ("a x", "x a"))
    made = report(qrels, {"good": good, "bad": bad}, "RR")
    cell = made["scores"].cell("good", "RR")
    assert (cell.mean, cell.low, cell.high, cell.constant) == (1, None, None, True)
    assert "the same on all 9 topics" in made.html()
    assert "1.0000–1.0000" not in made.html()
    [pairs] = made["pairs"].tables(4)
    assert pairs.table.records()[0]["low"] is None
    comparison = made["pairs"].comparison
    sentence = comparison.sentence(comparison.pairs[0])
    assert sentence.startswith("good is better than bad by 0.5000 RR (the same on all 9 topics), p = ")


def test_the_verdict_names_the_leader_and_repeats_the_comparison(small):
    verdict, pairs = small["verdict"], small["pairs"]
    leader, second = small["scores"].systems[:2]
    found = pairs.pair("nDCG@5", leader, second)
    assert verdict.headline == pairs.comparison.verdict.headline
    assert verdict.headline.startswith(f"{leader} ")
    assert f"+{abs(found.difference):.3f}" in verdict.headline
    assert verdict.leads[0].ahead_by == pytest.approx(abs(found.difference))
    assert verdict.leads[0].sure == found.significant(0.05)


def test_a_measure_that_counts_does_not_lead():
    made = report(graded(), three_runs(), "AP, Judged@5, NumRet")
    assert [str(lead.measure) for lead in made["verdict"].leads] == ["AP"]


def test_less_is_better_leads_with_the_least():
    runs = three_runs()
    made = report(graded(), runs, "Fallout@3, AP")
    board, lead = made["scores"], made["verdict"].leads[0]
    means = {system: board.cell(system, "Fallout@3").mean for system in board.systems}
    assert list(map(str, board.less_is_better)) == ["Fallout@3"]
    least, next_least, _ = sorted(means.values())
    assert lead.leader == board.systems[0] == min(means, key=means.get)
    assert lead.ahead_by == next_least - least >= 0


TOPICS = [str(number) for number in range(9)]
RETRIEVED = [1, 1, 1, 1, 1, 4, 4, 4, 4]
LISTS = {
    "lean": {
        topic: {f"d{n}": -n for n in range(size)} for topic, size in zip(TOPICS, RETRIEVED, strict=True)
    },
    "long": {
        topic: {f"d{n}": -n for n in range(size + 5)} for topic, size in zip(TOPICS, RETRIEVED, strict=True)
    },
}


def test_headline_table_and_comparison_agree_on_ones_own_measure_of_which_less_is_better():
    @gainful.measure(bounds=(0, 100), less_is_better=True)
    def Shown(judged):
        """Documents that the reader is shown."""
        return judged.retrieved * 1.0

    qrels = {topic: {"d0": 1} for topic in TOPICS}
    made = report(qrels, LISTS, [Shown])
    (lead,) = made["verdict"].leads
    (pair,) = gainful.compare(qrels, LISTS, [Shown])
    assert lead.leader == made["scores"].systems[0] == "lean"
    assert made["scores"].cell("lean", "Shown").best
    assert lead.ahead_by == pair.difference == 5
    assert pair.sentence(alpha=0.05, power=0.8).startswith("lean is better than long by 5.0000 Shown")


def test_a_median_of_ones_own_is_shown_and_called_a_median():
    @gainful.measure(bounds=(0, 100), summary="median")
    def Length(judged):
        """Documents of the list."""
        return judged.retrieved * 1.0

    made = report({topic: {"d0": 1} for topic in TOPICS}, LISTS, [Length])
    assert made["scores"].cell("lean", "Length").mean == 1  # the mean would be 21/9
    assert "Length is the median over topics" in made["scores"].stated
    assert "Length is the median over topics" in made.text()
    [chart] = made["scores"].figures()
    assert "Length, median" in json.dumps(chart.spec)
    assert "mean" not in json.dumps(chart.spec)


def test_the_verdict_heads_its_values_by_how_topics_are_summed_up():
    def heads(measures):
        [leaders] = report(graded(), three_runs(), measures)["verdict"].tables(4)
        return leaders.table.heads[2]

    assert heads("AP(summary=median), P(summary=median)@5") == "median"
    assert heads("AP(summary=geometric)") == "geometric mean"
    assert heads("AP, P@5") == "mean"
    assert heads("AP, AP(summary=median)") == "value"


def test_few_topics_and_thin_judgments_are_caveats():
    made = report({"1": {"a": 1}, "2": {"b": 1}}, ranked({"1": "a x y z", "2": "x y z b"}), "AP")
    said = " ".join(made["verdict"].caveats)
    assert "Few topics: 2 topics say little about others" in said
    assert "Few judgments: 25 %" in said


def test_a_topic_that_a_run_lacks_is_a_caveat():
    runs = three_runs()
    del runs["late"]["3"]
    said = " ".join(report(graded(), runs, "AP")["verdict"].caveats)
    assert "1 judged topic of 8 not in the run" in said


def test_one_run_is_not_compared():
    made = report(graded(), three_runs()["early"], "AP")
    assert "pairs" not in made
    assert "readers" not in made
    assert made["verdict"].not_compared == "There is one run; give two or more to see them compared."


def test_one_topic_is_not_compared():
    made = report(graded(1), three_runs(1), "AP")
    assert "pairs" not in made
    assert "One topic is not enough to compare systems" in made["verdict"].not_compared
    assert made["scores"].cell("early", "AP").low is None


def test_nothing_in_common_is_refused():
    with pytest.raises(NothingInCommon, match="no topic is judged"):
        report(graded(), {"other": {"d1": 1.0}}, "AP")


def test_a_report_needs_something_to_report():
    with pytest.raises(UsageError, match="judgments and runs, or a filter simulation"):
        report()
    with pytest.raises(UsageError, match="shown must be 1 or more"):
        report(graded(), three_runs(), "AP", shown=0)


def test_a_baseline_is_in_every_pair():
    made = report(graded(), three_runs(), "AP", method=Method(baseline="poor"))
    assert [pair.a for pair in made["pairs"].pairs("AP")] == ["poor", "poor"]
    assert made["pairs"].chosen[0] == "poor"


def test_differences_by_topic_are_those_of_the_scores(small):
    scores = gainful.evaluate(graded(), three_runs(), "AP")
    found = dict(small["pairs"].differences("AP", "early", "late"))
    for topic, difference in found.items():
        assert difference == scores["late"].per_topic[topic]["AP"] - scores["early"].per_topic[topic]["AP"]
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_lists_are_those_of_explain(small):
    lists = small["topics"].lists
    for system in lists.systems:
        place = lists.systems.index(system)
        for topic, listed in zip(small["topics"].topics, lists.topics, strict=True):
            explained = gainful.explain(graded(), three_runs()[system], topic.id, "AP")
            rows = [row for row in explained.rows if row.document is not None]
            assert [listed.documents[one] for one in listed.lists[place]] == [row.document for row in rows]
            assert [listed.grades[one] for one in listed.lists[place]] == [row.grade for row in rows]
            contributions = listed.contributions["AP"][place]
            assert [contributions.get(row.rank, 0.0) for row in rows] == explained.column("contributes")
            assert math.fsum(contributions.values()) == pytest.approx(explained.value)
            assert listed.worked["AP"][place]["contributes"] == explained.column("contributes")


@pytest.mark.parametrize("ties", ["docid", "input", "best", "worst"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condense"])
def test_lists_follow_the_settings_as_explain_does(ties, unjudged):
    qrels = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1}}
    run = {"1": {"x": 2.0, "b": 2.0, "a": 2.0, "y": 1.0, "c": 1.0, "z": 1.0}, "2": {"q": 3.0, "a": 3.0}}
    settings = gainful.Settings(ties=ties, unjudged=unjudged)
    made = report(qrels, run, "AP", **settings.to_dict())
    for number, topic in enumerate(("1", "2")):
        listed = made["topics"].lists.topics[number]
        rows = gainful.explain(qrels, run, topic, "AP", **settings.to_dict()).rows
        documents = [listed.documents[one] for one in listed.lists[0]]
        judged = [(place, one) for place, one in enumerate(documents) if one in qrels[topic]]
        assert judged == [(row.rank - 1, row.document) for row in rows if row.grade is not None]
        if ties in ("docid", "input"):
            assert documents == [row.document for row in rows]


def test_depth_shortens_lists():
    made = report(graded(), three_runs(), "AP", shown=2)
    assert {len(places) for topic in made["topics"].lists.topics for places in topic.lists} == {2}


def test_very_many_lists_are_shorter_unless_a_depth_is_asked_for():
    assert room(3, 40, None, 50) == (3, 50)
    systems, depth = room(200, 1000, None, 50)
    assert depth == 10
    assert systems * depth * 1000 <= 250_000
    assert room(200, 1000, 30, 50) == (200, 30)


def test_documents_have_titles_from_a_file(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text('{"id": "d1", "title": "One", "text": "first"}\n{"id": "d9", "text": "other"}\n')
    made = report(graded(), three_runs(), "AP", documents=path)
    assert made["topics"].lists.titles == {"d1": ("One", "first")}
    assert not any("are not among the documents given" in note for note in made["topics"].lists.notes)
    wanted = sorted({name for topic in made["topics"].lists.topics for name in topic.documents} - {"d1"})
    assert any(
        note.startswith(f"1 of {len(wanted) + 1} listed documents has a text in {path}; ids there: 'd9'; ")
        for note in made["topics"].notes
    )


def test_where_most_documents_have_a_title_those_without_are_counted():
    listed = {
        name
        for topic in report(graded(), three_runs(), "AP")["topics"].lists.topics
        for name in topic.documents
    }
    made = report(graded(), three_runs(), "AP", documents=dict.fromkeys(sorted(listed)[1:], "A text."))
    said = f"1 of {len(listed)} documents listed are not among the documents given."
    assert [note for note in made["topics"].notes if "documents" in note] == [said]


def test_curves_that_cross_are_told_with_the_place():
    def curve(name, *values):
        return Curve(name, None, "rank", "P", np.array(list(enumerate(values, 1)), float))

    a, b = curve("a", 1.0, 0.6, 0.2), curve("b", 0.5, 0.5, 0.5)
    found = crossings([a, b])
    assert [(one.before, one.after, one.x) for one in found] == [("a", "b", 3.0)]
    assert crossing_sentences([a, b], found, "rank") == [
        "The mean of a is above that of b at first, and below it from rank 3 on (not tested)."
    ]
    touching = curve("c", 1.0, 0.5, 0.6)  # meets b at rank 2 and stays above it
    assert crossings([touching, b]) == ()
    often = curve("d", 0.6, 0.4, 0.6)
    said = crossing_sentences([often, b], crossings([often, b]), "rank")
    assert said == [
        "The mean of b is above that of d from rank 2 up to rank 3, and below it elsewhere (not tested)."
    ]


def test_topics_tell_how_hard_they_were(small):
    topics = small["topics"]
    for column, (median, low, high) in enumerate(topics.difficulty("AP")):
        values = sorted(topics.values_of("AP")[:, column])
        assert (low, median, high) == (values[0], values[1], values[2])
    assert [topic.relevant for topic in topics.topics] == [5] * 8


def test_a_report_says_how_it_was_made(small, monkeypatch):
    assert small.command == "gainful report qrels.txt early.run"
    assert small.versions["gainful"] == gainful.__version__
    assert small.date is None
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert report(graded(), three_runs()["early"], "AP").date == "1970-01-01"
    for none in ("tomorrow", "9" * 20, "9" * 5000):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", none)
        assert date() is None


def test_the_verdict_says_where_readers_are_divided():
    qrels = {str(n): {"a": 1, "b": 1, "c": 1} for n in range(20)}
    quick = ranked(dict.fromkeys(qrels, "a x y z w v"))
    whole = ranked(dict.fromkeys(qrels, "x a b c y z"))
    verdict = report(qrels, {"quick": quick, "whole": whole}, "RR, R@4")["verdict"]
    assert verdict.headline == "quick is better than whole on RR: +0.500 (the same on all 20 topics)."
    assert verdict.verdict.second == "whole is better on R@4 (+0.667)."  # 3/3 − 1/3
    by_rank = report(qrels, {"quick": quick, "whole": whole}, "nDCG@1")["verdict"]
    assert by_rank.headline == "quick is better than whole on nDCG@1: +1.000 (the same on all 20 topics)."
    assert by_rank.verdict.second.startswith("whole is ahead from rank 3 on (nDCG +0.")
    alike = report(qrels, {"quick": quick, "same": quick}, "RR")["verdict"]
    assert alike.headline == "quick and same have the same RR on all 20 topics."


def test_the_verdict_does_not_call_a_lead_sure_that_the_test_speaks_against():
    qrels = {str(n): {"a": 1} for n in range(20)}
    # RR: b wins 1/2 − 1/3 on 16 topics, a wins 1 − 1/9 on 4
    a = ranked({topic: "a" if int(topic) < 4 else "x y a" for topic in qrels})
    b = ranked({topic: "1 2 3 4 5 6 7 8 a" if int(topic) < 4 else "x a" for topic in qrels})
    made = report(qrels, {"a": a, "b": b}, "P@9, RR", method=Method(test="sign"))
    lead = made["verdict"].leads[1]
    assert (lead.leader, lead.sure, lead.disputed) == ("a", True, True)
    alone = report(qrels, {"a": a, "b": b}, "RR", method=Method(test="sign"))["verdict"]
    assert alone.headline.startswith("a has the better mean RR (+0.044, 95 % CI ")  # (4 · 8/9 − 16/6) / 20
    assert alone.headline.endswith("), but the sign test favours b.")
    assert not report(qrels, {"a": a, "b": b}, "RR")["verdict"].leads[0].disputed


def test_a_measure_of_ones_own_is_reported_like_any_other():
    @gainful.measure(bounds=(0, 1))
    def Top(judged, *, cutoff: int | None = None):
        """Whether the first documents hold one of the best grade.

        Top = 1 if grade = 3 at a rank ≤ cutoff
        """
        top = judged.cut(cutoff)
        return top.most(1.0 * (top.grade == 3))

    made = report(graded(), three_runs(), [Top @ 2, "AP"])
    assert list(map(str, made["scores"].measures)) == ["Top@2", "AP"]
    assert "top-by-rank" in [drawn.name for drawn in made["curves"].charts]
    assert list(map(str, made["topics"].lists.measures)) == ["Top@2", "AP"]


def test_the_pair_shown_first_stands_as_in_the_comparison(small):
    pairs = small["pairs"]
    assert set(pairs.chosen) == set(small["scores"].systems[:2])
    assert pairs.chosen in [(pair.a, pair.b) for pair in pairs.pairs("nDCG@5")]
    made = report(graded(), three_runs(), "AP", method=Method(baseline="poor"))
    assert made["pairs"].chosen[0] == "poor"


def test_a_lead_that_the_test_cannot_resolve_is_not_called_insignificant():
    qrels = {f"q{number}": {"d": 1} for number in range(4)}
    runs = {
        "good": {topic: {"d": 2.0, "x": 1.0} for topic in qrels},
        "bad": {topic: {"d": 1.0, "x": 2.0} for topic in qrels},
    }
    made = gainful.report(qrels, runs, "RR", method=Method(test="sign"))  # at best p = 2 · 0.5^4 = 0.125
    verdict = made["verdict"]
    assert verdict.headline == (
        "good is ahead of bad on RR (+0.500, the same on all 4 topics), but the test cannot resolve it: "
        "4 topics give no p-value under 0.12, whatever the scores; 6 are needed."
    )
    assert verdict.leads[0].words == "cannot be resolved"
    assert verdict.to_dict()["leads"][0]["significant"] is None
    assert "significant" not in " ".join(verdict.verdict.sentences)


def tints(spec):
    """The colour of each system, wherever a chart gives one."""
    scales = [
        layer["encoding"]["color"]["scale"]
        for layer in spec["layer"]
        if "scale" in layer["encoding"].get("color", {})
    ]
    return {
        name: colour for scale in scales for name, colour in zip(scale["domain"], scale["range"], strict=True)
    }


def test_a_system_has_the_same_colour_in_the_report_as_in_a_chart_of_curves():
    runs = dict(reversed(three_runs().items()))  # the best is not the first
    made = report(graded(), runs, "nDCG@5")
    alone = tints(curve_spec(gainful.curve(graded(), runs, "nDCG", to=5)))
    drawn = {figure.name: tints(figure.spec) for figure in made.charts()}
    assert made["scores"].systems[0] != "poor"
    assert set(alone) == set(runs)
    for name in ("means", "ndcg-by-rank", "precision-recall", "topics"):
        assert drawn[name] == alone, name


def test_of_more_systems_than_colours_those_drawn_differ():
    runs = {f"{name}{n}": run for n in range(3) for name, run in three_runs().items()}
    drawn = report(graded(), runs, "nDCG@5")["curves"]
    assert len({drawn.positions[name] % len(SERIES) for name in drawn.drawn}) == len(drawn.drawn)


def test_an_interval_near_a_bound_stays_inside_it_and_is_not_cut_off():
    from math import exp, log

    from gainful.comparisons import Method
    from gainful.comparisons.mean_intervals import interval_within
    from gainful.statistics.intervals import interval

    values = np.array([1.0] * 19 + [0.5])
    mean = float(values.mean())
    low, high = (float(end[0]) for end in interval("t", values[None, :], 0.95, estimates=np.array([mean])))
    assert high > 1  # the t interval leaves the bounds
    reach = (high - low) / 2 / (mean * (1 - mean))  # the delta method on the log-odds scale
    ends = [1 / (1 + exp(-(log(mean / (1 - mean)) + sign * reach))) for sign in (-1, 1)]
    assert interval_within(values, mean, Method(), (0.0, 1.0)) == pytest.approx(tuple(ends))
    assert 0 < ends[0] < mean < ends[1] < 1
    assert interval_within(values, mean, Method(), (0.0, 2.0)) == (low, high)
