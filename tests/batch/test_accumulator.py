"""Batches add up: exactly, in any order, over processes, inside compiled functions."""

import math
import pickle

import numpy as np
import pytest

from gainful.batch import Accumulator, evaluate
from gainful.errors import MeasureError, UsageError

MEASURES = "nDCG@3, AP, NumRel, AP(summary=geometric)"


def batches(count=4, seed=0):
    chance = np.random.default_rng(seed)
    sizes = chance.integers(1, 6, count)
    return [(chance.random((size, 8)), chance.integers(0, 3, (size, 8))) for size in sizes]


def seen(given):
    kept = Accumulator(MEASURES)
    for scores, grades in given:
        kept.update(scores, grades)
    return kept


def test_the_mean_is_that_of_all_topics_and_not_of_batches():
    given = batches()
    whole = evaluate(
        np.concatenate([one for one, _ in given]), np.concatenate([one for _, one in given]), MEASURES
    )
    found = seen(given).compute()
    assert found["AP"] == math.fsum(whole["AP"]) / len(whole["AP"])
    assert found["NumRel"] == whole["NumRel"].sum()
    logs = np.log(np.maximum(whole["AP"], 1e-5))
    assert found["AP(summary=geometric)"] == pytest.approx(math.exp(logs.mean()), abs=1e-12)


def test_neither_order_nor_dealing_out_changes_a_bit():
    given = batches(6)
    one = seen(given).compute()
    assert seen(given[::-1]).compute() == one
    assert seen(given[:2]).merge(seen(given[2:5]), seen(given[5:])).compute() == one


def test_it_travels_to_other_processes():
    torch = pytest.importorskip("torch")
    given = batches()
    here = seen([(torch.asarray(scores), torch.asarray(grades)) for scores, grades in given[:2]])
    there = pickle.loads(pickle.dumps(here))
    assert isinstance(there.table(), np.ndarray)
    there.merge(seen(given[2:]))
    assert there.compute() == pytest.approx(seen(given).compute(), abs=1e-12)
    assert len(here) == sum(len(scores) for scores, _ in given[:2])


def test_a_table_that_others_gathered_can_be_added():
    given = batches()
    parts = [seen([one]).table() for one in given]
    gathered = Accumulator(MEASURES)
    for part in parts:
        gathered.add(part)
    assert gathered.compute() == seen(given).compute()


def test_a_table_from_elsewhere_is_added_to_values_on_a_device():
    torch = pytest.importorskip("torch")
    given = batches()
    mixed = seen([(torch.asarray(scores), torch.asarray(grades)) for scores, grades in given[:2]])
    mixed.add(seen(given[2:3]).table())
    mixed.update(*map(torch.asarray, given[3]))
    assert mixed.compute() == pytest.approx(seen(given).compute(), abs=1e-12)
    assert len(mixed) == len(seen(given))


def test_it_keeps_a_number_for_each_topic_and_measure_and_no_scores():
    kept = seen(batches())
    assert kept.table().shape == (len(kept), 4)
    assert list(kept.values()) == list(kept.measures)
    kept.reset()
    assert len(kept) == 0
    assert math.isnan(kept.compute()["AP"])
    assert kept.compute()["NumRel"] == 0


def test_padding_and_documents_beyond_go_along():
    kept = Accumulator("R@2, NumRet", unjudged=-1)
    kept.update(
        np.array([[0.3, 0.2, 0.1]]),
        np.array([[1, -1, 1]]),
        mask=np.array([[True, True, False]]),
        beyond=np.array([[1, -1]]),
    )
    assert kept.compute() == {"R@2": 1 / 2, "NumRet": 2}


def test_it_works_under_no_grad_and_keeps_no_graph():
    torch = pytest.importorskip("torch")
    kept = Accumulator("nDCG@2")
    scores = torch.randn(3, 4, requires_grad=True)
    kept.update(scores, torch.ones(3, 4))
    with torch.no_grad():
        kept.update(scores, torch.ones(3, 4))
    assert not kept.table().requires_grad
    assert kept.compute() == {"nDCG@2": pytest.approx(1, abs=1e-6)}


def test_jax_goes_over_batches_in_a_compiled_function_and_the_values_are_added():
    jax = pytest.importorskip("jax")
    chance = np.random.default_rng(3)
    scores, grades = chance.random((5, 4, 8)).astype(np.float32), chance.integers(0, 3, (5, 4, 8))

    @jax.jit
    def epoch(scores, grades):
        def batch(carry, given):
            return carry, evaluate(*given, "nDCG@3, AP")

        return jax.lax.scan(batch, None, (scores, grades))[1]

    kept = Accumulator("nDCG@3, AP")
    kept.add(epoch(jax.numpy.asarray(scores), jax.numpy.asarray(grades)))
    wanted = Accumulator("nDCG@3, AP")
    wanted.update(scores.reshape(20, 8).astype(np.float64), grades.reshape(20, 8))
    assert len(kept) == 20
    assert kept.compute() == pytest.approx(wanted.compute(), abs=1e-5)


def test_what_is_inside_a_compiled_function_cannot_be_kept_and_says_so():
    jax = pytest.importorskip("jax")
    kept = Accumulator("AP")
    with pytest.raises(
        UsageError,
        match="an accumulator cannot be updated in a function compiled by JAX: return the values, and add them outside",
    ):
        jax.jit(kept.update)(jax.numpy.ones((1, 2)), jax.numpy.ones((1, 2)))
    assert len(kept) == 0


def test_values_on_two_devices_meet_in_the_memory_of_the_host():
    class Somewhere(np.ndarray):
        device = "one"

    tables = [np.full((1, 1), worth).view(Somewhere) for worth in (0.25, 0.75)]
    tables[1].device = "two"
    here, there = Accumulator("AP"), Accumulator("AP")
    here.add(tables[0])
    there.add(tables[1])
    assert type(here.merge(there).table()) is np.ndarray
    assert here.compute() == {"AP": (0.25 + 0.75) / 2}


def test_a_measure_that_asks_for_the_best_grade_must_be_told():
    scores, grades = np.array([[0.2, 0.1]]), np.array([[1, 2]])
    with pytest.raises(
        MeasureError, match=r"^ERR@5 needs the best grade of the scale, which may not occur in a batch"
    ):
        Accumulator("ERR@5").update(scores, grades)
    told, named = Accumulator("ERR@5", top=3), Accumulator("ERR(top=3)@5")
    told.update(scores, grades)
    named.update(scores, grades)
    assert told.compute()["ERR@5"] == named.compute()["ERR(top=3)@5"]


def test_what_does_not_belong_together_is_refused():
    kept = Accumulator("AP")
    with pytest.raises(UsageError, match="expected an accumulator of AP; got one of RR"):
        kept.merge(Accumulator("RR"))
    with pytest.raises(UsageError, match="expected an accumulator; got dict"):
        kept.merge({})
    with pytest.raises(UsageError, match="expected an accumulator with top=3; got one with top=4"):
        Accumulator("ERR", top=3).merge(Accumulator("ERR", top=4))
    with pytest.raises(UsageError, match="expected as many values of one measure as of another"):
        Accumulator("AP, RR").add({"AP": np.ones(2), "RR": np.ones(3)})
    with pytest.raises(UsageError, match="expected values by measure, or a table of them; got list"):
        kept.add([1.0])
    with pytest.raises(UsageError, match="expected values of AP; got those of RR"):
        kept.add({"RR": np.ones(2)})
    with pytest.raises(UsageError, match=r"expected topics × 1 measures; got the shape \(2, 3\)"):
        kept.add(np.ones((2, 3)))
