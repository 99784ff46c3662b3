"""Measures that need subtopics, judges or preferences against their formulas, one topic in plain Python.

A topic is a ranked list of ids and what was said of ids in each aspect: `{subtopic: {id: grade}}`. A transcription
gives a number, or None for a topic with nothing to measure. It calls nothing of Gainful.
"""

import math
import pickle
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import MeasureError
from gainful.judging import judged_by, judged_run
from gainful.judging.transforms import condense, keep_topics, pool_of_topics
from gainful.measures import get, names, parse

IDS = "abcdefghij"
RANKED = st.lists(st.sampled_from(IDS + "xyz"), unique=True, max_size=13)
GRADES = st.sampled_from([0, 0, 0, 0.5, 1, 1, 2])
SAID = st.dictionaries(st.sampled_from(IDS), GRADES, min_size=1, max_size=8)
TOLD = st.dictionaries(st.sampled_from(["S1", "S2", "S3", "S4"]), SAID, min_size=1)
TOPICS = st.lists(st.tuples(RANKED, TOLD), min_size=1, max_size=4)


def relevant_to(told, rel):
    """For each subtopic that has any, its relevant ids."""
    found = {name: {one for one, grade in said.items() if grade >= rel} for name, said in told.items()}
    return {name: ids for name, ids in found.items() if ids}


def novelty(ranked, subtopics, cutoff, alpha, weight):
    seen = dict.fromkeys(subtopics, 0)
    summed = 0.0
    for rank, one in enumerate(ranked[:cutoff], 1):
        for name, ids in subtopics.items():
            if one in ids:
                summed += (1 - alpha) ** seen[name] * weight(rank)
                seen[name] += 1
    return summed


def greedy(subtopics, alpha):
    """Exactly, so that equal gains are equal; of these the id that comes last goes first."""
    left = sorted(set().union(*subtopics.values()), reverse=True)
    seen = dict.fromkeys(subtopics, 0)
    ideal = []
    while left:
        gains = {
            one: sum(
                (1 - Fraction(repr(alpha))) ** seen[name] for name, ids in subtopics.items() if one in ids
            )
            for one in left
        }
        best = max(left, key=lambda one: gains[one])  # the first of equals
        ideal.append(best)
        left.remove(best)
        for name, ids in subtopics.items():
            seen[name] += best in ids
    return ideal


def discounted(rank):
    return 1 / math.log2(rank + 1)


def reciprocal(rank):
    return 1 / rank


def share_of_most(weight):
    def literal(ranked, told, cutoff=None, alpha=0.5, rel=1):
        subtopics = relevant_to(told, rel)
        if not subtopics:
            return None
        most = len(subtopics) * sum(
            (1 - alpha) ** (rank - 1) * weight(rank) for rank in range(1, (cutoff or 2000) + 1)
        )
        return novelty(ranked, subtopics, cutoff, alpha, weight) / most

    return literal


def share_of_ideal(weight):
    def literal(ranked, told, cutoff=None, alpha=0.5, rel=1):
        subtopics = relevant_to(told, rel)
        if not subtopics:
            return None
        most = novelty(greedy(subtopics, alpha), subtopics, cutoff, alpha, weight)
        return novelty(ranked, subtopics, cutoff, alpha, weight) / most

    return literal


def nrbp(ranked, told, alpha=0.5, beta=0.5, rel=1):
    subtopics = relevant_to(told, rel)
    if not subtopics:
        return None
    summed = novelty(ranked, subtopics, None, alpha, lambda rank: beta ** (rank - 1))
    return (1 - (1 - alpha) * beta) / len(subtopics) * summed


def normalised_nrbp(ranked, told, alpha=0.5, beta=0.5, rel=1):
    return share_of_ideal(lambda rank: beta ** (rank - 1))(ranked, told, None, alpha, rel)


def average_precision(ranked, ids, cutoff):
    ranks = [rank for rank, one in enumerate(ranked[:cutoff], 1) if one in ids]
    return sum(Fraction(number, rank) for number, rank in enumerate(ranks, 1)) / len(ids)


def ap_ia(ranked, told, cutoff=None, rel=1):
    subtopics = relevant_to(told, rel).values()
    return (
        sum(average_precision(ranked, ids, cutoff) for ids in subtopics) / len(subtopics)
        if subtopics
        else None
    )


def p_ia(ranked, told, cutoff, rel=1):
    subtopics = relevant_to(told, rel).values()
    found = sum(one in ids for ids in subtopics for one in ranked[:cutoff])
    return Fraction(found, cutoff * len(subtopics)) if subtopics else None


def st_recall(ranked, told, cutoff=None, rel=1):
    subtopics = relevant_to(told, rel).values()
    return (
        Fraction(sum(any(one in ids for one in ranked[:cutoff]) for ids in subtopics), len(subtopics))
        if subtopics
        else None
    )


def ap_by_judge(ranked, told, cutoff=None, rel=1):
    subtopics = relevant_to(told, rel).values()
    return sum(average_precision(ranked, ids, cutoff) for ids in subtopics) / len(told) if subtopics else None


def p_by_judge(ranked, told, cutoff, rel=1):
    subtopics = relevant_to(told, rel).values()
    found = sum(one in ids for ids in subtopics for one in ranked[:cutoff])
    return Fraction(found, cutoff * len(told)) if subtopics else None


def rprec_by_judge(ranked, told, mult=1, rel=1):
    subtopics = relevant_to(told, rel).values()
    if not subtopics:
        return None
    summed = Fraction(0)
    for ids in subtopics:
        n = math.ceil(Fraction(repr(mult)) * len(ids))
        summed += Fraction(sum(one in ids for one in ranked[:n]), n)
    return summed / len(told)


def place(ranked, one):
    return ranked.index(one) if one in ranked else math.inf


def preferences(said):
    """Pairs (better, worse) of a judge, who gave one order or several that hold together."""
    orders = [said] if isinstance(said, dict) else said
    pairs = {
        (one, other) for order in orders for one in order for other in order if order[one] > order[other]
    }
    while True:
        more = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
        if not more:
            return pairs
        pairs |= more


def counts(ranked, pair, counted):
    retrieved = sum(one in ranked for one in pair)
    return retrieved >= {"all": 0, "touched": 1, "retrieved": 2}[counted]


def fulfilled(ranked, pair):
    return place(ranked, pair[0]) < place(ranked, pair[1])


def by_judge(ranked, told, counted):
    """Fulfilled and counted preferences of each judge."""
    kept = [[pair for pair in preferences(said) if counts(ranked, pair, counted)] for said in told.values()]
    return [(sum(fulfilled(ranked, pair) for pair in pairs), len(pairs)) for pairs in kept]


def num_prefs(ranked, told, counted="all"):
    return sum(number for _, number in by_judge(ranked, told, counted))


def num_prefs_ful(ranked, told, counted="all"):
    return sum(number for number, _ in by_judge(ranked, told, counted))


def prefs(ranked, told, counted="all"):
    possible = num_prefs(ranked, told, counted)
    return Fraction(num_prefs_ful(ranked, told, counted), possible) if possible else None


def pair_prefs(ranked, told, counted="all"):
    on = {}
    for said in told.values():
        for pair in preferences(said):
            if counts(ranked, pair, counted):
                on.setdefault(frozenset(pair), []).append(fulfilled(ranked, pair))
    return sum(Fraction(sum(some), len(some)) for some in on.values()) / len(on) if on else None


def levels(said):
    return {
        one: level for order in ([said] if isinstance(said, dict) else said) for one, level in order.items()
    }


def judge_prefs(ranked, told, counted="all", nonrel="all"):
    if nonrel == "all":
        found = by_judge(ranked, told, counted)
        return sum(Fraction(one, number) for one, number in found if number) / Fraction(len(found))
    values = []
    for said in told.values():
        level = levels(said)
        considered = [one for one in level if counted != "retrieved" or one in ranked]
        relevant = [one for one in considered if level[one] > 0]
        others = sorted(
            (one for one in considered if level[one] <= 0), key=lambda one: (place(ranked, one), one)
        )
        found = sum(one in ranked for one in relevant)
        lacking = max(0, len(relevant) - len(others))
        dropped = set(others[len(relevant) :])
        pairs = [p for p in preferences(said) if counts(ranked, p, counted) and not dropped & set(p)]
        above = sum(fulfilled(ranked, pair) for pair in pairs) + found * lacking
        below = len(pairs) + len(relevant) * lacking
        values.append(Fraction(above, below) if below else None)
    return None if None in values else sum(values) / Fraction(len(values))


def each(*choices):
    """Every combination of one from each of the choices."""
    made = [{}]
    for some in choices:
        made = [{**one, **more} for one in made for more in some]
    return made


RELS = [{}, {"rel": 2}, {"rel": 0.5}]
CUTS = [{"cutoff": 1}, {"cutoff": 3}, {"cutoff": 20}, {"cutoff": 100}]
SOME_CUTS = [{}, *CUTS]
ALPHAS = [{}, {"alpha": 0.1}, {"alpha": 1}]
NOVEL = [*each(SOME_CUTS, ALPHAS), {"rel": 2}, {"rel": 0.5, "cutoff": 3}]
BETAS = [{}, {"beta": 0.8}]
COUNTED = [{}, {"counted": "touched"}, {"counted": "retrieved"}]
LITERAL = {
    "alpha_DCG": (share_of_most(discounted), NOVEL),
    "alpha_nDCG": (share_of_ideal(discounted), [*NOVEL, {"alpha": 0}]),
    "ERR_IA": (share_of_most(reciprocal), NOVEL),
    "nERR_IA": (share_of_ideal(reciprocal), NOVEL),
    "NRBP": (nrbp, each(ALPHAS, BETAS, RELS)),
    "nNRBP": (normalised_nrbp, each(ALPHAS, BETAS, RELS)),
    "AP_IA": (ap_ia, each(SOME_CUTS, RELS)),
    "P_IA": (p_ia, each(CUTS, RELS)),
    "StRecall": (st_recall, each(SOME_CUTS, RELS)),
    "AP_avgjg": (ap_by_judge, each(SOME_CUTS, RELS)),
    "P_avgjg": (p_by_judge, each(CUTS, RELS)),
    "Rprec_avgjg": (rprec_by_judge, each([{}, {"mult": 0.3}, {"mult": 2}], RELS)),
    "NumPrefs": (num_prefs, COUNTED),
    "NumPrefsFul": (num_prefs_ful, COUNTED),
    "Prefs": (prefs, COUNTED),
    "PairPrefs": (pair_prefs, COUNTED),
    "JudgePrefs": (judge_prefs, each(COUNTED, [{}, {"nonrel": "balanced"}])),
}
PREFERENCES = ["NumPrefs", "NumPrefsFul", "Prefs", "PairPrefs", "JudgePrefs"]
FORMS = [get(name)(**parameters) for name in sorted(LITERAL) for parameters in LITERAL[name][1][:3]]


def compare(name, topics):
    literal, variants = LITERAL[name]
    record = judged_by([ranked for ranked, _ in topics], [told for _, told in topics])
    for parameters in variants:
        measure = get(name)(**parameters)
        values, undefined = measure.evaluate(record)
        expected = [literal(ranked, told, **parameters) for ranked, told in topics]
        assert undefined.tolist() == [one is None for one in expected], measure
        filled = [measure.undefined if one is None else float(one) for one in expected]
        np.testing.assert_allclose(values, filled, rtol=1e-12, atol=1e-13, err_msg=str(measure))


def test_every_measure_that_needs_more_of_the_judgments_is_here():
    assert {name for name in names() if get(name).needs in ("subtopics", "judges", "preferences")} == set(
        LITERAL
    )


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=15)
@given(topics=TOPICS)
def test_a_measure_is_its_formula(name, topics):
    compare(name, topics)


ORDERS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=5).map(sorted),
    min_size=1,
    max_size=3,
)


@st.composite
def partial_orders(draw):
    """Several orders of some of the ids each, which all follow from one order of everything: they cannot contradict."""
    level = {one: draw(st.integers(0, 4)) for one in "abcdefgh"}
    return [{one: level[one] for one in some} for some in draw(ORDERS)]


@pytest.mark.parametrize("name", PREFERENCES)
@settings(deadline=None, max_examples=20)
@given(
    topics=st.lists(
        st.tuples(RANKED, st.dictionaries(st.sampled_from("JKL"), partial_orders(), min_size=1)),
        min_size=1,
        max_size=3,
    )
)
def test_partial_orders_are_completed_by_what_follows_from_them(name, topics):
    compare(name, topics)


def test_what_follows_from_preferences_is_preferred():
    # a over b, b over c, so a over c: the list has c before a
    told = {"Ann": [{"a": 2, "b": 1}, {"b": 5, "c": 4}]}
    assert get("NumPrefs")(judged_by("bca", told)).tolist() == [3]
    assert get("NumPrefsFul")(judged_by("bca", told)).tolist() == [1]  # b over c


def test_the_greedy_ideal_takes_the_document_that_adds_most_then_the_last_id():
    told = {
        "1": dict.fromkeys("abd", 1),
        "2": dict.fromkeys("bc", 1),
        "3": dict.fromkeys("c", 1),
        "4": dict.fromkeys("e", 1),
    }
    subtopics = {name: set(said) for name, said in told.items()}
    # b and c gain 2; c comes last. Then of a b d e: a, d, e gain 1 and b 1 + 1/2; then d before a halved: e 1, a d 1/2.
    assert greedy(subtopics, 0.5) == ["c", "b", "e", "d", "a"]
    best = judged_by("cbeda", told)
    assert get("alpha_nDCG")(best).tolist() == [1.0]
    ranks = best.aspects.ideal(1, alpha=0.5, depth=None)
    assert sorted(ranks.rank.tolist()) == sorted([4, 5, 2, 1, 2, 1, 3])


def test_the_greedy_ideal_need_not_be_the_best():
    # d has four subtopics, so it goes first, and a or b adds one; a and b have three each, all six together
    subtopics = {"a": "123", "b": "456", "d": "1245"}
    told = {name: {one: 1 for one, has in subtopics.items() if name in has} for name in "123456"}
    measure = get("alpha_nDCG")(alpha=1) @ 2
    values = {"".join(two): measure(judged_by(two, told))[0] for two in permutations("abd", 2)}
    assert values["da"] == values["db"] == 1
    assert values["ab"] == pytest.approx((3 + 3 / math.log2(3)) / (4 + 1 / math.log2(3)), rel=1e-15)
    assert 1 < max(values.values()) <= measure.bounds[1]


def test_topics_are_taken_in_blocks_with_the_same_bits(monkeypatch):
    from gainful.judging import greedy

    chance = np.random.default_rng(7)
    told = [
        {
            f"s{s}": {one: int(chance.random() < 0.4) for one in IDS[: chance.integers(1, 11)]}
            for s in range(chance.integers(1, 5))
        }
        for _ in range(40)
    ]
    ranked = [chance.permutation(list(IDS)).tolist() for _ in told]
    whole = get("alpha_nDCG")(judged_by(ranked, told))
    monkeypatch.setattr(greedy, "LARGEST", 200)
    assert same_bits(get("alpha_nDCG")(judged_by(ranked, told)), whole)


def test_many_subtopics_do_not_run_out_of_bits():
    told = {f"{number:03}": {"a" if number % 2 else "b": 1, "c": 1} for number in range(120)}
    values = get("StRecall")(judged_by("a", told))
    assert values.tolist() == [0.5]
    # c has all 120; then b and a have 60 each, of half the worth
    best = 120 + 30 / math.log2(3) + 30 / 2
    assert get("alpha_nDCG")(judged_by("cab", told)) == pytest.approx(1.0)
    assert get("alpha_nDCG")(judged_by("a", told)) == pytest.approx(60 / best)


# ---- what is asked of every measure, on records that have what these need ---------------------------------


def record_of(topics):
    return judged_by([ranked for ranked, _ in topics], [told for _, told in topics])


def same_bits(one, other):
    return one.tobytes() == other.tobytes()


@settings(deadline=None, max_examples=20)
@given(topics=TOPICS)
def test_a_topic_has_the_same_bits_again_alone_and_beside_others(topics):
    record, fresh = record_of(topics), record_of(topics)
    for measure in FORMS:
        values, undefined = measure.evaluate(record)
        low, high = measure.bounds
        assert ((low <= values) & (values <= high)).all(), measure
        assert same_bits(values, measure(fresh)), measure
        for topic in range(len(topics)):
            alone, nothing = measure.evaluate(record.select(topic, topic + 1))
            assert same_bits(alone, values[topic : topic + 1]), measure
            assert nothing == undefined[topic], measure


@settings(deadline=None, max_examples=20)
@given(topics=TOPICS, data=st.data())
def test_some_of_the_topics_keep_their_values(topics, data):
    record = record_of(topics)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(topics), max_size=len(topics))))
    some = keep_topics(record, kept, pool_of_topics(record.pool, kept))
    for measure in FORMS:
        assert same_bits(measure(some), measure(record)[kept]), measure


@settings(deadline=None, max_examples=15)
@given(topics=TOPICS)
def test_condensing_takes_out_what_nobody_judged(topics):
    record = record_of(topics)
    judged = [
        [one for one in ranked if any(one in said for said in told.values())] for ranked, told in topics
    ]
    other = judged_by(judged, [told for _, told in topics])
    for measure in FORMS:
        np.testing.assert_allclose(
            measure(condense(record)), measure(other), rtol=1e-15, err_msg=str(measure)
        )
        assert same_bits(measure(unjudged="condense")(record), measure(condense(record)))


@pytest.mark.parametrize("measure", FORMS, ids=str)
def test_an_empty_list_is_scored(measure):
    told = {"1": {"a": 2, "b": 0}, "2": {"a": 2, "c": 0}}
    values, undefined = measure.evaluate(judged_by([[], "x"], [told, told]))
    assert np.isfinite(values).all()
    if measure.when:
        assert not undefined.any()
        assert values.tolist() == [0, 0]


@pytest.mark.parametrize("measure", FORMS, ids=str)
def test_a_record_without_what_it_needs_is_refused_in_one_sentence(measure):
    with pytest.raises(
        MeasureError, match=r"needs judgments (that name subtopics|that name judges|of preferences)"
    ):
        measure(judged_run([1, 0]))


@pytest.mark.parametrize("measure", [form for form in FORMS if form.needs != "preferences"], ids=str)
def test_preferences_in_parts_are_preferences_and_nothing_else(measure):
    with pytest.raises(MeasureError, match=f"--qrels-by {measure.needs}"):
        measure(judged_by("ab", {"Ann": [{"a": 1, "b": 0}, {"b": 0, "c": 1}]}))


@pytest.mark.parametrize("measure", FORMS, ids=str)
def test_its_name_is_read_back_as_itself(measure):
    assert parse(str(measure)) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure
    for name in measure.trec_names:  # where the level of relevance is not in the name
        assert parse(name) == (measure(rel=1) if "rel" in measure.params else measure)


def test_without_a_cutoff_a_gain_without_end_is_refused():
    record = judged_by("ab", {"1": {"a": 1}})
    for name in ("alpha_DCG", "ERR_IA"):
        with pytest.raises(
            MeasureError, match=f"{name} needs a cutoff: without one its ideal value is unbounded"
        ):
            get(name)(alpha=0)(record)
    with pytest.raises(MeasureError, match="beta must be above 0 and below 1 here; got 2"):
        get("NRBP")(beta=2)(record)


def test_swapping_two_documents_of_one_preference_changes_its_count_by_one():
    told = {"Ann": {one: level for level, one in enumerate("abcd")}}
    for order in permutations("abcd"):
        inversions = sum(order.index(low) < order.index(high) for low, high in combinations("abcd", 2))
        assert get("NumPrefsFul")(judged_by(order, told)).tolist() == [6 - inversions]
