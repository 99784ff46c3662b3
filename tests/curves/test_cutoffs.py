"""Many cutoffs at once: the measure's own text, run once, with the bits of asking for each cutoff alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.curves import by_rank
from gainful.curves import rank_curves as curves_ranks
from gainful.errors import MeasureError
from gainful.judging import judged_by, judged_run
from gainful.judging.cutoffs import ManyCutoffs, OneAtATime, Prefixes
from gainful.judging.ranking import Ranking
from gainful.measures import get, measure, names, parse
from gainful.measures._many import _at_once, at_cutoffs, takes_cutoff

GRADES = st.sampled_from([-1, 0, 0, 0.5, 1, 2, 3])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=25)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=10)), min_size=1, max_size=5)
MORE = [
    "AP(divisor=min)",
    "AP(divisor=retrieved)",
    "nDCG(discount=jk,ideal=retrieved)",
    "nDCG(gain={1:2,2:1})",
]
BY_RANK = [get(name) for name in names() if takes_cutoff(get(name)) and get(name).needs is None]
BY_RANK += [
    parse(text) for text in (*MORE, "RBP(rel=1)", "F(beta=2)", "RR(rel=2)", "nDCG(unjudged=condense)")
]


# Their readers' weights are summed up down to the cutoff, or the last hit is read differently: each rank is asked alone.
ONE_BY_ONE = {"BPM", "INSQ", "INST", "NERR10", "NERR11", "NERR8", "NERR9", "SDCG"}
AT_ONCE = [one for one in BY_RANK if one.name not in ONE_BY_ONE]


def record_of(topics):
    judged = [[grade for grade in ranked if grade is not None] + more for ranked, more in topics]
    return judged_run([ranked for ranked, _ in topics], judged=judged)


def long_record(topics=6, depth=400, seed=4):
    chance = np.random.default_rng(seed)
    lists = [
        [
            None if chance.random() < 0.3 else int(chance.integers(-1, 4))
            for _ in range(chance.integers(0, depth))
        ]
        for _ in range(topics)
    ]
    return record_of([(one, chance.integers(0, 4, 150).tolist()) for one in lists])


def one_by_one(chosen, record, cutoffs):
    found = [(chosen @ int(k)).evaluate(record) for k in cutoffs]
    return np.array([values for values, _ in found]), np.array([undefined for _, undefined in found])


@settings(deadline=None, max_examples=60)
@given(topics=TOPICS, cutoffs=st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_every_measure_has_the_bits_of_each_cutoff_alone(topics, cutoffs):
    record = record_of(topics)
    for chosen in BY_RANK:
        values, undefined = at_cutoffs(chosen, record, cutoffs)
        alone, nothing = one_by_one(chosen, record, cutoffs)
        assert values.tobytes() == alone.tobytes(), chosen
        assert (undefined == nothing).all(), chosen


@pytest.mark.parametrize("chosen", BY_RANK, ids=str)
def test_long_lists_have_the_bits_of_each_cutoff_alone(chosen):
    record, cutoffs = long_record(), [1, 2, 7, 8, 9, 100, 128, 129, 130, 399, 1000]
    values, _ = at_cutoffs(chosen, record, cutoffs)
    assert values.tobytes() == one_by_one(chosen, record, cutoffs)[0].tobytes()


@pytest.mark.parametrize("chosen", AT_ONCE, ids=str)
def test_the_measure_s_text_is_run_once_for_all_ranks(chosen, monkeypatch):
    calls = []
    definition = chosen.definition
    text = definition.function
    monkeypatch.setattr(
        definition, "function", lambda *given, **more: (calls.append(1), text(*given, **more))[1]
    )
    monkeypatch.setattr(type(chosen), "evaluate", None)
    curves_ranks.values_by_rank(chosen, long_record(), 500)
    assert len(calls) == 1


ASPECTS = [
    get(name) for name in names() if takes_cutoff(get(name)) and get(name).needs in ("subtopics", "judges")
]
SUMMED_UP = {
    "alpha_DCG",
    "ERR_IA",
}  # divided by weights that are added up down to the cutoff: each rank is asked alone
TOLD = [
    {"wine": {"a": 1, "c": 2, "e": 1}, "beer": {"c": 1, "d": 1}, "tea": {"q": 1}},
    {"wine": {"b": 1, "f": 1}, "beer": {"c": 0, "a": 2}},
]


@pytest.mark.parametrize("chosen", ASPECTS, ids=str)
def test_measures_by_subtopic_and_judge_have_the_bits_of_each_cutoff_alone(chosen):
    record = judged_by(["axcdeyf", "bca"], TOLD)
    values, undefined = at_cutoffs(chosen, record, range(1, 12))
    alone, nothing = one_by_one(chosen, record, range(1, 12))
    assert values.tobytes() == alone.tobytes()
    assert (undefined == nothing).all()
    assert (_at_once(chosen, record, np.arange(1.0, 12)) is None) == (chosen.name in SUMMED_UP)


def test_topics_in_blocks_have_the_same_bits(monkeypatch):
    record = long_record(topics=7)
    whole, nothing = curves_ranks.values_by_rank(parse("nDCG"), record, 50)
    monkeypatch.setattr(curves_ranks, "_AT_ONCE", 120)  # two topics at a time
    values, undefined = curves_ranks.values_by_rank(parse("nDCG"), record, 50)
    assert values.tobytes() == whole.tobytes()
    assert (undefined == nothing).all()


def test_the_mean_at_each_rank_is_that_of_evaluate():
    record = {f"q{n}": {f"d{m}": (n * m) % 3 for m in range(20)} for n in range(9)}
    run = {f"q{n}": {f"d{(m * 7 + n) % 25}": -float(m) for m in range(25)} for n in range(9)}
    for name in ("nDCG", "AP", "ERR", "R"):
        scores = gainful.evaluate(record, run, [f"{name}@{k}" for k in range(1, 26)])
        curve = by_rank(scores, name, to=25)[0]
        assert curve.values.tolist() == list(scores.mean.values())


def test_a_measure_of_one_s_own_takes_part_as_it_is():
    calls = []

    @measure(bounds=(0, 1))
    def Half(judged, *, cutoff: int | None = None):
        calls.append(1)
        top = judged.cut(cutoff)
        return top.total(where=top.grade >= 1) / (2 * cutoff)

    values, _ = at_cutoffs(Half, judged_run([1, 0, 1]), [1, 2, 3])
    assert values[:, 0].tolist() == [1 / 2, 1 / 4, 2 / 6]
    assert len(calls) == 1


def masks(judged, *, cutoff: int | None = None):
    return judged.total(where=judged.rank <= cutoff)


def branches(judged, *, cutoff: int | None = None):
    return judged.cut(cutoff if cutoff > 2 else 2).total()


def spreads(judged, *, cutoff: int | None = None):
    top = judged.cut(cutoff)
    return top.total(top.each(top.total()))


def sorts(judged, *, cutoff: int | None = None):
    best = judged.cut(cutoff).sorted_by(gainful.measures._gains.linear)
    return best.total(best.grade / best.rank)


def looks_back(judged, *, cutoff: int | None = None):
    top = judged.cut(cutoff)
    return judged.total(top.at(top.running(top.grade), judged))


def wrong_shape(judged, *, cutoff: int | None = None):
    return np.ones(len(judged)) * (1.0 if np.ndim(cutoff) == 0 else np.ones((len(cutoff), 3, len(judged))))


@pytest.mark.parametrize("text", [masks, branches, spreads, sorts, looks_back, wrong_shape])
def test_a_text_that_needs_one_cutoff_is_asked_one_by_one_and_is_right(text):
    chosen = measure(text)
    record = record_of([([1, None, 2, 0, 3], [1]), ([0, 2], [])])
    assert _at_once(chosen, record, np.arange(1.0, 7)) is None
    values, _ = at_cutoffs(chosen, record, range(1, 7))
    assert values.tobytes() == one_by_one(chosen, record, range(1, 7))[0].tobytes()


def test_a_measure_that_ignores_its_cutoff_is_the_same_at_all():
    @measure
    def Same(judged, *, cutoff: int | None = None):
        return judged.total(judged.grade)

    assert at_cutoffs(Same, judged_run([1, 2]), [1, 2])[0].tolist() == [[3.0], [3.0]]


@pytest.mark.parametrize("cutoffs", [[], [0, 1], [2, 1], [1, 1], [[1, 2]]])
def test_cutoffs_rise_from_one(cutoffs):
    with pytest.raises(MeasureError, match="each larger than the one before"):
        at_cutoffs(get("P"), judged_run([1]), cutoffs)


def test_a_measure_without_a_cutoff_is_refused():
    with pytest.raises(MeasureError, match="Bpref has no cutoff"):
        at_cutoffs(get("Bpref"), judged_run([1]), [1])


def test_prefixes_are_cut_further_as_rankings_are():
    ranking = Ranking(np.array([0, 3, 5]), np.array([1.0, 3.0, 4.0, 2.0, 6.0]), np.ones(5))
    prefixes = Prefixes(ranking, np.array([[1.0], [3.0], [9.0]]))
    assert prefixes.total().tolist() == [[1, 0], [2, 1], [3, 2]]
    assert prefixes.cut(None) is prefixes
    assert prefixes.cut(3).total().tolist() == [[1, 0], [2, 1], [2, 1]]
    assert prefixes.cut(np.array([1.0, 6.0])).total().tolist() == [[1, 0], [1, 1], [1, 2]]
    with pytest.raises(OneAtATime):
        prefixes.cut(np.array([[1.0]]))


def test_an_empty_ranking_has_nothing_at_any_cutoff():
    record = ManyCutoffs.of(judged_run([[], []]))
    top = record.cut(np.array([[1.0], [5.0]]))
    assert top.total().tolist() == top.total(top.grade).tolist() == top.most(1.0).tolist() == [[0, 0], [0, 0]]


def test_every_rank_can_be_cut_at_many():
    record = ManyCutoffs.of(judged_run([3, None, 1]))
    assert record.every_rank(np.array([[1.0], [2.0], [9.0]])).total().tolist() == [[1], [2], [3]]
