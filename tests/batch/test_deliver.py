"""Deliveries are the scalar products that reach their thresholds, however the work is cut up."""

import numpy as np
import pytest

from gainful.batch import deliver, delivery_kernel, dense_delivery
from gainful.errors import UsageError


def literal(documents, profiles, thresholds):
    return [
        (document, profile, float(np.dot(documents[document], profiles[profile])))
        for document in range(len(documents))
        for profile in range(len(profiles))
        if np.dot(documents[document], profiles[profile]) >= thresholds[profile]
    ]


@pytest.mark.parametrize("at_once", [1, 50, 1 << 26])
@pytest.mark.parametrize("library", ["numpy", "torch", "array-api-strict"])
def test_deliveries_are_those_of_the_definition(monkeypatch, library, at_once):
    monkeypatch.setattr(dense_delivery, "SCORES_AT_ONCE", at_once)
    chance = np.random.default_rng(1)
    documents, profiles = chance.integers(-3, 4, (23, 6)) / 1.0, chance.integers(-3, 4, (7, 6)) / 1.0
    thresholds = chance.integers(0, 20, 7) / 1.0
    module = pytest.importorskip(library.replace("-", "_"))
    found = deliver(*(module.asarray(one) for one in (documents, profiles, thresholds)))
    listed = [tuple(map(float, one)) for one in zip(*found, strict=True)]
    assert listed == literal(documents, profiles, thresholds)
    assert listed


def test_the_threshold_itself_is_reached():
    assert deliver(np.ones((1, 2)), np.ones((1, 2)), np.array([2.0])).score.tolist() == [2.0]


def test_nothing_reaches_infinity_and_no_documents_are_no_deliveries():
    vectors = np.ones((3, 2))
    assert deliver(vectors, vectors, np.full(3, np.inf)).document.shape == (0,)
    assert deliver(vectors[:0], vectors, np.zeros(3)).document.shape == (0,)
    assert deliver(vectors, vectors[:0], np.zeros(0)).document.shape == (0,)


@pytest.mark.parametrize(
    ("library", "kind"),
    [("torch", "bfloat16"), ("torch", "float16"), ("numpy", "float16"), ("jax.numpy", "bfloat16")],
)
def test_16_bits_are_summed_up_in_32(library, kind):
    module = pytest.importorskip(library)
    documents = module.ones(
        (1, 2049), dtype=getattr(module, kind)
    )  # the sum takes 12 bits, more than either has
    found = deliver(documents, documents, module.asarray(np.array([2048.5], dtype=np.float32)))
    assert found.score.tolist() == [2049.0]
    assert found.score.dtype == module.float32


def test_more_pairs_than_can_be_counted_at_once_are_compared_block_by_block(monkeypatch):
    torch = pytest.importorskip("torch")

    def compared(documents, profiles, thresholds, room):
        """What the kernel does, in any order, with as much room as there is."""
        scores = documents @ profiles.T
        document, profile = torch.nonzero(scores >= thresholds, as_tuple=True)
        assert scores.numel() <= 20
        last = slice(None) if len(document) <= room else slice(room)
        pair = document * profiles.shape[0] + profile
        listed = (one.flip(0)[last] for one in (pair, scores[document, profile]))
        return len(document), *listed

    monkeypatch.setattr(delivery_kernel, "MOST_PAIRS", 20)
    monkeypatch.setattr(delivery_kernel, "FIRST_GUESS", 2)
    monkeypatch.setattr(delivery_kernel, "compared", compared)
    monkeypatch.setattr(
        delivery_kernel,
        "taken_apart",
        lambda pair, order, scores, across, start: (pair // across + start, pair % across, scores[order]),
    )
    chance = np.random.default_rng(2)
    given = chance.integers(-3, 4, (23, 6)) / 1.0, chance.integers(-3, 4, (7, 6)) / 1.0, np.full(7, 3.0)
    found = delivery_kernel.delivered(*(torch.asarray(one, dtype=torch.float32) for one in given))
    assert [tuple(map(float, one)) for one in zip(*found, strict=True)] == literal(*given)


def test_arrays_of_two_libraries_do_not_mix():
    torch = pytest.importorskip("torch")
    with pytest.raises(UsageError, match="profiles and documents must be arrays of the same library"):
        deliver(np.ones((1, 2)), torch.ones(1, 2), np.ones(1))


@pytest.mark.parametrize(
    ("shapes", "says"),
    [
        (((3, 2), (4, 3), (4,)), "do not go together"),
        (((3, 2), (4, 2), (3,)), "do not go together"),
        (((3,), (4, 2), (4,)), r"documents must be an array with a vector for each; got the shape \(3,\)"),
        (((3, 2), (4, 2), (4, 1)), "thresholds must be an array with a number for each profile"),
    ],
)
def test_what_does_not_fit_is_refused(shapes, says):
    with pytest.raises(UsageError, match=says):
        deliver(*(np.zeros(shape) for shape in shapes))
