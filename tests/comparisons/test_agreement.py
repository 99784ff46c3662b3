"""Agreement between judges: published worked examples, scikit-learn, statsmodels, and literal transcriptions."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.comparisons.judges.agreement_coefficients import (
    Alpha,
    Fleiss,
    Kappa,
    Share,
    alpha,
    fleiss,
    kappa,
    overlap,
)
from gainful.errors import UsageError

NAN = math.nan
ONE_TOPIC = np.ones((1, 1))

# Cohen (1968), table 1: 200 patients, two judges, three diagnoses.
COHEN = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
# Fleiss (1971), table 1: 30 patients, six psychiatrists each, five diagnoses.
FLEISS = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Krippendorff (2011): four observers, twelve units, data missing.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]

GRADES = st.sampled_from([-2, 0, 1, 2, 4])
PAIRS = st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=25)


def told(table):
    """The grades of both judges that a table of counts stands for."""
    cells = [(i, j) for (i, j), count in np.ndenumerate(table) for _ in range(count)]
    return [i for i, _ in cells], [j for _, j in cells]


def test_cohen_s_patients_have_the_published_kappa():
    expected = (0.70 - 0.41) / (1 - 0.41)
    assert kappa(*told(COHEN)) == pytest.approx(expected)
    assert round(expected, 3) == 0.492


@pytest.mark.parametrize(
    ("weight", "expected", "published"),
    [
        ([[0, 1, 3], [1, 0, 6], [3, 6, 0]], 1 - 0.90 / 1.38, 0.348),
        ([[0, 1, 4], [1, 0, 6], [2, 2, 0]], 1 - 0.86 / 1.33, 0.353),
    ],
)
def test_cohen_s_patients_have_the_published_weighted_kappas(weight, expected, published):
    weights = np.array(weight, float)
    rows, columns = COHEN.sum(axis=1)[None] * 1.0, COHEN.sum(axis=0)[None] * 1.0
    made = Kappa((weights * COHEN).sum()[None], rows, columns, weights)
    assert made.over(ONE_TOPIC)[0] == pytest.approx(expected)
    assert round(expected, 3) == published


def test_fleiss_psychiatrists_have_the_published_kappa():
    counts = [[int(digit) for digit in row] for row in FLEISS.split()]
    assert np.sum(counts, axis=0).tolist() == [26, 26, 30, 55, 43]
    assert round(fleiss(counts), 3) == 0.430


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_s_observers_have_the_published_alpha(level, published):
    assert round(alpha(np.transpose(KRIPPENDORFF), level=level), 3) == published


@given(PAIRS, st.sampled_from(["none", "linear", "quadratic"]))
@settings(max_examples=80, deadline=None)
def test_kappa_is_that_of_scikit_learn_where_grades_have_no_gaps(pairs, weights):
    from sklearn.metrics import cohen_kappa_score

    first, second = zip(*pairs, strict=True)
    made = kappa(first, second, weights=weights)
    if len({*first, *second}) == 1:
        assert math.isnan(made)
        return
    labels = list(range(-2, 5))  # so that every grade is as far from the next
    name = None if weights == "none" else weights
    expected = cohen_kappa_score(first, second, labels=labels, weights=name)
    assert made == pytest.approx(expected, abs=1e-12)


@given(st.integers(2, 6), st.data())
@settings(max_examples=60, deadline=None)
def test_fleiss_kappa_is_that_of_statsmodels(judges, data):
    from statsmodels.stats.inter_rater import fleiss_kappa

    rows = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=judges, max_size=judges), min_size=1, max_size=12)
    )
    counts = np.array([[row.count(grade) for grade in range(4)] for row in rows])
    made = fleiss(counts)
    if np.count_nonzero(counts.sum(axis=0)) == 1:
        assert math.isnan(made)
    else:
        assert made == pytest.approx(fleiss_kappa(counts), abs=1e-12)


def literal_alpha(table, level):
    """1 − observed over expected disagreement, pair by pair of values, as the definition has it."""
    units = [[value for value in row if not math.isnan(value)] for row in table]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        low, high = sorted((c, k))
        between = sum(values.count(g) for g in set(values) if low <= g <= high)
        return (between - (values.count(low) + values.count(high)) / 2) ** 2 if low != high else 0.0

    observed = sum(
        distance(*pair) / (len(unit) - 1) for unit in units for pair in itertools.permutations(unit, 2)
    ) / len(values)
    expected = sum(distance(*pair) for pair in itertools.permutations(values, 2))
    expected /= len(values) * (len(values) - 1)
    return 1 - observed / expected


@given(
    st.lists(
        st.lists(st.sampled_from([-1.0, 0.0, 1.5, 3.0, NAN]), min_size=4, max_size=4), min_size=1, max_size=8
    ),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
@settings(max_examples=80, deadline=None)
def test_alpha_is_the_definition_written_out(table, level):
    judged = [row for row in table if sum(not math.isnan(value) for value in row) > 1]
    made = alpha(table, level=level)
    if len({value for row in judged for value in row if not math.isnan(value)}) < 2:
        assert math.isnan(made)
    else:
        assert made == pytest.approx(literal_alpha(table, level), abs=1e-12)


def test_a_grade_that_nobody_used_leaves_its_gap():
    with_gap, without = (
        kappa([0, 1, 3], [0, 3, 3], weights="linear"),
        kappa([0, 1, 2], [0, 2, 2], weights="linear"),
    )
    # disagreement 3 − 1 of 3 items; by chance (0 + 3 + 3 + 1 + 2 + 2 + 3 + 0 + 0)/9
    assert with_gap == pytest.approx(1 - (2 / 3) / (14 / 9))
    assert without == pytest.approx(1 - (1 / 3) / (9 / 9))


def test_the_order_of_grades_matters_to_ordinal_alpha_and_their_size_does_not():
    table = np.array([[0, 1], [1, 1], [2, 3], [3, 3], [0, 0]])
    assert alpha(table) == pytest.approx(alpha(np.array([-7.0, 0.5, 2, 100])[table]))
    assert alpha(table) != pytest.approx(alpha(np.array([3, 0, 2, 1])[table]))


def test_what_every_judge_says_alike_leaves_nothing_to_measure():
    assert math.isnan(kappa([1, 1], [1, 1]))
    assert math.isnan(fleiss([[3, 0], [3, 0]]))
    for level in ("nominal", "ordinal", "interval"):
        assert math.isnan(alpha([[1, 1], [1, 1]], level=level))
        assert math.isnan(alpha([[1, NAN], [NAN, 2]], level=level))


def test_no_items_at_all_are_undefined_too():
    assert math.isnan(kappa([], []))
    assert math.isnan(fleiss(np.zeros((0, 2))))
    assert math.isnan(alpha(np.zeros((0, 2))))


def test_perfect_agreement_is_one_and_systematic_disagreement_less_than_zero():
    assert kappa([0, 1, 2], [0, 1, 2]) == fleiss([[2, 0], [0, 2]]) == alpha([[0, 0], [1, 1]]) == 1
    assert kappa([0, 1], [1, 0]) == -1
    assert alpha([[0, 1], [1, 0]]) < 0


def test_overlap_is_the_mean_over_topics_of_common_over_found():
    topic = np.array([0, 0, 0, 1, 1, 2])
    relevant = np.array([[1, 1], [1, 0], [0, 1], [1, 1], [0, 0], [0, 0]], bool)
    # a third in the first topic, all in the second; in the third nobody found anything
    assert overlap(topic, relevant).over(np.ones((1, 3)))[0] == pytest.approx((1 / 3 + 1) / 2)
    assert math.isnan(overlap(topic, relevant).over(np.array([[0.0, 0.0, 3.0]]))[0])


@given(st.data(), st.integers(1, 4), st.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_a_topic_drawn_twice_is_as_if_its_items_were_there_twice(data, topics, items):
    topic = np.array(
        [*range(topics), *data.draw(st.lists(st.integers(0, topics - 1), min_size=items, max_size=items))]
    )
    rows = st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=3, max_size=3)
    ratings = np.array(data.draw(st.lists(rows, min_size=len(topic), max_size=len(topic))))
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=topics, max_size=topics)))
    again = np.repeat(np.arange(len(topic)), times[topic])
    counts = np.stack([(ratings == grade).sum(axis=1) for grade in (0, 1, 2)], axis=1) * 1.0
    for drawn, repeated in [
        (
            Kappa.of(topic, *ratings.T[:2], weights="linear"),
            lambda: kappa(*ratings[again].T[:2], weights="linear"),
        ),
        (Fleiss.of(topic, counts), lambda: fleiss(counts[again])),
        (Alpha.of(topic, ratings), lambda: alpha(ratings[again])),
    ]:
        expected = repeated() if len(again) else math.nan
        assert drawn.over(times[None] * 1.0)[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_share_of_nothing_is_undefined():
    assert np.isnan(Share(np.zeros(2), np.zeros(2)).over(np.ones((3, 2)))).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: kappa([1, 2], [1]), "two judges grade the same items; got 2 and 1"),
        (
            lambda: kappa([1], [1], weights="cubic"),
            "weights must be one of none, linear, quadratic; got 'cubic'",
        ),
        (
            lambda: alpha([[1, 2]], level="ratio"),
            "level must be one of ordinal, nominal, interval; got 'ratio'",
        ),
        (lambda: alpha([1, 2]), "items × judges"),
        (lambda: fleiss([1, 2]), "items × grades"),
        (lambda: fleiss([[2, 0], [1, 2]]), "the same number of judges"),
        (lambda: fleiss([[1, 0]]), "two or more"),
    ],
)
def test_what_cannot_be_is_refused_in_words(call, said):
    with pytest.raises(UsageError, match=said):
        call()
