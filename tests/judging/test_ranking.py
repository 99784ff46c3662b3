"""The operations of a ranking against plain loops over its topics."""

import gc
import math
import weakref
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.judging import JudgedRun, Ranking, judged_run, log2, namespace, ratio, share
from gainful.judging.topic_blocks import blocks_of
from gainful.measures._gains import Table, exp, linear

TOPIC = st.lists(st.tuples(st.integers(1, 3), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])), max_size=12)
TOPICS = st.lists(TOPIC, min_size=1, max_size=6)
fast = settings(deadline=None, max_examples=80)


def made(topics):
    """A ranking of (gap to the rank before, grade) pairs, and the same as a list of lists of (rank, grade)."""
    lists = []
    for topic in topics:
        rank, hits = 0, []
        for gap, grade in topic:
            rank += gap
            hits.append((float(rank), grade))
        lists.append(hits)
    offsets = np.cumsum([0, *map(len, lists)])
    ranks = np.array([rank for hits in lists for rank, _ in hits])
    grades = np.array([grade for hits in lists for _, grade in hits])
    return Ranking(offsets, ranks, grades), lists


def by_hit(lists, function):
    return [one for hits in lists for one in function(hits)]


@fast
@given(topics=TOPICS)
def test_total_and_most_are_sums_and_maxima_of_each_topic(topics):
    ranking, lists = made(topics)
    x = ranking.grade**2 / ranking.rank
    where = ranking.grade >= 1
    sums = [math.fsum(grade**2 / rank for rank, grade in hits) for hits in lists]
    np.testing.assert_allclose(ranking.total(x), sums, rtol=1e-14)
    assert ranking.total().tolist() == [len(hits) for hits in lists]
    assert ranking.total(2.5).tolist() == [2.5 * len(hits) for hits in lists]
    assert ranking.total(where=where).tolist() == [sum(grade >= 1 for _, grade in hits) for hits in lists]
    assert ranking.total(where).tolist() == ranking.total(where=where).tolist()
    assert ranking.total(3.0, where=where).tolist() == [
        3 * sum(grade >= 1 for _, grade in hits) for hits in lists
    ]
    assert ranking.most(x).tolist() == [max((g**2 / r for r, g in hits), default=0) for hits in lists]
    assert ranking.most(1.0).tolist() == [float(bool(hits)) for hits in lists]
    chosen = [max((1 / rank for rank, grade in hits if grade >= 1), default=0) for hits in lists]
    assert ranking.most(1 / ranking.rank, where=where).tolist() == chosen


@fast
@given(topics=TOPICS)
def test_what_lies_outside_where_does_not_matter_even_if_it_is_not_a_number(topics):
    ranking, lists = made(topics)
    where = ranking.grade > 0
    x = np.where(where, ranking.grade, np.nan)
    assert ranking.total(x, where=where).tolist() == [sum(g for _, g in hits if g > 0) for hits in lists]
    assert ranking.most(x, where=where).tolist() == [
        max((g for _, g in hits if g > 0), default=0) for hits in lists
    ]


@fast
@given(topics=TOPICS)
def test_running_and_surviving_go_down_each_topic_alone(topics):
    ranking, lists = made(topics)

    def sums(hits):
        so_far, seen = 0.0, []
        for rank, grade in hits:
            so_far += grade / rank
            seen.append(so_far)
        return seen

    def products(hits):
        left, seen = 1.0, []
        for rank, _ in hits:
            seen.append(left)
            left *= 1.0 - 1 / (rank + 1)
        return seen

    assert ranking.running(ranking.grade / ranking.rank).tolist() == by_hit(lists, sums)
    assert ranking.surviving(1 / (ranking.rank + 1)).tolist() == by_hit(lists, products)
    counted = by_hit(
        lists, lambda hits: [sum(grade >= 1 for _, grade in hits[: n + 1]) for n in range(len(hits))]
    )
    assert ranking.running(ranking.grade >= 1).tolist() == counted
    assert ranking.each(np.arange(len(lists))).tolist() == [n for n, hits in enumerate(lists) for _ in hits]


@fast
@given(topics=TOPICS, k=st.integers(1, 20), data=st.data())
def test_cut_keeps_the_ranks_down_to_k(topics, k, data):
    ranking, lists = made(topics)
    assert ranking.cut(None) is ranking
    assert ranking.cut(1000) is ranking
    assert ranking.cut(k) is ranking.cut(k)
    kept = ranking.cut(k)
    assert kept.rank.tolist() == by_hit(lists, lambda hits: [rank for rank, _ in hits if rank <= k])
    assert kept.grade.tolist() == by_hit(lists, lambda hits: [grade for rank, grade in hits if rank <= k])
    assert kept.total().tolist() == [sum(rank <= k for rank, _ in hits) for hits in lists]
    own = data.draw(st.lists(st.integers(0, 20), min_size=len(lists), max_size=len(lists)))
    kept = ranking.cut(np.array(own, dtype=float))
    assert kept.total().tolist() == [sum(r <= k for r, _ in hits) for hits, k in zip(lists, own, strict=True)]


@fast
@given(
    pairs=st.lists(st.tuples(TOPIC, TOPIC), min_size=1, max_size=5),
    ahead=st.integers(0, 2),
    dense=st.booleans(),
)
def test_at_is_the_last_value_down_to_the_ranks_of_another_ranking(pairs, ahead, dense):
    mine = [[(1, grade) for _, grade in one] for one, _ in pairs] if dense else [one for one, _ in pairs]
    ranking, lists = made(mine)
    other, others = made([one for _, one in pairs])
    expected = [
        next((grade + 5 for mine, grade in reversed(hits) if mine <= rank + ahead), 0.0)
        for hits, there in zip(lists, others, strict=True)
        for rank, _ in there
    ]
    assert ranking.at(ranking.grade + 5, other, ahead=ahead).tolist() == expected


@fast
@given(topics=TOPICS)
def test_the_ideal_has_the_best_gain_first_and_ranks_from_one(topics):
    ranking, lists = made(topics)
    table = Table({0: 2, 2: 1})
    worth = {0.0: 2, 2.0: 1}
    record = JudgedRun(
        ranking.offsets,
        ranking.rank,
        ranking.grade,
        pool=Ranking.best_first(ranking.offsets, ranking.grade),
        retrieved=np.array([hits[-1][0] if hits else 0.0 for hits in lists]),
        present=np.ones(len(lists), bool),
    )
    for ideal in (record.ideal(linear), record.ideal(exp), record.ideal(linear, of="retrieved")):
        assert ideal.grade.clip(0).tolist() == by_hit(
            lists, lambda hits: sorted((max(grade, 0) for _, grade in hits), reverse=True)
        )
        assert ideal.rank.tolist() == by_hit(lists, lambda hits: range(1, len(hits) + 1))
    assert record.ideal(linear) is record.pool
    for ideal in (record.ideal(table), record.ideal(table, of="retrieved")):
        assert table(ideal.grade).tolist() == by_hit(
            lists, lambda hits: sorted((worth.get(grade, 0) for _, grade in hits), reverse=True)
        )
    assert record.ideal(table) is record.ideal(Table({2: 1, 0: 2}))


def test_every_rank_has_unjudged_documents_too():
    record = judged_run([[1, None, 0], [], [None, 2]], retrieved=[3, 0, 4])
    whole = record.every_rank()
    assert whole.offsets.tolist() == [0, 3, 3, 7]
    assert whole.rank.tolist() == [1, 2, 3, 1, 2, 3, 4]
    assert whole.grade.tolist() == [1, -np.inf, 0, -np.inf, 2, -np.inf, -np.inf]
    assert record.every_rank(2).grade.tolist() == [1, -np.inf, -np.inf, 2]
    assert linear(whole.grade).tolist() == [1, 0, 0, 0, 2, 0, 0]


def test_counts_and_topics_with_nothing_to_find():
    record = judged_run([[0], [1]], judged=[[0, -1], [2, 1, 0]])
    assert record.count(1).tolist() == [0, 2]
    assert record.count(0).tolist() == [1, 3]
    assert record.nothing_relevant(1).tolist() == [True, False]
    assert record.nothing_relevant(3).tolist() == [True, True]
    assert record.nothing_relevant(None).tolist() == [True, False]
    assert record.nothing_to_gain(linear).tolist() == [True, False]
    assert record.nothing_to_gain(Table({0: 1})).tolist() == [False, False]


def test_a_block_of_topics_keeps_its_hits_its_pool_and_the_best_grade_of_all():
    record = judged_run([[4], [1, None, 0], [2]], judged=[[4, 3], [1, 1, 0], [2]])
    block = record.select(1, 3)
    assert block.offsets.tolist() == [0, 2, 3]
    assert block.rank.tolist() == [1, 3, 1]
    assert block.grade.tolist() == [1, 0, 2]
    assert block.pool.grade.tolist() == [1, 1, 0, 2]
    assert block.retrieved.tolist() == [3, 1]
    assert block.count(1).tolist() == [2, 1]
    assert (record.top, block.top, block.pool.top) == (4, 4, 4)
    assert record.select(1, 3).pool is block.pool
    assert block.first.tolist() == block.rank.tolist()


def test_the_best_grade_is_zero_where_nothing_is_above_zero():
    assert judged_run([-1, 0]).top == 0
    assert judged_run([]).top == 0
    assert judged_run([1], top=3).top == 3


def test_a_judged_run_made_by_hand():
    record = judged_run([0, 3, 1], judged=[3, 2, 1])
    assert record.pool.grade.tolist() == [3, 2, 1, 0]  # the 0 that was retrieved is judged too
    assert record.rank.tolist() == [1, 2, 3]
    assert record.retrieved.tolist() == [3]
    missing = judged_run([[1], []], judged=[[1], [1]], present=[True, False], retrieved=[7, 0])
    assert missing.present.tolist() == [True, False]
    assert missing.retrieved.tolist() == [7, 0]
    assert len(missing) == 2
    assert repr(missing) == "<JudgedRun: 2 topics, 1 hits>"
    assert missing.row.tolist() == [0]
    assert missing.last.tolist() == [1]


@pytest.mark.parametrize("below", [np.array([0.0, 2.0])])
def test_ratio_has_no_value_and_share_is_zero_where_there_is_nothing_to_divide_by(below):
    above = np.array([0.0, 1.0])
    np.testing.assert_array_equal(ratio(above, below), [np.nan, 0.5])
    np.testing.assert_array_equal(share(above, below), [0.0, 0.5])


def test_a_namespace_is_asked_of_an_array_that_is_not_numpys():
    class Other:
        def __array_namespace__(self):
            return math

    assert namespace(np.ones(1)) is np
    assert namespace(Other()) is math


@pytest.mark.parametrize("lengths", [[1], [300], [0, 1, 2, 3, 0], [5] * 300, [1, 1000, 3, 0, 17] * 40])
def test_a_topic_has_the_same_bits_alone_and_beside_others(lengths):
    chance = np.random.default_rng(7)
    offsets = np.cumsum([0, *lengths])
    rank = np.concatenate([np.cumsum(chance.integers(1, 4, length)) for length in lengths]).astype(float)
    ranking = Ranking(offsets, rank, chance.random(len(rank)))

    def worked_out(one):
        x = one.grade / np.log2(one.rank + 1)
        return one.total(x), one.running(x), one.surviving(one.grade), one.most(x), one.cut(50).total()

    together = worked_out(ranking)
    for topic, (start, stop) in enumerate(pairwise(offsets)):
        places = [slice(topic, topic + 1), slice(start, stop), slice(start, stop)]
        places += [slice(topic, topic + 1), slice(topic, topic + 1)]
        alone = worked_out(ranking.select(topic, topic + 1))
        for own, all_of_them, place in zip(alone, together, places, strict=True):
            assert own.tobytes() == all_of_them[place].tobytes()


def test_padding_is_bounded_when_one_topic_is_much_longer_than_the_others():
    lengths = [100_000] + [3] * 1000
    offsets = np.cumsum([0, *lengths])
    ranking = Ranking(offsets, np.concatenate([np.arange(1.0, n + 1) for n in lengths]), np.ones(offsets[-1]))
    assert ranking.running(ranking.grade)[99_999] == 100_000
    assert blocks_of(ranking)[2] <= 2 * offsets[-1]


def test_judgments_that_serve_for_long_do_not_gather_every_cutoff_they_were_ever_cut_at():
    ranking = Ranking(np.array([0, 500]), np.arange(1.0, 501), np.ones(500))
    for k in (*range(1, 500), *range(1, 500)):
        assert len(ranking.cut(k).rank) == k
    assert len(ranking._memo) <= 64


def test_a_record_is_freed_as_soon_as_it_is_let_go():
    class Watched(Ranking):
        __slots__ = ("__weakref__",)

    ranking = Watched(np.array([0, 1]), np.ones(1), np.ones(1))
    assert ranking.cut(5) is ranking
    seen = weakref.ref(ranking)
    gc.disable()
    try:
        del ranking
        assert seen() is None
    finally:
        gc.enable()


def test_logarithms_are_those_of_the_c_library_in_any_shape():
    """Those looked up, those beyond the table, and what is no whole number."""
    numbers = [0.0, 0.5, 1.0, 3.0, 1622.0, 4095.0, 4096.0, 4095.5, 1e300, math.inf]
    wanted = [-math.inf if number == 0 else math.log2(number) for number in numbers]
    assert log2(np.array(numbers)).tolist() == wanted
    square = np.array(numbers[:9]).reshape(3, 3)
    assert log2(square.T).tolist() == np.array(wanted[:9]).reshape(3, 3).T.tolist()
    assert np.isnan(log2(np.array([-1.0, math.nan]))).all()
    assert log2(np.ones(2, np.float32)).dtype == np.float32
    assert log2(np.array([1621, 3])).tolist() == [math.log2(1621), math.log2(3)]
