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


def apart(offsets, terms, weights):
    """The terms of each vector, and its weights."""
    return [np.split(part, offsets[1:-1])[: len(offsets) - 1] for part in (terms, weights)]


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
    ours, twin = ProfileIndex(*apart(*rows(profiles))), plain_sparse.ProfileIndex(*apart(*rows(profiles)))
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
    index = ProfileIndex(*apart(*rows(profiles)))
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
    index = ProfileIndex(*apart(*rows(made[:200])))
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
    _, terms, weights = BAD_ROWS[reason]
    if reason not in ("begin with 0", "end at the number of terms", "must not fall"):
        with pytest.raises(ValueError, match=reason):
            index([TERMS, terms], [FLOATS, weights])
    with pytest.raises(ValueError, match="needs terms and weights"):
        index([TERMS], [])
    with pytest.raises(ValueError, match=reason):
        index([TERMS], [FLOATS]).reach(*BAD_ROWS[reason], FLOATS, floor=0.0, threads=1)


@pytest.mark.parametrize(
    "core", [(VectorStore, ProfileIndex), (plain_sparse.VectorStore, plain_sparse.ProfileIndex)]
)
def test_places_that_are_not_there_are_refused(core):
    store, index = core[0](), core[1]([TERMS], [FLOATS])
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


def _labelled(seed, count=40, terms=30):
    """Documents of random terms, and labels that two of the terms explain in part."""
    draw = np.random.default_rng(seed)
    weights = np.where(draw.random((count, terms)) < 0.2, draw.random((count, terms)), 0.0)
    labels = np.where(weights[:, 0] + weights[:, 1] + 0.4 * draw.random(count) > 0.4, 1.0, -1.0)
    places = [np.flatnonzero(row).astype(np.int32) for row in weights]
    offsets = np.cumsum([0, *map(len, places)])
    rows = (offsets, np.concatenate(places), np.concatenate([row[row > 0] for row in weights]))
    return weights, rows, labels, draw.random(count) * 10


@pytest.mark.parametrize("seed", range(5))
def test_a_regression_has_the_same_bits_in_both_cores_and_is_that_of_scikit_learn(seed):
    from sklearn.linear_model import LogisticRegression

    weights, rows, labels, costs = _labelled(seed)
    extra = np.array([0, 3], np.int32), np.array([0.6, 0.8])
    fits = []
    for kind in (VectorStore, plain_sparse.VectorStore):
        store = kind()
        store.append(*rows)
        given = np.append(labels, 1.0), np.append(costs, 2.0)
        fits.append(store.separate(np.arange(len(labels)), *extra, *given, passes=3000, tolerance=1e-12))
    assert fits[0][0].tolist() == fits[1][0].tolist()
    assert fits[0][1].tobytes() == fits[1][1].tobytes()

    dense = np.zeros((len(labels) + 1, weights.shape[1] + 1))
    dense[:-1, :-1], dense[-1, extra[0]], dense[:, -1] = weights, extra[1], 1.0  # the last column is the bias
    model = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-12, max_iter=10_000)
    model.fit(dense, np.append(labels, 1.0), sample_weight=np.append(costs, 2.0))
    learned = np.zeros(weights.shape[1])
    learned[fits[0][0]] = fits[0][1]
    assert learned == pytest.approx(model.coef_[0][:-1], abs=1e-5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"labels": np.array([1.0, 0.5, 1.0])}, "labels must be 1 or -1"),
        ({"costs": np.array([1.0, -1.0, 1.0])}, "costs must be 0 or more"),
        ({"costs": np.array([1.0, 1.0])}, "a label and a cost"),
        ({"documents": np.array([0, 7])}, "not in the store"),
    ],
)
def test_a_regression_that_cannot_be_is_refused(change, reason):
    given = {
        "documents": np.array([0, 1]),
        "terms": np.array([], np.int32),
        "weights": np.array([]),
        "labels": np.array([1.0, -1.0, 1.0]),
        "costs": np.ones(3),
    } | change
    for kind in (VectorStore, plain_sparse.VectorStore):
        store = kind()
        store.append(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2))
        with pytest.raises(ValueError, match=reason):
            store.separate(**given, passes=5, tolerance=0.1)


def test_a_profile_of_many_terms_scores_documents_with_the_bits_of_one_by_one():
    weights, rows, _, _ = _labelled(9, count=200, terms=400)
    store = VectorStore()
    store.append(*rows)
    draw = np.random.default_rng(3)
    profile = np.arange(400, dtype=np.int32), draw.normal(size=400)
    together = store.score(*profile, 0, 200)
    assert [store.score(*profile, number, number + 1)[0] for number in range(200)] == together.tolist()
    assert together == pytest.approx(weights @ profile[1])
