"""Document 004, slides: user-oriented measures; CG, DCG, their ideals, their means and ratios for two queries.

Loose in the document:
- Digits are partly cut, not rounded (DCG_1[6] is 2.79, printed 2.7; IDCG_2[3] is 5.63, printed 5.6).
- The ideal vector is defined from all assessments, but computed from the retrieved list sorted: IG_1 has five documents
  where ten were assessed. With all assessments the last ratios are 0.64 and 0.3736, not 1.00 and 0.47.
- "By adopting logs in higher bases the discount factor can be accentuated": the reverse is true.
"""

import numpy as np
import pytest

import gainful
from gainful.curves import by_rank

G1 = [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3]
G2 = [0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3]
R1 = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
R2 = [3, 2, 1]
CUT = 0.1  # what a printed digit may be short of


@pytest.fixture
def two():
    return gainful.gains([G1, G2], judged=[R1, R2])


@pytest.fixture
def scores(seeds):
    return gainful.evaluate(seeds / "two-topics.qrels", seeds / "two-topics.run", "CG")


def near(printed, by=CUT):
    return pytest.approx(np.array(printed), abs=by + 1e-12)


def test_the_gain_vectors_and_assessments_are_those_of_the_files(seeds):
    judged = gainful.read_qrels(seeds / "two-topics.qrels").to_dict()
    run = gainful.read_run(seeds / "two-topics.run").to_dict()
    for topic, gains, assessed in (("q1", G1, R1), ("q2", G2, R2)):
        ranked = sorted(run[topic], key=lambda document: -run[topic][document])
        assert [judged[topic].get(document, 0) for document in ranked] == gains
        assert sorted(judged[topic].values(), reverse=True) == assessed


def test_cumulated_gain_5(two):
    assert two.cg.tolist() == [
        [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10],
        [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6],
    ]
    assert two.cg[0][8 - 1] == 5


def test_discounted_cumulated_gain_7(two):
    assert two.dcg(discount="jk") == near(
        [
            [1, 1, 1.6, 1.6, 1.6, 2.7, 2.7, 2.7, 2.7, 3.3, 3.3, 3.3, 3.3, 3.3, 4.1],
            [0, 0, 1.2, 1.2, 1.2, 1.2, 1.2, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 2.3],
        ]
    )


def test_a_higher_base_weakens_the_discount(two):
    two_, ten = two.dcg(discount="jk", base=2), two.dcg(discount="jk", base=10)
    assert (ten >= two_).all()
    assert (ten[:, -1] > two_[:, -1]).all()


@pytest.mark.parametrize(
    ("measure", "printed", "by"),
    [
        ("CG", [0.5, 0.5, 2, 2, 2, 3.5, 3.5, 4, 4, 5, 5, 5, 5, 5, 8], 0),
        ("DCG(discount=jk)", [0.5, 0.5, 1.4, 1.4, 1.4, 2, 2, 2.1, 2.1, 2.4, 2.4, 2.4, 2.4, 2.4, 3.2], CUT),
    ],
)
def test_dcg_curves_are_averages_over_all_queries(scores, measure, printed, by):
    curve = by_rank(scores, measure, to=15)[0]
    assert curve.average == "topics"
    assert curve.values == near(printed, by)


def test_ideal_gain_vectors_sort_what_was_retrieved(two):
    assert two.ideal("retrieved").judged.grade[:5].tolist() == [3, 3, 2, 1, 1]
    assert two.ideal("retrieved").cg.tolist() == [
        [3, 6, 8, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
        [3, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6],
    ]


def test_ideal_dcg_vectors(two):
    assert two.ideal_dcg(discount="jk", ideal="retrieved") == near(
        [[3, 6, 7.2, 7.7, 8.1, *[8.1] * 10], [3, 5, 5.6, 5.6, 5.6, *[5.6] * 10]]
    )


def test_mean_ideal_vectors(two):
    cg = two.ideal("retrieved").cg.mean(axis=0)
    dcg = two.ideal_dcg(discount="jk", ideal="retrieved").mean(axis=0)
    assert cg.tolist() == [3, 5.5, 7, 7.5, *[8] * 11]
    assert dcg == near([3, 5.5, 6.4, 6.7, *[6.9] * 11])


NCG = [0.17, 0.09, 0.29, 0.27, 0.25, 0.44, 0.44, 0.5, 0.5, 0.63, 0.63, 0.63, 0.63, 0.63, 1]
NDCG = [0.17, 0.09, 0.22, 0.22, 0.21, 0.29, 0.29, 0.32, 0.32, 0.36, 0.36, 0.36, 0.36, 0.36, 0.47]


def test_normalized_vectors_are_ratios_of_mean_curves(scores):
    ncg, ndcg = by_rank(
        scores, "NCG(ideal=retrieved), nDCG(discount=jk,ideal=retrieved)", to=15, average="ratio"
    )
    assert (ncg.average, ndcg.average) == ("ratio", "ratio")
    assert ncg.values == near(NCG, 0.005)
    assert ndcg.values == near(NDCG, 0.005)


def test_means_of_the_topics_values_are_other_numbers(scores):
    [ratio] = by_rank(scores, "NCG(ideal=retrieved)", to=15, average="ratio")
    [topics] = by_rank(scores, "NCG(ideal=retrieved)", to=15)
    assert ratio[2] == pytest.approx((1 + 0) / (6 + 5))
    assert topics[2] == pytest.approx((1 / 6 + 0 / 5) / 2)


def test_with_all_assessments_the_last_ratios_are_lower(scores):
    ncg, ndcg = by_rank(scores, "NCG, nDCG(discount=jk)", to=15, average="ratio")
    assert ncg[15] == pytest.approx((10 + 6) / (19 + 6)) == pytest.approx(0.64)
    assert ndcg[15] == pytest.approx(0.3736, abs=5e-5)


def test_the_area_under_the_normalized_curves_is_the_mean_of_their_points(scores):
    [ndcg] = by_rank(scores, "nDCG(discount=jk,ideal=retrieved)", to=15, average="ratio")
    assert ndcg.areas["step"] == pytest.approx(sum(ndcg.values) / 15)
    assert ndcg.areas["step"] == pytest.approx(sum(NDCG) / 15, abs=0.005)


def test_the_same_from_the_command_line(seeds, command):
    files = ("curve", seeds / "two-topics.qrels", seeds / "two-topics.run", "--to", 15)
    made = command(*files, "-m", "CG", "--ideal", "-q")["curves"]
    found = {(curve["role"], curve["topic"]): [y for _, y in curve["points"]] for curve in made}
    assert found["run", "q1"] == [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10]
    assert found["run", None] == [0.5, 0.5, 2, 2, 2, 3.5, 3.5, 4, 4, 5, 5, 5, 5, 5, 8]
    assert found["ideal", "q2"] == [3, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6]
    [ndcg] = command(*files, "-m", "nDCG(discount=jk,ideal=retrieved)", "--average", "ratio")["curves"]
    assert ndcg["average"] == "ratio"
    assert np.array([y for _, y in ndcg["points"]]) == near(NDCG, 0.005)


def test_user_oriented_measures_3_and_4():
    """K = {a, c, e}, R = {a, b, c, d}, A = {a, b, x}; the user expected two."""
    qrels = {"I": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 0}}
    run = {"I": {"a": 3.0, "x": 2.0, "b": 1.0}}
    measures = "Coverage, Novelty, RelRecall, RecallEffort"
    made = gainful.evaluate(qrels, run, measures, known={"I": ["a", "c", "e"]}, expected=2).mean
    assert made == {
        "Coverage": 1 / 2,  # |{a}| / |{a, c}|
        "Novelty": 1 / 2,  # |{b}| / |{a, b}|
        "RelRecall": 2 / 2,  # found / expected
        "RecallEffort": 2 / 3,  # expected / examined: the second is at rank 3
    }
