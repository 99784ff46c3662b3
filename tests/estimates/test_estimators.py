"""Estimators over every sample that a small design can draw: means are exact where no bias is claimed, and variances too."""

import math
from itertools import combinations

import numpy as np
import pytest

from gainful import evaluate
from gainful.estimates import estimate, gain_estimators, has_estimator
from gainful.estimates.measure_shapes import shape_of
from gainful.estimates.precision_estimators import sums_of_precisions
from gainful.judging.sampling import sampled_run
from gainful.measures import parse
from gainful.statistics.survey_sampling import variance_parts

from .enumerated import BY_RANK, FULL, RUN, fixed, independent, scores_of

DESIGNS = {
    "two of five": fixed(dict.fromkeys("abcde", "all"), {"all": 2}),
    "strata": fixed(BY_RANK, {"top": 1, "rest": 2}),
    "independent": independent({"a": 0.9, "b": 0.5, "c": 0.25, "d": 1.0, "e": 0.6}),
}
SUMS = ["P@3", "P(rel=2)@5", "DCG@4", "DCG(gain=exp)", "CG@5", "RBP(p=0.5,top=3)", "RBP(p=0.8,rel=1)@4"]
SHARES = ["R@3", "R(divisor=min)@2", "nDCG", "nDCG@3", "nDCG(gain=exp)@2", "NCG@3"]
designs = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def values(scores):
    """Measures × the two topics."""
    return scores.runs[0].values[:, :2]


def variances(scores):
    run = scores.runs[0]
    sample = run.judged.require_sample()
    return np.array([each.variance(sample)[:2] for each in run.estimates])


@designs
@pytest.mark.parametrize("kind", ["ht", "centred"])
def test_the_mean_over_all_samples_is_the_value_with_everything_judged(design, kind):
    made = scores_of(*design, SUMS, estimator=kind)
    mean = sum(chance * values(scores) for chance, scores in made)
    assert sum(chance for chance, _ in made) == pytest.approx(1)
    assert mean == pytest.approx(values(evaluate(FULL, RUN, SUMS)), abs=1e-12)


@designs
@pytest.mark.parametrize("measure", ["AP", "AP(rel=2)", "AP@3"])
def test_the_sum_of_precisions_and_the_number_of_relevant_documents_are_unbiased(design, measure):
    shape = shape_of(parse(measure), 3.0)
    above, below = np.zeros(2), np.zeros(2)
    for chance, scores in scores_of(*design, measure):
        sample = scores.runs[0].judged.require_sample()
        (alone, _), (pairs, _) = sums_of_precisions(scores.runs[0].judged, shape)
        above += chance * (alone + pairs)[:2]
        below += chance * sample.totals((sample.pool.grade >= shape.rel).astype(float))[:2]
    number = [sum(grade >= shape.rel for grade in grades.values()) for grades in FULL.values()]
    assert below == pytest.approx(number)
    assert above == pytest.approx(values(evaluate(FULL, RUN, measure))[0] * number)


@designs
def test_the_mean_of_the_estimated_variances_is_the_variance_over_all_samples(design):
    made = scores_of(*design, SUMS, estimator="ht")
    mean = sum(chance * values(scores) for chance, scores in made)
    spread = sum(chance * (values(scores) - mean) ** 2 for chance, scores in made)
    estimated = sum(chance * variances(scores) for chance, scores in made)
    if (
        design is DESIGNS["strata"]
    ):  # of one stratum a single document was drawn: its variance is never too small
        assert (estimated >= spread - 1e-12).all()
    else:
        assert estimated == pytest.approx(spread)


@pytest.mark.parametrize("y", [[1.0, -1.0], [2.0, -1.0, -1.0], [1.0, 0.0, 0.0], [3.0, 1.0, 2.0]])
def test_the_variance_of_one_document_of_a_stratum_is_never_too_small_even_where_documents_cancel_out(y):
    y, number = np.array(y), len(y)
    chance, alone = np.full(number, 1 / number), np.zeros(number, int)
    estimated = [
        variance_parts(y, chance, alone, np.array([float(number)]), np.arange(number) == drawn).sum()
        for drawn in range(number)
    ]
    assert np.mean(estimated) == pytest.approx(np.var(number * y) + y.sum() ** 2)


@pytest.mark.parametrize("kind", ["ht", "centred", "ratio"])
@pytest.mark.parametrize("measure", ["RBP", "P@3", "DCG", "CG@3"])
def test_where_only_documents_without_relevance_were_drawn_sums_are_0(measure, kind):
    drawn = {"a": (0, 0.5), "b": (-1, 0.5), "c": (0, 0.5)}
    assert estimate(parse(measure), sampled_run("abc", drawn), kind).values == pytest.approx([0.0])


def test_a_share_of_the_best_grade_that_was_drawn_is_not_called_unbiased():
    run = sampled_run("abc", {"a": (2, 0.5), "b": (-1, 0.5), "c": (1, 0.5)})
    bias = {name: estimate(parse(name), run).bias for name in ("RBP", "RBP(top=3)", "RBP(rel=1)")}
    assert bias == {"RBP": "small", "RBP(top=3)": "none", "RBP(rel=1)": "none"}


@pytest.mark.parametrize("undefined", ["keep", "skip", "1"])
@pytest.mark.parametrize("measure", ["P@3", "RBP", "DCG@3", "nDCG@3", "R@3", "AP", "statAP"])
def test_a_topic_with_nothing_relevant_counts_as_without_a_design_where_all_was_judged(measure, undefined):
    grades = FULL | {"2": dict.fromkeys(FULL["2"], 0)}
    certain = {topic: dict.fromkeys(of_topic, 1.0) for topic, of_topic in grades.items()}
    plain = evaluate(grades, RUN, "AP" if measure == "statAP" else measure, undefined=undefined)
    made = evaluate(grades, RUN, measure, design=certain, undefined=undefined)
    assert made.runs[0].counts(0).tolist() == plain.runs[0].counts(0).tolist()
    assert values(made)[0] == pytest.approx(values(plain)[0])


@pytest.mark.parametrize(
    "measure", [*SUMS, "R@3", "R(divisor=min)@2", "nDCG", "nDCG@3", "nDCG(gain=exp)@2", "NCG@3", "AP", "AP@3"]
)
@pytest.mark.parametrize("kind", ["auto", "ht", "centred", "ratio"])
def test_with_every_document_taken_for_certain_an_estimate_is_the_value_itself(measure, kind):
    certain = {topic: dict.fromkeys(grades, 1.0) for topic, grades in FULL.items()}
    made = evaluate(FULL, RUN, measure, design=certain, estimator=kind)
    assert values(made)[0] == pytest.approx(values(evaluate(FULL, RUN, measure))[0])
    low, high = made.runs[0].of_these_topics(0)
    assert math.isnan(low) or low == pytest.approx(high)


@pytest.mark.parametrize("measure", ["statAP", "xinfAP", "infAP"])
def test_with_everything_judged_the_estimators_of_papers_are_ap(measure):
    certain = [(topic, document, 1.0, "all") for topic, grades in FULL.items() for document in grades]
    made = evaluate(FULL, RUN, measure, design=certain)
    assert values(made)[0] == pytest.approx(values(evaluate(FULL, RUN, "AP"))[0], abs=1e-4)


def test_a_share_divides_by_an_ideal_of_as_many_documents_as_the_sample_stands_for():
    # grade 2 stands for two documents and grade 1 for 1 / 0.4 = 2.5: the ideal at ranks 1 to 4 is 2 2 1 1 and half of rank 5
    run = sampled_run("abcd", {"a": (2, 0.5), "c": (1, 0.4), "d": (0, 0.5)})
    discount = [1 / math.log2(rank + 1) for rank in range(1, 20)]
    sums = [sum(discount[:number]) for number in range(20)]

    def best(number):  # the ideal sum of so many documents of gain 1, a part of one at the end
        whole = int(number)
        return sums[whole] + (number - whole) * discount[whole]

    def lost(n, spread):  # C(n) less the mean of C(n ± s), s² = spread · n
        s = math.sqrt(spread * n)
        return best(n) - (best(max(n - s, 0.0)) + best(n + s)) / 2

    ideal = 0.0
    for n, variance in ((1 / 0.5, 2), (1 / 0.5 + 1 / 0.4, 2 + 0.6 / 0.4**2)):  # of grade 2, of grade 1 or 2
        s, spread = math.sqrt(variance), variance / n
        ends = lost(n - s, spread), lost(n + s, spread)
        ideal += (
            best(n) + lost(n, spread) + max(lost(n, spread) - sum(max(end, 0.0) for end in ends) / 2, 0.0)
        )
    above = 2 / 0.5 * discount[0] + 1 / 0.4 * discount[2]
    # to first order a document of grade 2 adds the weight of the last rank of both numbers, one of grade 1 that of the second
    adds = {"a": discount[1] + discount[4], "c": discount[4]}
    variance = adds["a"] ** 2 * 0.5 / 0.5**2 + adds["c"] ** 2 * 0.6 / 0.4**2
    covariance = 2 * discount[0] * adds["a"] * 0.5 / 0.5**2 + discount[2] * adds["c"] * 0.6 / 0.4**2
    expected = above / ideal - above * variance / ideal**3 + covariance / ideal**2
    assert estimate(parse("nDCG"), run).values == pytest.approx([expected])


@pytest.mark.parametrize(("measure", "most"), [("R@4", 0.5), ("nDCG@4", 0.6)])
def test_the_mean_of_shares_over_all_samples_is_nearer_to_the_truth_than_that_of_the_plain_ratio(
    measure, most
):
    """Seven of ten documents relevant, each drawn by itself, those further down less likely; the empty samples left out."""
    grades = dict(zip("abcdefghij", (3, 0, 2, 1, 1, 0, 2, 1, 0, 1), strict=True))
    chances = {document: 0.8 if place < 4 else 0.4 for place, document in enumerate(grades)}
    recall = measure.startswith("R")
    gains = {document: min(grade, 1) if recall else grade for document, grade in grades.items()}
    discount = [1 if recall else 1 / math.log2(rank + 1) for rank in range(1, 41)]
    ideal = discount if recall else discount[:4]  # no sample stands for more than 40 documents

    def plain(weights):
        """The sum at ranks 1 to 4 by that of the ideal list, with a part of a document where the number is not whole."""
        above = sum(gains[d] * weights.get(d, 0) * discount[rank] for rank, d in enumerate("abcd"))
        best = 0.0
        for level in (1, 2, 3):
            number = sum(weight for d, weight in weights.items() if gains[d] >= level)
            best += sum(min(1.0, max(0.0, number - rank)) * weight for rank, weight in enumerate(ideal))
        return above / best if best else None

    truth = plain(dict.fromkeys(grades, 1.0))
    off = np.zeros(3)
    samples, _, _ = independent(chances)
    for drawn, chance in samples:
        without = plain({document: 1 / chances[document] for document in drawn})
        if without is not None:
            rows = {d: (grades[d] if d in drawn else -1, chances[d]) for d in grades}
            made = estimate(parse(measure), sampled_run("abcdefghij", rows)).values[0]
            off += chance * np.array([made - truth, without - truth, 1.0])
    assert abs(off[0]) < most * abs(off[1])


def test_the_ratio_estimator_takes_the_mean_of_the_drawn_documents_of_the_list_for_all_of_them():
    # of three documents at ranks 1 to 3 one relevant and one other were drawn: half of three
    drawn = {"a": (1, 0.5), "b": (-1, 0.5), "c": (0, 0.5)}
    assert estimate(parse("P@3"), sampled_run("abc", drawn), "ratio").values == pytest.approx([0.5])


def test_influences_are_the_derivatives_of_shares_by_the_weight_of_each_document(monkeypatch):
    # to first order: the small corrections of the ideal and of the ratio are taken as they are
    for name in ("sample_variance", "sample_covariance"):
        monkeypatch.setattr(gain_estimators, name, lambda sample, *_: np.zeros(len(sample.offsets) - 1))
    drawn = {"a": (2, 0.4), "b": (1, 0.3), "c": (0, 0.5), "d": (3, 0.8), "e": (1, 0.35)}
    for measure in ("nDCG@3", "R@3"):
        made = estimate(parse(measure), sampled_run("acbd", drawn))
        step = 1e-6
        for place, document in enumerate(drawn):
            grade, chance = drawn[document]
            moved = drawn | {document: (grade, 1 / (1 / chance + step))}
            slope = (estimate(parse(measure), sampled_run("acbd", moved)).values - made.values) / step
            assert slope == pytest.approx(made.influence[place], abs=1e-4), (measure, document)


@pytest.mark.parametrize(
    ("measure", "there"),
    [
        ("P@10", True),
        ("AP", True),
        ("nDCG@10", True),
        ("RR", False),
        ("ERR", False),
        ("Bpref", False),
        ("statAP", True),
    ],
)
def test_measures_say_whether_they_have_an_estimator(measure, there):
    assert has_estimator(parse(measure), 3.0) is there


@pytest.mark.parametrize("kind", ["ht", "centred", "ratio"])
def test_recall_is_a_share_of_one_sum_and_never_above_1_whichever_estimator_is_asked_for(kind):
    drawn = {"a": (1, 0.5), "b": (-1, 0.25), "c": (0, 0.5), "d": (1, 0.25), "e": (-1, 0.5)}
    found = estimate(parse("R@3"), sampled_run("abcde", drawn), kind).values
    # 2 of 2 + 4; too high by 2 · (2 + 12) / 6³ − 2 / 6², the variances of 2 and 4 being 0.5 / 0.5² and 0.75 / 0.25²
    assert found == pytest.approx([2 / 6 - 2 * (2 + 12) / 6**3 + 2 / 6**2])
    assert estimate(parse("R@5"), sampled_run("abcde", drawn), kind).values == pytest.approx([1.0])


@pytest.mark.parametrize("relevant", ["abeh", "abcdef", "ghij"])
def test_the_mean_of_ap_over_all_samples_is_much_nearer_to_the_truth_than_that_of_stat_ap(relevant):
    """Every simple random sample of 5 of 12 documents; those with nothing relevant are left out."""
    documents, ranked = "abcdefghijkl", "abcdefghijkl"
    found, precisions = 0, []
    for rank, document in enumerate(ranked, 1):
        if document in relevant:
            found += 1
            precisions.append(found / rank)
    truth = sum(precisions) / len(relevant)
    bias = {}
    for name in ("AP", "statAP"):
        made = []
        for sample in combinations(documents, 5):
            drawn = {
                document: (int(document in relevant) if document in sample else -1, 5 / 12, "all")
                for document in documents
            }
            made.append(estimate(parse(name), sampled_run(ranked, drawn)).values[0])
        bias[name] = abs(np.nanmean(made) - truth)
    assert bias["AP"] < 0.4 * bias["statAP"]
    assert bias["AP"] < 0.04


@pytest.mark.parametrize("number", [4, 6, 8])
def test_ap_that_is_divided_by_its_cutoff_has_no_ratio_to_correct(number):
    """Every simple random sample of so many of 14 documents, the first eight relevant: AP(divisor=min)@3 is 1."""
    documents = "abcdefghijklmn"
    made = []
    for sample in combinations(documents, number):
        drawn = {
            document: (int(document in documents[:8]) if document in sample else -1, number / 14, "all")
            for document in documents
        }
        made.append(estimate(parse("AP(divisor=min)@3"), sampled_run(documents, drawn)).values[0])
    assert np.mean(np.nan_to_num(made)) == pytest.approx(1.0, abs=0.001)
