"""What each document contributes, for every measure there is: the parts sum to what `evaluate` says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.explaining import parts_of
from gainful.explaining.contributions import contributions_by_topic
from gainful.explaining.tracing import symbols
from gainful.judging import JudgedRun, Ranking, judged_by, judged_run
from gainful.measures import get, measure, names, parse

GRADES = st.sampled_from([-1, 0, 0, 0.5, 1, 2, 3])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=15)
MORE = [
    "AP(divisor=retrieved)@5",
    "nDCG(ideal=retrieved)@6",
    "nDCG(discount=jk,gain={1:2,2:1})",
    "RBP(rel=1)@4",
    "IPrec@0.4",
]
MORE += [
    "Utility(noise=-0.5)",
    "nDCG(unjudged=condense)@4",
    "AP(rel=2)",
    "Rprec(mult=2)",
    "IPrecAvg(points=3)",
]


def forms(name):
    base = get(name)
    if base.needs is not None:
        return []
    at = {"cutoff": 5, "recall": 0.3}.get(base.definition.at)
    taken = base.definition.at in base.definition.parameters
    return ([] if base._lacks else [base]) + ([base @ at] if taken else [])


EVERY = [form for name in names() for form in forms(name)] + [parse(text) for text in MORE]


def record_of(ranked, more=()):
    return judged_run(ranked, judged=[grade for grade in ranked if grade is not None] + list(more))


@settings(deadline=None, max_examples=80)
@given(ranked=LISTS, more=st.lists(GRADES, max_size=8))
def test_the_parts_sum_to_the_value_whatever_the_list(ranked, more):
    record = record_of(ranked, more)
    for chosen in EVERY:
        parts = parts_of(chosen, record)
        value, undefined = chosen.evaluate(record)
        assert parts.value == value[0], chosen
        assert parts.undefined == undefined[0], chosen
        assert math.isclose(
            parts.start + math.fsum(parts.contributions), parts.value, rel_tol=1e-9, abs_tol=1e-12
        ), chosen


SUMS = [
    "P@5",
    "R@5",
    "AP",
    "RR",
    "RBP",
    "ERR",
    "nERR",
    "Bpref",
    "CG",
    "DCG",
    "NCG",
    "nDCG",
    "Rprec",
    "F@5",
    "infAP",
    "Judged@5",
]


@pytest.mark.parametrize("name", SUMS)
def test_a_measure_that_is_a_sum_is_taken_for_one(name):
    record = record_of([3, None, 0, 2, -1, 1, None, 0, 1], [3, 2, 1, 0])
    parts = parts_of(parse(name), record)
    assert (parts.how, parts.start) == ("sum", 0.0)


def test_the_terms_are_those_of_the_formula():
    record = record_of([3, None, 0, 2], [1])
    assert parts_of(parse("AP"), record).contributions == pytest.approx([1 / 1 / 3, 0, 0, 2 / 4 / 3])
    assert parts_of(parse("DCG"), record).contributions == pytest.approx([3 / 1, 0, 0, 2 / np.log2(5)])
    assert parts_of(parse("RR"), record).contributions.tolist() == [1, 0, 0, 0]
    assert parts_of(parse("P@2"), record).contributions.tolist() == [1 / 2, 0, 0, 0]
    assert parts_of(parse("RBP(p=0.5,rel=1)"), record).contributions == pytest.approx(
        [0.5, 0, 0, 0.5 * 0.5**3]
    )


def test_what_is_not_a_sum_is_told_by_how_it_grows():
    parts = parts_of(parse("Utility"), record_of([1, None, 0]))
    assert (parts.how, parts.start, parts.contributions.tolist()) == ("growth", 0, [1, -1, -1])
    residual = parts_of(parse("RBPres(p=0.5)"), record_of([1, None, 0]))
    assert (residual.start, residual.contributions.tolist()) == (1, [-0.5, 0, -0.125])


def test_growth_in_blocks_is_the_same(monkeypatch):
    import gainful.explaining.contributions as module

    record = record_of([1, None, 0, 2, 1, 0, None, 1], [1, 2])
    whole = parts_of(parse("SetAP"), record)
    monkeypatch.setattr(module, "_AT_ONCE", 1)
    assert whole.how == "growth"
    assert parts_of(parse("SetAP"), record).contributions.tolist() == whole.contributions.tolist()


def test_nothing_to_find_contributes_nothing():
    parts = parts_of(parse("AP"), record_of([0, None]))
    assert (parts.undefined, parts.value, parts.start, parts.contributions.tolist()) == (True, 0, 0, [0, 0])


def test_an_empty_list_has_no_parts():
    parts = parts_of(parse("nDCG@10"), record_of([], [2]))
    assert (parts.value, parts.contributions.tolist()) == (0, [])


def test_a_measure_of_one_s_own_is_explained_without_a_word_more():
    @measure(bounds=(0, 1))
    def Early(judged, *, rel: float = 1):
        early = 1 / judged.rank**2
        return judged.total(early, where=judged.grade >= rel)

    record = record_of([1, None, 1])
    assert parts_of(Early, record).contributions.tolist() == [1, 0, 1 / 9]
    assert symbols(Early, record) == {"early": {1: 1.0, 3: 1 / 9}}


def test_names_of_the_text_stand_for_the_run_s_documents_not_for_the_pool_s():
    record = record_of([2, 1], [])  # the pool is as long as the list, and in the same order
    assert "ideal_dcg" not in symbols(parse("nDCGrel"), record)
    assert symbols(parse("G"), record)["gained"] == {1: 2, 2: 2 + 1}
    assert "ideal_worth" not in symbols(parse("G"), record)


def test_names_that_stand_for_topics_are_no_columns():
    record = record_of([1, 1, 0], [])
    for hits in (1, 2, 3):
        assert list(symbols(parse("AP"), record_of([1, 1, 0][:hits]))) == ["relevant", "precision"]
    assert list(symbols(parse("AP"), record)) == ["relevant", "precision"]


ASPECTS = [get(name) for name in names() if get(name).needs in ("subtopics", "judges", "preferences")]


@pytest.mark.parametrize("chosen", [one @ 5 if one._lacks else one for one in ASPECTS], ids=str)
def test_measures_by_subtopic_judge_or_preference_are_explained_too(chosen):
    record = judged_by(
        "axcdeyf", {"wine": {"a": 1, "c": 2, "e": 1}, "beer": {"c": 1, "d": 1}, "tea": {"q": 1}}
    )
    parts = parts_of(chosen, record)
    assert parts.value == chosen(record)[0]
    assert parts.start + math.fsum(parts.contributions) == pytest.approx(parts.value, abs=1e-12)


def test_profiling_goes_on_as_before():
    import sys

    seen = []
    sys.setprofile(lambda *_: seen.append(1))
    try:
        symbols(parse("AP"), record_of([1]))
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)


@settings(deadline=None, max_examples=10)
@given(
    topics=st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=4)), min_size=1, max_size=5),
    depth=st.integers(1, 12),
)
def test_all_topics_at_once_have_the_contributions_of_each_alone(topics, depth):
    record = side_by_side([record_of(ranked, more) for ranked, more in topics])
    for chosen in EVERY:
        at_once = contributions_by_topic(chosen, record, depth)
        assert len(at_once) == len(topics)
        for number, contributions in enumerate(at_once):
            alone = parts_of(chosen, record.select(number, number + 1)).contributions[:depth]
            assert contributions == {
                rank: value for rank, value in enumerate(alone.tolist(), 1) if value != 0
            }, chosen


def side_by_side(records):
    """The records of one topic each as one record of them all."""

    def joined(rankings):
        offsets = np.cumsum([0, *(len(ranking.rank) for ranking in rankings)])
        return (
            offsets,
            *(np.concatenate([getattr(ranking, name) for ranking in rankings]) for name in ("rank", "grade")),
        )

    pools = [record.pool for record in records]
    starts = np.cumsum([0, *(len(pool.rank) for pool in pools)])
    return JudgedRun(
        *joined(records),
        pool=Ranking(*joined(pools)),
        retrieved=np.concatenate([record.retrieved for record in records]),
        present=np.ones(len(records), dtype=bool),
        row=np.concatenate([record.row + start for record, start in zip(records, starts, strict=False)]),
    )
