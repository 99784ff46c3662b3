"""Values on dense arrays are those of judged runs, for every measure that there is, in every library."""

import itertools
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gainful.batch import evaluate
from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import get, names, parse

NEEDED = {"cutoff": (1, 3, 20), "recall": (0, 0.3, 1)}
CLOSE = {np.float64: 1e-12, np.float32: 1e-5}


def forms(name):
    """The measure with its defaults, at several cutoffs or levels, and with each of its other parts."""
    base = get(name)
    at, takes = base.definition.at, base.definition.parameters
    made = [] if base._lacks else [base]
    made += [base @ value for value in NEEDED[at]] if at in takes else []
    more = {
        "part": ("residual", "total", "cost"),
        "gain": ("exp", "binary", "signed", {1: 2, 2: 1, 3: 5}),
        "divisor": ("min", "retrieved"),
        "ideal": ("retrieved", "hits", "uncut"),
        "readers": ("biased", "uniform"),
        "stop": ("linear",),
        "rel": (2,),
    }
    for parameter, values in more.items():
        if parameter in takes:
            for one, value in itertools.product(made[:3], values):
                with suppress(MeasureError):  # a divisor or an ideal that only others have
                    made.append(one(**{parameter: value}))
    return [*made, *(one(unjudged="condense") for one in made[:2])]


EVERY = [form for name in names() if get(name).needs is None for form in forms(name)]


def strict(array):
    import array_api_strict

    return array_api_strict.asarray(array)


def torch(array):
    return pytest.importorskip("torch").asarray(array)


def jax(array):
    return pytest.importorskip("jax.numpy").asarray(array)


LIBRARIES = {"numpy": np.asarray, "array-api-strict": strict, "torch": torch}


def back(values):
    return np.asarray(values.tolist() if hasattr(values, "tolist") else [float(one) for one in values])


def drawn(seed, topics=12, columns=17, more=5, dtype=np.float64):
    """Scores with ties, minus infinity and minus zero; grades of all kinds; empty lists; nothing relevant."""
    chance = np.random.default_rng(seed)
    shape = topics, columns
    scores = (chance.integers(-3, 4, shape) / 2).astype(dtype)
    scores[chance.random(shape) < 0.1] = -np.inf
    scores[chance.random(shape) < 0.1] = -0.0
    grades = chance.choice([-1, 0, 0, 0, 0.5, 1, 1, 2, 3, np.nan, np.nan], shape).astype(dtype)
    mask = chance.random(shape) < 0.8
    beyond = chance.choice([-1, 0, 1, 2, 3, np.nan, np.nan], (topics, more)).astype(dtype)
    mask[0] = False
    grades[1], beyond[1] = 0, 0
    grades[2], beyond[2] = np.nan, np.nan
    return scores, grades, mask, beyond


def by_hand(scores, grades, mask=None, beyond=None):
    """The judged run of the same lists: each sorted by Python, which leaves equal scores as they stand."""
    lists, pools = [], []
    for topic, line in enumerate(scores):
        columns = [column for column in range(len(line)) if mask is None or mask[topic, column]]
        columns.sort(key=lambda column: -float(line[column]))
        found = [float(grades[topic, column]) for column in columns]
        lists.append([None if np.isnan(grade) else grade for grade in found])
        more = [] if beyond is None else [float(grade) for grade in beyond[topic] if not np.isnan(grade)]
        pools.append([grade for grade in lists[-1] if grade is not None] + more)
    return judged_run(lists, judged=pools)


@pytest.mark.parametrize("dtype", CLOSE, ids=lambda one: one.__name__)
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_measure_is_what_it_is_on_a_judged_run(library, dtype):
    scores, grades, mask, beyond = drawn(0, dtype=dtype)
    record, made = by_hand(scores, grades, mask, beyond), LIBRARIES[library]
    given = {"mask": made(mask), "beyond": made(beyond)}
    together = evaluate(made(scores), made(grades), EVERY, **given)
    for measure in EVERY:
        alone = evaluate(made(scores), made(grades), measure, **given)[str(measure)]
        assert type(alone) is type(made(scores)), measure
        assert alone.dtype == made(scores).dtype, measure
        np.testing.assert_allclose(
            back(alone), measure(record), rtol=0, atol=CLOSE[dtype], err_msg=str(measure)
        )
        np.testing.assert_array_equal(back(alone), back(together[str(measure)]), err_msg=str(measure))


SOME = ["nDCG@5", "AP", "P@3", "RR", "ERR(top=3)@5", "Q", "RBP(rel=1)", "Rprec", "Bpref(unjudged=condense)"]


def test_the_same_inside_a_function_that_jax_compiled():
    jax_ = pytest.importorskip("jax")
    asked = [*SOME, *map(str, EVERY[::30])]
    scores, grades, mask, beyond = drawn(1, dtype=np.float32)
    record = by_hand(scores, grades, mask, beyond)

    @jax_.jit
    def values(scores, grades, mask, beyond):
        return evaluate(scores, grades, asked, mask=mask, beyond=beyond)

    found = values(jax(scores), jax(grades), jax(mask), jax(beyond))
    assert list(found) == sorted(asked)
    for name in asked:
        np.testing.assert_allclose(back(found[name]), parse(name)(record), rtol=0, atol=1e-5, err_msg=name)


def test_a_compiled_function_may_hold_grades_and_masks_of_its_own():
    jax_ = pytest.importorskip("jax")
    scores, grades, mask, _ = drawn(5, dtype=np.float32)
    kept, there = jax(grades), jax(mask)
    found = jax_.jit(lambda scores: evaluate(scores, kept, "P@3", mask=there))(jax(scores))["P@3"]
    np.testing.assert_allclose(back(found), parse("P@3")(by_hand(scores, grades, mask)), rtol=0, atol=1e-5)


grade = st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0, 2.0, 3.0, np.nan])
score = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, np.inf])


@settings(max_examples=60)
@given(data=st.data(), topics=st.integers(1, 5), columns=st.integers(0, 12), more=st.integers(0, 4))
def test_lists_of_any_shape_agree(data, topics, columns, more):
    scores = data.draw(arrays.arrays(np.float64, (topics, columns), elements=score))
    grades = data.draw(arrays.arrays(np.float64, (topics, columns), elements=grade))
    mask = data.draw(st.none() | arrays.arrays(np.bool_, (topics, columns)))
    beyond = data.draw(st.none() | arrays.arrays(np.float64, (topics, more), elements=grade))
    record = by_hand(scores, grades, mask, beyond)
    found = evaluate(scores, grades, EVERY[::5], mask=mask, beyond=beyond)
    for measure in EVERY[::5]:
        np.testing.assert_allclose(
            found[str(measure)], measure(record), rtol=0, atol=1e-12, err_msg=str(measure)
        )


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("columns", [40, 300])
def test_few_ranks_of_many_columns_are_selected_in_the_order_of_a_sort(library, columns):
    made = LIBRARIES[library]
    for seed, dtype in itertools.product(range(3), CLOSE):
        scores, grades, mask, _ = drawn(seed, topics=20, columns=columns, dtype=dtype)
        for masked in (None, mask):
            record = by_hand(scores, grades, masked)
            given = {} if masked is None else {"mask": made(mask)}
            found = evaluate(made(scores), made(grades), "nDCG@7, DCG(gain=exp)@3, RR@5", **given)
            for name, values in found.items():
                np.testing.assert_allclose(back(values), parse(name)(record), rtol=0, atol=CLOSE[dtype])


def test_jax_selects_in_the_order_of_a_sort():
    scores, grades, mask, _ = drawn(3, topics=20, columns=60, dtype=np.float32)
    found = evaluate(jax(scores), jax(grades), "DCG@7", mask=jax(mask))["DCG@7"]
    np.testing.assert_allclose(back(found), parse("DCG@7")(by_hand(scores, grades, mask)), rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_scores_of_16_bits_give_values_of_32(kind):
    torch_ = pytest.importorskip("torch")
    scores, grades, mask, beyond = (torch(one) for one in drawn(4, dtype=np.float32))
    found = evaluate(scores.to(getattr(torch_, kind)), grades, SOME, mask=mask, beyond=beyond)
    wanted = evaluate(scores, grades, SOME, mask=mask, beyond=beyond)  # halves are exact in 16 bits too
    for name in SOME:
        assert found[name].dtype == torch_.float32
        assert torch_.equal(found[name], wanted[name])


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("columns", [9, 200])
def test_ties_that_rounding_to_16_bits_makes_stand_in_the_order_of_columns(kind, columns):
    torch_ = pytest.importorskip("torch")
    chance = np.random.default_rng(6)
    rounded = torch(chance.normal(100, 1, (8, columns))).to(getattr(torch_, kind))  # a few values, often each
    grades = chance.choice([0.0, 1.0, 2.0, np.nan], (8, columns))
    record = by_hand(rounded.double().numpy(), grades)
    for name, values in evaluate(rounded, torch(grades), SOME).items():
        np.testing.assert_allclose(back(values), parse(name)(record), rtol=0, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("kind", ["int64", "int32", "uint8", "bool"])
def test_grades_may_be_whole_numbers(kind):
    chance = np.random.default_rng(2)
    scores, grades = chance.random((6, 9)), chance.integers(0, 2, (6, 9))
    for made in (np.asarray, torch):
        found = evaluate(made(scores), made(grades.astype(kind)), "nDCG@5, AP, NumRel")
        record = by_hand(scores, grades.astype(float))
        for name, values in found.items():
            np.testing.assert_allclose(back(values), parse(name)(record), rtol=0, atol=1e-12)
