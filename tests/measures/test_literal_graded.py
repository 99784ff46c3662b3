"""Measures for graded judgments and models of readers against their formulas, one topic in plain Python.

A topic is a ranked list of grades, None where nobody judged, and every judged grade. `best` is the best grade of all
judgments. A transcription gives a number, or None for a topic with nothing to measure. It calls nothing of Gainful.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import get

GRADES = st.sampled_from([-2, -1, 0, 0, 0, 0.5, 1, 1, 1, 1.5, 2, 3, 4])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=14)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=8)), min_size=1, max_size=5)


def gain_of(grade, gain):
    if grade is None or grade < 0:
        return 0
    if isinstance(gain, dict):
        return gain.get(grade, 0)
    return 2**grade - 1 if gain == "exp" else grade


def best_first(judged, gain):
    return sorted((gain_of(grade, gain) for grade in judged), reverse=True)


def blended(gains, ideal, rank, beta):
    relevant = sum(gain > 0 for gain in gains[:rank])
    return (relevant + beta * sum(gains[:rank])) / (rank + beta * sum(ideal[:rank]))


def q_measure(ranked, judged, best, cutoff=None, beta=1, gain="linear"):
    gains, ideal = [gain_of(grade, gain) for grade in ranked], best_first(judged, gain)
    relevant = sum(one > 0 for one in ideal)
    if not relevant:
        return None
    last = len(gains) if cutoff is None else min(cutoff, len(gains))
    summed = sum(blended(gains, ideal, rank, beta) for rank in range(1, last + 1) if gains[rank - 1] > 0)
    return summed / (relevant if cutoff is None else min(relevant, cutoff))


def preferred_rank(gains):
    return gains.index(max(gains)) + 1 if gains and max(gains) > 0 else None


def p_plus(ranked, judged, best, beta=1, gain="linear"):
    gains, ideal = [gain_of(grade, gain) for grade in ranked], best_first(judged, gain)
    if not sum(ideal):
        return None
    last = preferred_rank(gains)
    if last is None:
        return 0
    ratios = [blended(gains, ideal, rank, beta) for rank in range(1, last + 1) if gains[rank - 1] > 0]
    return sum(ratios) / len(ratios)


def p_measure(ranked, judged, best, beta=1, gain="linear"):
    gains, ideal = [gain_of(grade, gain) for grade in ranked], best_first(judged, gain)
    if not sum(ideal):
        return None
    last = preferred_rank(gains)
    return 0 if last is None else blended(gains, ideal, last, beta)


def o_measure(ranked, judged, best, beta=1, gain="linear"):
    gains, ideal = [gain_of(grade, gain) for grade in ranked], best_first(judged, gain)
    if not sum(ideal):
        return None
    for rank, one in enumerate(gains, 1):
        if one > 0:
            return (1 + beta * one) / (rank + beta * sum(ideal[:rank]))
    return 0


def ncu(ranked, judged, best, readers="graded", beta=1, gain="linear", weight=None, gamma=0.95):
    gains, ideal = [gain_of(grade, gain) for grade in ranked], best_first(judged, gain)
    relevant = sum(one > 0 for one in ideal)
    if not relevant:
        return None
    weights = [gain_of(grade, weight or gain) for grade in judged if gain_of(grade, gain) > 0]
    summed, found = 0.0, 0
    for rank, one in enumerate(gains, 1):
        if one <= 0:
            continue
        found += 1
        if readers == "graded":
            stop = gain_of(ranked[rank - 1], weight or gain) / sum(weights) if sum(weights) else 0
        elif readers == "biased":
            stop = gamma ** (found - 1) / sum(gamma**n for n in range(relevant))
        else:
            stop = 1 / relevant
        summed += stop * blended(gains, ideal, rank, beta)
    return summed


def stop_of(grade, stop, top):
    grade = max(grade or 0, 0)
    if isinstance(stop, dict):
        return stop.get(grade, 0)
    grade = min(grade, top)
    return grade / (top + 1) if stop == "linear" else (2**grade - 1) / 2**top


def expected_rr(stops, cutoff):
    summed, going_on = 0.0, 1.0
    for rank, stop in enumerate(stops[:cutoff], 1):
        summed += going_on * stop / rank
        going_on *= 1 - stop
    return summed


def err(ranked, judged, best, cutoff=None, stop="exp", top=None):
    if not any(stop_of(grade, stop, top or best) > 0 for grade in judged):
        return None
    return expected_rr([stop_of(grade, stop, top or best) for grade in ranked], cutoff)


def nerr(ranked, judged, best, cutoff=None, stop="exp", top=None):
    if not any(stop_of(grade, stop, top or best) > 0 for grade in judged):
        return None
    ideal = sorted((stop_of(grade, stop, top or best) for grade in judged), reverse=True)
    return err(ranked, judged, best, cutoff, stop, top) / expected_rr(ideal, cutoff)


def gains_to(ranked, cutoff, best, bottom, top, unjudged):
    """A gain between 0 and 1 for every rank down to the cutoff; the same for all that nobody judged."""
    top = (best or bottom + 1) if top is None else top
    made = [
        unjudged if grade is None or grade < 0 else (min(max(grade, bottom), top) - bottom) / (top - bottom)
        for grade in ranked
    ]
    return (made + [unjudged] * cutoff)[:cutoff]


def read(gains, going_on):
    """What is gained and how many documents are read, when the reader goes on from rank i with probability going_on(i)."""
    reach, gained, cost, so_far = 1.0, 0.0, 0.0, 0.0
    for rank, gain in enumerate(gains, 1):
        so_far += gain
        gained += reach * gain
        cost += reach
        reach *= going_on(rank, gain, so_far)
    return gained, cost


def cwl(going_on, usual=None):
    def literal(ranked, judged, best, cutoff=usual, part="utility", top=None, bottom=0, **parameters):
        if not any(grade > bottom for grade in judged) and part in ("utility", "total"):
            return None

        def step(rank, gain, so_far):
            return going_on(rank, gain, so_far, **parameters)

        gained, cost = read(gains_to(ranked, cutoff, best, bottom, top, 0), step)
        if part in ("total", "cost"):
            return gained if part == "total" else cost
        if part == "utility":
            return gained / cost
        at_best = read(gains_to(ranked, cutoff, best, bottom, top, 1), step)
        return at_best[0] / at_best[1] - gained / cost

    return literal


# how likely a reader goes on from a rank, after this gain and so much in all
sdcg = cwl(lambda rank, *_: math.log2(rank + 1) / math.log2(rank + 2))
insq = cwl(lambda rank, *_, T=1: ((rank + 2 * T - 1) / (rank + 2 * T)) ** 2, 1000)
inst = cwl(lambda rank, _, so_far, T=1: ((rank + 2 * T - so_far - 1) / (rank + 2 * T - so_far)) ** 2, 1000)
bpm = cwl(lambda _, __, so_far, T=1: float(round(so_far, 9) < T))
nerr8 = cwl(lambda _, gain, __: 1 - gain)
nerr9 = cwl(lambda rank, gain, _: rank / (rank + 1) * (1 - gain))
nerr10 = cwl(lambda _, gain, __, p=0.9: p * (1 - gain), 1000)
nerr11 = cwl(lambda rank, gain, _, T=1: ((rank + 2 * T - 1) / (rank + 2 * T)) ** 2 * (1 - gain), 1000)


def overlap(one, other, depth, p):
    return sum(p ** (k - 1) * len(set(one[:k]) & set(other[:k])) / k for k in range(1, depth + 1))


def compatibility(ranked, judged, best, p=0.95, normalize=True):
    names = list(range(len(ranked)))
    grades = dict(enumerate(ranked))
    missed = list(judged)
    for grade in ranked:
        if grade is not None:
            missed.remove(grade)
    grades |= {f"missed {number}": grade for number, grade in enumerate(missed)}
    relevant = [
        name for name, grade in grades.items() if grade is not None and grade > 0
    ]  # retrieved ones first
    ideal = sorted(relevant, key=lambda name: -grades[name])
    if not ideal:
        return None
    depth = max(len(names), len(ideal))
    found = overlap(names, ideal, depth, p)
    return found / (overlap(ideal, ideal, depth, p) if normalize else sum(p**k for k in range(depth)))


def is_relevant(grade, rel):
    return grade is not None and grade >= rel


def accuracy(ranked, judged, best, cutoff=None, rel=1):
    if not any(is_relevant(grade, rel) for grade in judged):
        return None
    seen = [is_relevant(grade, rel) for grade in ranked[:cutoff]]
    pairs = [(i, j) for i in range(len(seen)) for j in range(len(seen)) if seen[i] and not seen[j]]
    if not any(seen):
        return 0
    return Fraction(sum(i < j for i, j in pairs), len(pairs)) if pairs else 1


def fallout(ranked, judged, best, cutoff=None, rel=1, documents=None):
    seen = ranked[:cutoff]
    if documents is None:
        wrong = sum(0 <= grade < rel for grade in judged)
        return Fraction(sum(grade is not None and 0 <= grade < rel for grade in seen), wrong) if wrong else 0
    wrong = documents - sum(is_relevant(grade, rel) for grade in judged)
    return Fraction(sum(not is_relevant(grade, rel) for grade in seen), wrong)


def each(*choices):
    """Every combination of one from each of the choices."""
    made = [{}]
    for some in choices:
        made = [{**one, **more} for one in made for more in some]
    return made


GAINS = [{}, {"gain": "exp"}, {"gain": {0: 0.25, 1: 3, 2: 9, 4: 4.5}}]
RELS = [{}, {"rel": 2}, {"rel": 0}, {"rel": 0.5}]
CUTS = [{"cutoff": 1}, {"cutoff": 3}, {"cutoff": 10}, {"cutoff": 100}]
SOME_CUTS = [{}, *CUTS]
BETAS = [{}, {"beta": 0}, {"beta": 10}]
STOPS = [{}, {"stop": "linear"}, {"stop": {1: 0.5, 2: 0.25, 4: 1}}]
TOPS = [{}, {"top": 2}, {"top": 6}]
PARTS = [{}, {"part": "total"}, {"part": "cost"}, {"part": "residual"}]
SCALES = [{}, {"top": 1}, {"top": 6}, {"top": 3, "bottom": 1}]
WANTED = [{}, {"T": 0.5}, {"T": 2.5}]
READERS = [
    {},
    {"weight": {1: 1, 3: 2}},
    {"readers": "uniform"},
    {"readers": "biased"},
    {"readers": "biased", "gamma": 1},
]
LITERAL = {
    "Q": (q_measure, each(SOME_CUTS, BETAS, GAINS)),
    "Pplus": (p_plus, each(BETAS, GAINS)),
    "Pmeasure": (p_measure, each(BETAS, GAINS)),
    "O": (o_measure, each(BETAS, GAINS)),
    "NCU": (ncu, each(READERS, BETAS, GAINS)),
    "ERR": (err, each(SOME_CUTS, STOPS, TOPS)),
    "nERR": (nerr, each(SOME_CUTS, STOPS, TOPS)),
    "SDCG": (sdcg, each(CUTS, PARTS, SCALES)),
    "INSQ": (insq, each(SOME_CUTS[:4], PARTS, WANTED, SCALES[1:])),
    "INST": (inst, each(SOME_CUTS[:4], PARTS, WANTED, SCALES[1:])),
    "BPM": (bpm, each(CUTS, PARTS, [*WANTED, {"T": 200}], SCALES)),
    "NERR8": (nerr8, each(CUTS, PARTS, SCALES)),
    "NERR9": (nerr9, each(CUTS, PARTS, SCALES)),
    "NERR10": (nerr10, each(SOME_CUTS[:4], PARTS, [{}, {"p": 0.5}], SCALES[1:])),
    "NERR11": (nerr11, each(SOME_CUTS[:4], PARTS, WANTED, SCALES[1:])),
    "Compat": (compatibility, each([{}, {"p": 0.5}, {"p": 0.999}], [{}, {"normalize": False}])),
    "Accuracy": (accuracy, each(SOME_CUTS, RELS)),
    "Fallout": (fallout, each(SOME_CUTS, RELS, [{}, {"documents": 100}])),
}


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=10)
@given(topics=TOPICS)
def test_a_measure_is_its_formula(name, topics):
    literal, variants = LITERAL[name]
    ranked = [grades for grades, _ in topics]
    judged = [[grade for grade in grades if grade is not None] + more for grades, more in topics]
    best = max((grade for grades in judged for grade in grades if grade > 0), default=0)
    record = judged_run(ranked, judged=judged)
    for parameters in variants:
        measure = get(name)(**parameters)
        expected = [literal(one, pool, best, **parameters) for one, pool in zip(ranked, judged, strict=True)]
        values, undefined = measure.evaluate(record)
        assert undefined.tolist() == [one is None for one in expected], measure
        filled = [measure.undefined if one is None else float(one) for one in expected]
        np.testing.assert_allclose(values, filled, rtol=1e-11, atol=1e-12, err_msg=str(measure))


def test_uniform_readers_and_no_gain_make_known_measures_of_each_other():
    record = judged_run([[1, None, 3, 0, 2], [0, 2]], judged=[[3, 3, 2, 1, 0], [2, 1, 0]])
    assert get("NCU")(readers="uniform")(record).tolist() == get("Q")(record).tolist()
    np.testing.assert_allclose(get("Q")(beta=0)(record), get("AP")(record), rtol=1e-15)
    np.testing.assert_allclose(get("O")(beta=0)(record), get("RR")(record), rtol=1e-15)
    np.testing.assert_allclose((get("BPM") @ 1000)(top=0.5)(record), get("RR")(record), rtol=1e-15)


def test_a_scale_must_have_a_length():
    record = judged_run([1, 2])
    with pytest.raises(MeasureError, match="top must be above bottom; got 2 and 2"):
        (get("SDCG") @ 10)(bottom=2)(record)


def test_a_reader_of_inst_wants_something():
    with pytest.raises(MeasureError, match=r"INST: T must be a number, 0\.5 or more; got 0\.25"):
        get("INST")(T=0.25)(judged_run([1]))


def test_a_cutoff_that_would_fill_the_memory_is_refused():
    with pytest.raises(MeasureError, match="cutoff must be 4,194,304 or less here; got 1000000000"):
        (get("SDCG") @ 1_000_000_000)(judged_run([1]))


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"stop": "quick"}, "stop must be exp, linear, or a table such as {1:0.2,2:0.8}; got 'quick'"),
        ({"stop": {1: 2}}, "in a table of stops every chance must be a number, 0 or more and 1 or less"),
        ({"stop": {1: 0.5, "other": "linear"}}, "in a table of stops every chance must be"),
    ],
)
def test_a_stop_is_a_probability(said, wrong):
    with pytest.raises(MeasureError) as fault:
        get("ERR")(**said)
    assert wrong in str(fault.value)


def test_a_part_that_has_a_value_without_gain_is_not_undefined():
    nothing = judged_run([[0, None], [1]], judged=[[0], [1]])
    for part, values in {"cost": [1 + 4 / 9, 1 + 4 / 9], "utility": [0, 1 / (1 + 4 / 9)]}.items():
        found, undefined = (get("INSQ")(part=part) @ 2).evaluate(nothing)
        np.testing.assert_allclose(found, values, rtol=1e-15)
        assert undefined.tolist() == [part == "utility", False]
