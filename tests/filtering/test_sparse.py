"""Sparse vectors in the native core against their plain-Python twin: the same bits, the same refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful._core import ProfileIndex, VectorStore, plain_sparse

WEIGHTS = st.floats(-3, 3, allow_nan=False).map(lambda value: value or 0.5)
VECTORS = st.lists(st.dictionaries(st.integers(0, 12), WEIGHTS, max_size=8), max_size=9)


def rows(vectors):
    offsets = np.cumsum([0, *map(len, vectors)], dtype=np.int64)
    terms = np.array([term for one in vectors for term in sorted(one)], np.int32)
    weights = np.array([one[term] for one in vectors for term in sorted(one)], np.float64)
    return offsets, terms, weights


def stores(vectors):
    pair = VectorStore(), plain_sparse.VectorStore()
    for store in pair:
        store.append(*rows(vectors))
    return pair


def same(one, other):
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@settings(max_examples=200, deadline=None)
@given(vectors=VECTORS, profile=st.dictionaries(st.integers(0, 20), WEIGHTS, max_size=8), data=st.data())
def test_a_store_scores_and_mixes_as_its_twin_does(vectors, profile, data):
    ours, twin = stores(vectors)
    assert len(ours) == len(twin) == len(vectors)
    _, terms, weights = rows([profile])
    start = data.draw(st.integers(0, len(vectors)))
    stop = data.draw(st.integers(start, len(vectors)))
    assert same(ours.score(terms, weights, start, stop), twin.score(terms, weights, start, stop))
    some = data.draw(st.lists(st.integers(0, len(vectors) - 1), max_size=6)) if vectors else []
    numbers, coefficients = np.array(some, np.int64), np.linspace(-1, 2, len(some))
    for one, other in zip(
        ours.mix(numbers, coefficients, terms, weights),
        twin.mix(numbers, coefficients, terms, weights),
        strict=True,
    ):
        assert same(one, other)
    for number in range(len(vectors)):
        assert all(
            same(one, other) for one, other in zip(ours.vector(number), twin.vector(number), strict=True)
        )


@settings(max_examples=150, deadline=None)
@given(
    documents=VECTORS,
    profiles=VECTORS,
    theta=st.floats(-2, 2),
    floor=st.sampled_from([0.0, -np.inf]),
    threads=st.integers(1, 3),
)
def test_an_index_scores_and_reaches_as_its_twin_does(documents, profiles, theta, floor, threads):
    ours, twin = ProfileIndex(*rows(profiles)), plain_sparse.ProfileIndex(*rows(profiles))
    one, other = (np.full((len(documents), len(profiles)), np.nan) for _ in range(2))
    ours.score(*rows(documents), out=one, threads=threads)
    twin.score(*rows(documents), out=other, threads=threads)
    assert same(one, other)
    thetas = np.full(len(profiles), theta)
    reached = ours.reach(*rows(documents), thetas, floor=floor, threads=threads)
    expected = twin.reach(*rows(documents), thetas, floor=floor, threads=threads)
    assert all(same(a, b) for a, b in zip(reached, expected, strict=True))


@settings(max_examples=100, deadline=None)
@given(documents=VECTORS, profiles=VECTORS)
def test_a_document_has_the_same_score_in_the_store_and_in_the_index(documents, profiles):
    store, _ = stores(documents)
    index = ProfileIndex(*rows(profiles))
    scores = np.empty((len(documents), len(profiles)))
    index.score(*rows(documents), out=scores, threads=1)
    for column, profile in enumerate(profiles):
        _, terms, weights = rows([profile])
        assert same(store.score(terms, weights, 0, len(documents)), np.ascontiguousarray(scores[:, column]))


def test_appending_bit_by_bit_is_appending_at_once():
    chance = np.random.default_rng(1)
    vectors = [
        dict(zip(chance.choice(50, 9, replace=False).tolist(), chance.random(9), strict=True))
        for _ in range(60)
    ]
    at_once, _ = stores(vectors)
    bit_by_bit = VectorStore()
    for start in range(0, 60, 7):
        bit_by_bit.append(*rows(vectors[start : start + 7]))
    _, terms, weights = rows([vectors[3]])
    assert same(bit_by_bit.score(terms, weights, 0, 60), at_once.score(terms, weights, 0, 60))


def test_many_threads_give_the_same_bits_as_one():
    chance = np.random.default_rng(2)
    made = [
        dict(zip(chance.choice(300, 30, replace=False).tolist(), chance.random(30), strict=True))
        for _ in range(500)
    ]
    index = ProfileIndex(*rows(made[:200]))
    one, other = np.empty((300, 200)), np.empty((300, 200))
    index.score(*rows(made[200:]), out=one, threads=1)
    index.score(*rows(made[200:]), out=other, threads=4)
    assert same(one, other)


INTEGERS, TERMS, FLOATS = np.array([0, 1], np.int64), np.array([3], np.int32), np.array([1.0])
BAD_ROWS = {
    "begin with 0": (np.array([1, 1], np.int64), TERMS, FLOATS),
    "as many weights as terms": (INTEGERS, TERMS, np.array([1.0, 2.0])),
    "end at the number of terms": (np.array([0, 2], np.int64), TERMS, FLOATS),
    "must not fall": (np.array([0, 1, 0, 1], np.int64), TERMS, FLOATS),
    "0 or more; got -1": (INTEGERS, np.array([-1], np.int32), FLOATS),
    "must rise": (np.array([0, 2], np.int64), np.array([3, 3], np.int32), np.array([1.0, 1.0])),
    "must be finite": (INTEGERS, TERMS, np.array([np.nan])),
}


@pytest.mark.parametrize("reason", BAD_ROWS)
@pytest.mark.parametrize(
    "core", [(VectorStore, ProfileIndex), (plain_sparse.VectorStore, plain_sparse.ProfileIndex)]
)
def test_vectors_that_are_none_are_refused(core, reason):
    store, index = core
    with pytest.raises(ValueError, match=reason):
        store().append(*BAD_ROWS[reason])
    with pytest.raises(ValueError, match=reason):
        index(*BAD_ROWS[reason])
    with pytest.raises(ValueError, match=reason):
        index(INTEGERS, TERMS, FLOATS).reach(*BAD_ROWS[reason], FLOATS, floor=0.0, threads=1)


@pytest.mark.parametrize(
    "core", [(VectorStore, ProfileIndex), (plain_sparse.VectorStore, plain_sparse.ProfileIndex)]
)
def test_places_that_are_not_there_are_refused(core):
    store, index = core[0](), core[1](INTEGERS, TERMS, FLOATS)
    store.append(INTEGERS, TERMS, FLOATS)
    with pytest.raises(ValueError, match="must be in the store"):
        store.score(TERMS, FLOATS, 0, 2)
    with pytest.raises(ValueError, match="not in the store"):
        store.mix(np.array([1]), FLOATS, TERMS, FLOATS)
    with pytest.raises(ValueError, match="needs a coefficient"):
        store.mix(np.array([0, 0]), FLOATS, TERMS, FLOATS)
    with pytest.raises(ValueError, match="not in the store"):
        store.vector(1)
    with pytest.raises(ValueError, match="a row for each document"):
        index.score(INTEGERS, TERMS, FLOATS, out=np.empty((2, 1)), threads=1)
    with pytest.raises(ValueError, match="needs a theta"):
        index.reach(INTEGERS, TERMS, FLOATS, np.empty(0), floor=0.0, threads=1)
    with pytest.raises(ValueError, match="threads must be 1 or more; got 0"):
        index.score(INTEGERS, TERMS, FLOATS, out=np.empty((1, 1)), threads=0)
