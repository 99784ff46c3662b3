"""The plan by documents: exact where all are judged, and as wide as comparisons of real draws turn out."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import gainful
from gainful import audit
from gainful.auditing.judgment_savings import Drawn

from .simulated_model import RUNS, bundled, labelled, pilot

TWO = {name: RUNS[name] for name in ("marathon", "sprinter")}
PAIR = ("marathon", "sprinter")


def planned(measure, width, **more):
    people, model = pilot(20)
    made = audit(people, model, TWO, measure, width=width, resamples=50, **more)
    return made, made.savings[0].pairs[0].width_drawn


def all_judged(measure):
    """The differences of the pilot's topics."""
    people, _ = pilot(20)
    scores = gainful.evaluate(people, TWO, measure)
    return scores["sprinter"].values[0] - scores["marathon"].values[0]


def test_all_documents_are_as_good_as_all_topics_and_no_share_does_better():
    spread = all_judged("DCG@10").std(ddof=1)
    least = 2 * stats.t.ppf(0.975, 49) * spread / math.sqrt(50)
    _, none = planned("DCG@10", 0.999 * least)
    assert (none.people, none.both) == (None, None)
    made, drawn = planned("DCG@10", 1.2 * least)
    assert 0 < drawn.both < drawn.people < drawn.of
    assert (
        f"{drawn.both:,} with the model's labels and {drawn.people:,} by people alone"
        in made.view().replace("\n", " ")
    )
    assert made.to_dict()["savings"][0]["pairs"][0]["width_drawn"] == drawn.to_dict()


@pytest.mark.parametrize("empty", [0, 5])
def test_topics_with_nothing_relevant_are_part_of_the_plan_as_they_are_of_the_comparison(empty):
    people, model = pilot(20)
    people |= {topic: dict.fromkeys(people[topic], 0) for topic in list(people)[:empty]}
    # the ideal list of a study is that of the documents in either list
    tops = {topic: {d for run in TWO.values() for d in top_of(run, topic)} for topic in people}
    seen = {topic: {d: g for d, g in row.items() if d in tops[topic]} for topic, row in people.items()}
    scores = gainful.evaluate(seen, TWO, "nDCG@10")
    apart = scores["sprinter"].values[0] - scores["marathon"].values[0]
    least = 2 * stats.t.ppf(0.975, 49) * apart.std(ddof=1) / math.sqrt(50)
    widths = [
        audit(people, model, TWO, width=times * least, resamples=50).savings[0].pairs[0].width_drawn
        for times in (0.999, 1.001)
    ]
    assert [drawn.people_percent for drawn in widths] == [None, 100]


def top_of(path, topic):
    scores = gainful.read_run(path).to_dict()[topic]
    return sorted(scores, key=lambda d: (scores[d], d), reverse=True)[:10]


def test_of_counts_the_documents_above_the_cutoff_of_either_system():
    people, _ = pilot(20)
    lists = [gainful.read_run(path).to_dict() for path in TWO.values()]
    found = 0
    for topic in people:
        tops = [
            sorted(run[topic], key=lambda d, of=run[topic]: (of[d], d), reverse=True)[:10] for run in lists
        ]
        found += len({*tops[0], *tops[1]})
    _, drawn = planned("DCG@10", 1.0)
    assert drawn.of == math.ceil(found / 20 * 50)


@pytest.mark.parametrize("measure", ["DCG@10", "nDCG@10"])
def test_comparisons_of_studies_made_by_the_printed_command_are_about_as_wide_as_planned(measure, tmp_path):
    wanted = 0.12 if measure == "nDCG@10" else 1.1
    made, drawn = planned(measure, wanted)
    everything = bundled()
    model = labelled(everything)
    (strategy,) = re.findall(r"gainful pool --strategy (sample:change:\d+%)", " ".join(made.sentences))
    numbers, widths = [], []
    for seed in range(6):
        folder = tmp_path / str(seed)
        study = gainful.pool(TWO, strategy=strategy, measure=measure, seed=seed, output=folder)
        judged = {}
        for row in study.pool:
            judged.setdefault(row.topic, {})[row.document] = everything[row.topic].get(row.document, 0)
        numbers.append(sum(map(len, judged.values())))
        (pair,) = gainful.compare(judged, TWO, measure, design=folder, model_qrels=model).pairs
        widths.append(pair.interval[1] - pair.interval[0])
    assert np.mean(numbers) == pytest.approx(drawn.both, rel=0.03)
    assert np.median(widths) == pytest.approx(wanted, rel=0.2)


def test_decisions_are_planned_by_documents_too_and_several_pairs_are_not():
    people, model = pilot(20)
    pair = audit(people, model, TWO, decide=True, resamples=50).savings[0].pairs[0]
    assert 0 < pair.decide_drawn.both < pair.decide_drawn.of
    assert pair.width_drawn is None
    several = audit(people, model, RUNS, width=0.1, resamples=50).savings[0].pairs
    assert all(each.width_drawn is None for each in several)
    chosen = audit(people, model, RUNS, width=0.1, compare=PAIR, resamples=50).savings[0].pairs[0]
    assert chosen.width_drawn is not None


@pytest.mark.parametrize("measure", ["AP@10", "RR@10", "nDCG"])
def test_what_is_no_sum_above_a_cutoff_has_no_plan_by_documents(measure):
    assert planned(measure, 0.5)[1] is None


def test_fewer_than_ten_topics_give_no_plan_by_documents():
    for topics, there in ((9, False), (10, True)):
        people, model = pilot(topics)
        made = audit(people, model, TWO, "DCG@10", width=1.2, resamples=50)
        assert (made.savings[0].pairs[0].width_drawn is not None) == there
        assert any("drawn by chance" in sentence for sentence in made.sentences) == there


def test_where_nothing_less_than_all_documents_is_enough_no_share_is_named():
    made, _ = planned("DCG@10", 1.2)
    (saving,) = made.savings
    pairs = (replace(saving.pairs[0], width_drawn=Drawn(100, 100, 823)),)
    said = " ".join(replace(made, savings=(replace(saving, pairs=pairs),)).sentences)
    assert "in all 50 topics, no smaller part than all is enough" in said
    assert "sample:change" not in said
