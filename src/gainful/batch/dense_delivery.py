"""Documents × profiles on a device: who is to get what, without ever writing all scores."""

from typing import Any, NamedTuple

from gainful.batch import kernels
from gainful.batch.dense_evaluation import check_library
from gainful.batch.dense_ranking import Array
from gainful.batch.lazy_ranking import WIDTHS
from gainful.errors import UsageError
from gainful.judging.namespaces import retyped, type_name
from gainful.judging.ranking import namespace

SCORES_AT_ONCE = 1 << 26  # scores that the plain path holds at a time


class Deliveries(NamedTuple):
    """Which documents reach whose threshold, and with what score; by document, then by profile."""

    document: Array
    profile: Array
    score: Array

    def __repr__(self) -> str:
        return f"<Deliveries: {len(self.document):,}>"


def deliver(documents: Array, profiles: Array, thresholds: Array, *, kernels: bool = True) -> Deliveries:
    """Every document and profile whose scalar product reaches the profile's threshold.

    documents   documents × dimensions
    profiles    profiles × dimensions
    thresholds  one for each profile
    kernels     whether Triton may be used on a GPU

    Scores are compared as they are made, block by block, and those below the threshold are never kept. Vectors of
    16-bit floats are summed up in 32 bits. A score within rounding of its threshold may fall on either side of it,
    as the order of a sum is the library's.

    >>> import numpy as np
    >>> documents = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    >>> delivered = deliver(documents, np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0.5, 1.7]))
    >>> delivered, delivered.document, delivered.profile, delivered.score
    (<Deliveries: 3>, array([0, 1, 2]), array([0, 0, 1]), array([1. , 0.6, 2. ]))
    """
    _check(documents, profiles, thresholds)
    if kernels and _can_be_fused(documents, profiles):
        from gainful.batch.delivery_kernel import delivered

        return Deliveries(*delivered(documents, profiles, thresholds))
    return _in_blocks(documents, profiles, thresholds)


def _can_be_fused(documents: Array, profiles: Array) -> bool:
    kinds = {str(documents.dtype), str(profiles.dtype)}
    fits = kinds in ({"torch.bfloat16"}, {"torch.float16"}) and documents.is_cuda and profiles.is_cuda
    return fits and documents.shape[0] > 0 and profiles.shape[0] > 0 and kernels.ready()


def _in_blocks(documents: Array, profiles: Array, thresholds: Array) -> Deliveries:
    """The plain path: a block of documents at a time."""
    xp, rows = namespace(documents), documents.shape[0]
    step = max(1, SCORES_AT_ONCE // max(1, profiles.shape[0]))
    blocks = [
        _block(xp, documents[start : min(start + step, rows), ...], profiles, thresholds, start)
        for start in range(0, max(1, rows), step)
    ]
    return Deliveries(*(xp.concat(column, axis=0) for column in zip(*blocks, strict=True)))


def _block(xp: Any, documents: Array, profiles: Array, thresholds: Array, start: int) -> tuple[Array, ...]:
    scores = _products(documents, profiles)
    document, profile = xp.nonzero(scores >= thresholds)
    flat = xp.reshape(scores, (-1,))
    score = xp.take(flat, document * profiles.shape[0] + profile, axis=0)
    return document + start, profile, score


def _products(documents: Array, profiles: Array) -> Array:
    xp = namespace(documents)
    documents, profiles = (
        retyped(vectors, xp.float32) if WIDTHS[type_name(vectors)] == 16 else vectors
        for vectors in (documents, profiles)
    )
    return documents @ profiles.T


def _check(documents: Any, profiles: Any, thresholds: Any) -> None:
    for name, array, axes in (
        ("documents", documents, 2),
        ("profiles", profiles, 2),
        ("thresholds", thresholds, 1),
    ):
        if len(getattr(array, "shape", ())) != axes:
            what = "a vector for each" if axes == 2 else "a number for each profile"
            raise UsageError(f"{name} must be an array with {what}; got {_shown(array)}")
        check_library(name, array, "documents", documents)
    if documents.shape[1] != profiles.shape[1] or profiles.shape[0] != thresholds.shape[0]:
        raise UsageError(
            f"documents × dimensions {tuple(documents.shape)}, profiles × dimensions {tuple(profiles.shape)} and "
            f"{thresholds.shape[0]} thresholds do not go together"
        )
    if type_name(documents) not in WIDTHS or type_name(profiles) not in WIDTHS:
        raise UsageError("documents and profiles must be vectors of floats, of 16, 32 or 64 bits")


def _shown(array: Any) -> str:
    return f"the shape {tuple(array.shape)}" if hasattr(array, "shape") else type(array).__qualname__
