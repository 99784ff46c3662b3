"""Every measure against its formula, written out for one topic in plain Python.

A topic is a ranked list of grades, None where nobody judged, and every judged grade. `best` is the best grade of all
judgments. A transcription gives a number, or None for a topic with nothing to measure. It calls nothing of Gainful.
"""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.judging import judged_run
from gainful.measures import get, names

GRADES = st.sampled_from([-2, -1, 0, 0, 0, 0.5, 1, 1, 1, 1.5, 2, 3, 4])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=14)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=8)), min_size=1, max_size=5)


def is_relevant(grade, rel):
    return grade is not None and grade >= rel


def count(grades, rel):
    return sum(is_relevant(grade, rel) for grade in grades)


def gain_of(grade, gain):
    if grade is None or grade < 0:
        return 0
    if isinstance(gain, dict):
        return gain.get(grade, grade if gain.get("other") == "linear" else 0)
    return 2**grade - 1 if gain == "exp" else grade


def discount_of(rank, discount, base):
    if discount == "jk":
        return 1 if rank < base else math.log(rank, base)
    return math.log(rank + 1, base)


def dcg(grades, cutoff, gain="linear", discount="log", base=2):
    pairs = enumerate(grades[:cutoff], 1)
    return sum(gain_of(grade, gain) / discount_of(rank, discount, base) for rank, grade in pairs)


def sorted_by_gain(grades, gain):
    return sorted(grades, key=lambda grade: gain_of(grade, gain), reverse=True)


def num_q(ranked, judged, best):
    return 1


def num_ret(ranked, judged, best, rel=None):
    return len(ranked) if rel is None else count(ranked, rel)


def num_rel(ranked, judged, best, rel=1):
    return count(judged, rel)


def num_rel_ret(ranked, judged, best, rel=1):
    return count(ranked, rel)


def num_nonrel_judged_ret(ranked, judged, best, rel=1):
    return sum(grade is not None and 0 <= grade < rel for grade in ranked)


def precision(ranked, judged, best, cutoff, rel=1):
    return Fraction(count(ranked[:cutoff], rel), cutoff) if count(judged, rel) else None


def recall(ranked, judged, best, cutoff, rel=1):
    return Fraction(count(ranked[:cutoff], rel), count(judged, rel)) if count(judged, rel) else None


def harmonic(p, r, beta):
    return 0 if p == 0 or r == 0 else (1 + beta**2) * p * r / (beta**2 * p + r)


def f_measure(ranked, judged, best, cutoff, beta=1, rel=1):
    if not count(judged, rel):
        return None
    found = count(ranked[:cutoff], rel)
    return harmonic(Fraction(found, cutoff), Fraction(found, count(judged, rel)), beta)


def success(ranked, judged, best, cutoff, rel=1):
    return float(any(is_relevant(grade, rel) for grade in ranked[:cutoff])) if count(judged, rel) else None


def set_precision(ranked, judged, best, rel=1):
    if not count(judged, rel):
        return None
    return Fraction(count(ranked, rel), len(ranked)) if ranked else 0


def set_recall(ranked, judged, best, rel=1):
    return Fraction(count(ranked, rel), count(judged, rel)) if count(judged, rel) else None


def set_f(ranked, judged, best, beta=1, rel=1):
    if not count(judged, rel):
        return None
    return harmonic(set_precision(ranked, judged, best, rel), set_recall(ranked, judged, best, rel), beta)


def set_ap(ranked, judged, best, rel=1):
    if not count(judged, rel):
        return None
    return set_precision(ranked, judged, best, rel) * set_recall(ranked, judged, best, rel)


def set_relative_precision(ranked, judged, best, rel=1):
    if not count(judged, rel):
        return None
    return Fraction(count(ranked, rel), min(len(ranked), count(judged, rel))) if ranked else 0


def relative_precision(ranked, judged, best, cutoff, rel=1):
    if not count(judged, rel):
        return None
    return Fraction(count(ranked[:cutoff], rel), min(cutoff, count(judged, rel)))


def r_precision(ranked, judged, best, mult=1, rel=1):
    if not count(judged, rel):
        return None
    n = math.ceil(Fraction(repr(mult)) * count(judged, rel))
    return Fraction(count(ranked[:n], rel), n)


def average_precision(ranked, judged, best, cutoff=None, rel=1, divisor="relevant"):
    if not count(judged, rel):
        return None
    ranks = [rank for rank, grade in enumerate(ranked[:cutoff], 1) if is_relevant(grade, rel)]
    summed = sum(Fraction(number, rank) for number, rank in enumerate(ranks, 1))
    everything = count(judged, rel)
    least = everything if cutoff is None else min(everything, cutoff)
    out_of = {"relevant": everything, "min": least, "retrieved": len(ranks)}[divisor]
    return summed / out_of if out_of else 0


def reciprocal_rank(ranked, judged, best, cutoff=None, rel=1):
    if not count(judged, rel):
        return None
    ranks = [rank for rank, grade in enumerate(ranked[:cutoff], 1) if is_relevant(grade, rel)]
    return Fraction(1, ranks[0]) if ranks else 0


def interpolated(ranked, judged, level, rel):
    needed = math.ceil(level * count(judged, rel))
    reached = [
        Fraction(count(ranked[:n], rel), n)
        for n in range(1, len(ranked) + 1)
        if count(ranked[:n], rel) >= needed
    ]
    return max(reached, default=0)


def interpolated_precision(ranked, judged, best, recall, rel=1):
    return interpolated(ranked, judged, Fraction(repr(recall)), rel) if count(judged, rel) else None


def interpolated_average(ranked, judged, best, points=11, levels=None, rel=1):
    if not count(judged, rel):
        return None
    asked = [Fraction(repr(level)) for level in levels or ()] or [
        Fraction(n, points - 1) for n in range(points)
    ]
    return sum(interpolated(ranked, judged, level, rel) for level in asked) / Fraction(len(asked))


def binary_preference(ranked, judged, best, rel=1):
    relevant = count(judged, rel)
    if not relevant:
        return None
    others = sum(0 <= grade < rel for grade in judged)
    summed, above = 0, 0
    for grade in ranked:
        if grade is None or grade < 0:
            continue
        if grade < rel:
            above += 1
        else:
            summed += 1 - Fraction(min(above, relevant), min(others, relevant)) if above else 1
    return summed / Fraction(relevant)


def inferred_ap(ranked, judged, best, rel=1):
    if not count(judged, rel):
        return None
    small = 0.00001
    summed, relevant, others, not_drawn = 0.0, 0, 0, 0
    for rank, grade in enumerate(ranked, 1):
        if grade is None:
            continue
        if grade < 0:
            not_drawn += 1
        elif grade < rel:
            others += 1
        else:
            if rank == 1:
                summed += 1
            else:
                pooled_above = (relevant + others + not_drawn) / (rank - 1)
                relevant_above = (relevant + small) / (relevant + others + 2 * small)
                summed += 1 / rank + (rank - 1) / rank * pooled_above * relevant_above
            relevant += 1
    return summed / count(judged, rel)


def cumulated_gain(ranked, judged, best, cutoff=None, gain="linear"):
    return sum(gain_of(grade, gain) for grade in ranked[:cutoff])


def discounted_gain(ranked, judged, best, cutoff=None, gain="linear", discount="log", base=2):
    return dcg(ranked, cutoff, gain, discount, base)


def to_gain(judged, gain):
    return sum(gain_of(grade, gain) for grade in judged)


def normalised_gain(ranked, judged, best, cutoff=None, gain="linear", ideal="judged"):
    if not to_gain(judged, gain):
        return None
    order = sorted_by_gain(judged if ideal == "judged" else ranked, gain)
    most = cumulated_gain(order, judged, best, cutoff, gain)
    return cumulated_gain(ranked, judged, best, cutoff, gain) / most if most else 0


def ndcg(ranked, judged, best, cutoff=None, gain="linear", discount="log", base=2, ideal="judged"):
    if not to_gain(judged, gain):
        return None
    most = dcg(sorted_by_gain(judged if ideal == "judged" else ranked, gain), cutoff, gain, discount, base)
    return dcg(ranked, cutoff, gain, discount, base) / most if most else 0


def ndcg_at_changes(ranked, judged, best, gain="linear", rel=1):
    if not count(judged, rel):
        return None
    order = sorted_by_gain(judged, gain)
    gains = [gain_of(grade, gain) for grade in order] + [0]
    points = [n for n in range(1, len(order) + 1) if gains[n - 1] > 0 and gains[n] < gains[n - 1]]
    if len(ranked) > sum(one > 0 for one in gains) + 1:
        points.append(max(len(ranked), len(order)))
    if not to_gain(judged, gain):
        return 0
    return sum(dcg(ranked, n, gain) / dcg(order, n, gain) for n in points) / len(points)


def ndcg_at_relevant(ranked, judged, best, gain="linear"):
    if not to_gain(judged, gain):
        return None
    order = sorted_by_gain(judged, gain)
    everything = sum(gain_of(grade, gain) > 0 for grade in judged)
    ranks = [rank for rank, grade in enumerate(ranked, 1) if gain_of(grade, gain) > 0]
    found = sum(dcg(ranked, rank, gain) / dcg(order, rank, gain) for rank in ranks)
    at_the_end = dcg(ranked, None, gain) / dcg(order, None, gain)
    return (found + (everything - len(ranks)) * at_the_end) / everything


def normalised_g(ranked, judged, best, gain="linear"):
    if not to_gain(judged, gain):
        return None
    ideal = [gain_of(grade, gain) for grade in sorted_by_gain(judged, gain)]
    summed, cost, gained = 0.0, 0.0, 0.0
    for rank, grade in enumerate(ranked, 1):
        cost += max(1, ideal[rank - 1] if rank <= len(ideal) else 0)
        gained += gain_of(grade, gain)
        summed += gain_of(grade, gain) / math.log2(2 + cost - gained)
    return summed / sum(ideal)


def binary_g(ranked, judged, best, rel=1):
    if not count(judged, rel):
        return None
    summed, others = 0.0, 0
    for grade in ranked:
        if is_relevant(grade, rel):
            summed += 1 / math.log2(2 + others)
        else:
            others += 1
    return summed / count(judged, rel)


def rank_biased_precision(ranked, judged, best, cutoff=None, p=0.8, rel=None, top=None):
    if not (count(judged, rel) if rel is not None else any(grade > 0 for grade in judged)):
        return None
    whole = top or best

    def gain(grade):
        if rel is not None:
            return float(is_relevant(grade, rel))
        return 0 if grade is None or grade < 0 else min(grade, whole) / whole

    return sum((1 - p) * p ** (rank - 1) * gain(grade) for rank, grade in enumerate(ranked[:cutoff], 1))


def rank_biased_residual(ranked, judged, best, cutoff=None, p=0.8):
    end = len(ranked[:cutoff])
    unjudged = [rank for rank, grade in enumerate(ranked[:cutoff], 1) if grade is None or grade < 0]
    return sum((1 - p) * p ** (rank - 1) for rank in unjudged) + p**end


def expected_rr(grades, cutoff, top):
    summed, going_on = 0.0, 1.0
    for rank, grade in enumerate(grades[:cutoff], 1):
        stop = (2 ** min(max(grade or 0, 0), top) - 1) / 2**top
        summed += going_on * stop / rank
        going_on *= 1 - stop
    return summed


def err(ranked, judged, best, cutoff=None, top=None):
    return expected_rr(ranked, cutoff, top or best) if any(grade > 0 for grade in judged) else None


def nerr(ranked, judged, best, cutoff=None, top=None):
    if not any(grade > 0 for grade in judged):
        return None
    ideal = sorted(judged, reverse=True)
    return expected_rr(ranked, cutoff, top or best) / expected_rr(ideal, cutoff, top or best)


def share_judged(ranked, judged, best, cutoff=None):
    seen = ranked[:cutoff]
    return Fraction(sum(grade is not None and grade >= 0 for grade in seen), len(seen)) if seen else 0


def share_unjudged(ranked, judged, best, cutoff):
    return Fraction(sum(grade is None or grade < 0 for grade in ranked[:cutoff]), cutoff)


def utility(ranked, judged, best, found=1, noise=-1, missed=0, avoided=0, documents=None, rel=1):
    a = count(ranked, rel)
    b = len(ranked) - a
    c = count(judged, rel) - a
    d = (documents or 0) - a - b - c
    return found * a + noise * b + missed * c + avoided * d


LINEAR, EXP = {}, {"gain": "exp"}
TABLE = {"gain": {0: 0.25, 1: 3, 2: 9, 4: 4.5}}
MOSTLY = {"gain": {1: 2.5, 2: 0, "other": "linear"}}
GAINS = [LINEAR, EXP, TABLE, MOSTLY]
RELS = [{}, {"rel": 2}, {"rel": 0}, {"rel": 0.5}]
CUTS = [{"cutoff": 1}, {"cutoff": 3}, {"cutoff": 10}, {"cutoff": 100}]
SOME_CUTS = [{}, *CUTS]


def each(*choices):
    """Every combination of one from each of the choices."""
    made = [{}]
    for some in choices:
        made = [{**one, **more} for one in made for more in some]
    return made


IDEALS = [{}, {"ideal": "retrieved"}]
DISCOUNTS = [{}, {"discount": "jk"}, {"discount": "jk", "base": 3}, {"base": 10}]
BETAS = [{}, {"beta": 2}, {"beta": 0.5}, {"beta": 0}]
TOPS = [{}, {"top": 2}, {"top": 6}]
LITERAL = {
    "NumQ": (num_q, [{}]),
    "NumRet": (num_ret, [{}, {"rel": 1}]),
    "NumRel": (num_rel, RELS),
    "NumRelRet": (num_rel_ret, RELS),
    "NumNonrelJudgedRet": (num_nonrel_judged_ret, RELS),
    "P": (precision, each(CUTS, RELS)),
    "R": (recall, each(CUTS, RELS)),
    "F": (f_measure, each(CUTS, BETAS, RELS)),
    "Success": (success, each(CUTS, RELS)),
    "SetP": (set_precision, RELS),
    "SetR": (set_recall, RELS),
    "SetF": (set_f, each(BETAS, RELS)),
    "SetAP": (set_ap, RELS),
    "SetRelP": (set_relative_precision, RELS),
    "RelP": (relative_precision, each(CUTS, RELS)),
    "Rprec": (r_precision, each([{}, {"mult": 0.2}, {"mult": 0.35}, {"mult": 2}], RELS)),
    "AP": (average_precision, each(SOME_CUTS, RELS, [{}, {"divisor": "min"}, {"divisor": "retrieved"}])),
    "RR": (reciprocal_rank, each(SOME_CUTS, RELS)),
    "IPrec": (
        interpolated_precision,
        each([{"recall": one} for one in (0, 0.1, 0.3, 0.7, 1, 0.123456789)], RELS),
    ),
    "IPrecAvg": (
        interpolated_average,
        each([{}, {"points": 3}, {"points": 4}, {"levels": (0.25, 0.5, 0.75)}], RELS),
    ),
    "Bpref": (binary_preference, RELS),
    "infAP": (inferred_ap, RELS),
    "CG": (cumulated_gain, each(SOME_CUTS, GAINS)),
    "DCG": (discounted_gain, each(SOME_CUTS, GAINS, DISCOUNTS)),
    "NCG": (normalised_gain, each(SOME_CUTS, GAINS, IDEALS)),
    "nDCG": (ndcg, each(SOME_CUTS, GAINS, DISCOUNTS, IDEALS)),
    "Rndcg": (ndcg_at_changes, each(GAINS, RELS)),
    "nDCGrel": (ndcg_at_relevant, GAINS),
    "G": (normalised_g, GAINS),
    "binG": (binary_g, RELS),
    "RBP": (rank_biased_precision, each(SOME_CUTS, [{}, {"p": 0.5}, {"p": 0.95}], [*RELS, *TOPS])),
    "RBPres": (rank_biased_residual, each(SOME_CUTS, [{}, {"p": 0.5}])),
    "ERR": (err, each(SOME_CUTS, TOPS)),
    "nERR": (nerr, each(SOME_CUTS, TOPS)),
    "Judged": (share_judged, SOME_CUTS),
    "Unjudged": (share_unjudged, CUTS),
    "Utility": (
        utility,
        each([{}, {"found": 2, "noise": -0.5, "missed": -1}, {"avoided": 0.1, "documents": 100}], RELS),
    ),
}


def test_every_measure_has_a_transcription_here_or_in_another_file():
    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert [name for name in names() if f'    "{name}": (' not in texts] == []


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=25)
@given(topics=TOPICS)
def test_a_measure_is_its_formula(name, topics):
    literal, variants = LITERAL[name]
    ranked = [grades for grades, _ in topics]
    judged = [[grade for grade in grades if grade is not None] + more for grades, more in topics]
    best = max((grade for grades in judged for grade in grades if grade > 0), default=0)
    record = judged_run(ranked, judged=judged)
    for parameters in variants:
        measure = get(name)(**parameters)
        values, undefined = measure.evaluate(record)
        expected = [literal(one, pool, best, **parameters) for one, pool in zip(ranked, judged, strict=True)]
        assert undefined.tolist() == [one is None for one in expected], measure
        filled = [measure.undefined if one is None else float(one) for one in expected]
        np.testing.assert_allclose(values, filled, rtol=1e-12, atol=1e-13, err_msg=str(measure))
