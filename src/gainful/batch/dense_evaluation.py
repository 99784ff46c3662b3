"""Measures on dense arrays: topics × candidates, on whatever device they are; arrays are checked without waiting for it."""

import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

import numpy as np

from gainful.batch.dense_ranking import Array, Grades, as_floats, is_boolean, is_floating
from gainful.batch.dense_run import DenseAspects, DenseRun, TopUnknown
from gainful.batch.lazy_ranking import WIDTHS
from gainful.errors import MeasureError, UsageError
from gainful.judging import JudgedRun
from gainful.judging.namespaces import on_device_of, retyped, type_name
from gainful.judging.ranking import namespace
from gainful.measures import Measure, parse_many

AXES = {
    "scores": "topics × candidates",
    "grades": "topics × candidates",
    "mask": "topics × candidates",
    "beyond": "topics × documents",
    "aspects": "topics × candidates × aspects",
    "beyond_aspects": "topics × documents × aspects",
}


def check(scores: Array, grades: Array, **more: Array) -> None:
    """Raise unless they fit; mask, beyond, aspects and beyond_aspects may be None."""
    given = {"scores": scores, "grades": grades, **more}
    for name, array in given.items():
        if array is not None or name in ("scores", "grades"):
            _check_kind(name, array, scores)
    for name in ("grades", "mask", "aspects"):
        _check_shape(name, given.get(name), scores)
    mask, beyond = more.get("mask"), more.get("beyond")
    if beyond is not None and beyond.shape[0] != scores.shape[0]:
        raise UsageError(
            f"beyond must have a row for each of {scores.shape[0]} topics; got {beyond.shape[0]}"
        )
    if mask is not None and not is_boolean(mask):
        raise UsageError(f"mask must be boolean; got type {type_name(mask)}")
    _check_beyond_aspects(beyond, more.get("aspects"), more.get("beyond_aspects"))


def check_library(name: str, array: Any, other: str, others: Array) -> None:
    """Raise unless it is an array, of the same library as another."""
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise UsageError(f"{name} must be an array; got {type(array).__qualname__}")
    if isinstance(array, np.ma.MaskedArray):
        raise UsageError(f"{name} is a masked array; pass its .data, and the valid entries as mask=…")
    if namespace(array).__name__ != namespace(others).__name__:
        raise UsageError(f"{name} and {other} must be arrays of the same library")


def _check_kind(name: str, array: Any, scores: Array) -> None:
    check_library(name, array, "scores", array if name == "scores" else scores)
    if len(array.shape) != AXES[name].count("×") + 1:
        raise UsageError(f"{name} must be {AXES[name]}; got the shape {tuple(array.shape)}")
    kind = type_name(array)
    if kind not in WIDTHS and not kind.startswith(("int", "uint", "bool")):
        raise UsageError(f"{name} must hold numbers; got the type {kind}")


def _check_shape(name: str, array: Any, scores: Array) -> None:
    if array is not None and tuple(array.shape[:2]) != tuple(scores.shape):
        what = "begin with" if name == "aspects" else "have"
        raise UsageError(
            f"{name} must {what} the shape of scores, {tuple(scores.shape)}; got {tuple(array.shape)}"
        )


def _check_beyond_aspects(beyond: Any, aspects: Any, beyond_aspects: Any) -> None:
    if beyond_aspects is None:
        return
    if aspects is None or beyond is None:
        raise UsageError("beyond_aspects goes with aspects and beyond")
    wanted = (*beyond.shape, aspects.shape[2])
    if tuple(beyond_aspects.shape) != tuple(wanted):
        raise UsageError(f"beyond_aspects must have the shape {wanted}; got {tuple(beyond_aspects.shape)}")


Measures = str | Measure | Iterable[str | Measure]


def evaluate(
    scores: Array,
    grades: Array,
    measures: Measures,
    *,
    mask: Array = None,
    beyond: Array = None,
    aspects: Array = None,
    beyond_aspects: Array = None,
    unjudged: float | None = None,
    top: float | None = None,
    kernels: bool = True,
) -> dict[str, Array]:
    """The value of each measure for each topic, as arrays of the same library on the same device.

    scores    topics × candidates; the higher stands first, equal ones in the order of columns
    grades    of the same candidates; NaN where one is not judged
    measures  names, measures, or a list of them: "nDCG@10, AP", [nDCG @ 10, AP]
    mask      where candidates are; a place where it does not hold is padding, and nothing there counts
    beyond    topics × documents: grades of judged documents that are no candidates; NaN is padding
    aspects   topics × candidates × subtopics (or judges): grades in each, for measures of diversity
    beyond_aspects  the same for the documents beyond
    unjudged  a number among the grades that stands for "not judged", for grades that cannot be NaN
    top       the best grade of the scale, for measures that ask (ERR, RBP); None: the best one here
    kernels   whether Triton may be used on a GPU; the order is the same, and values but for rounding

    The keys are the names of the measures. Values are 32-bit floats, or 64-bit where the scores are.

    >>> import numpy as np
    >>> scores = np.array([[0.9, 0.4, 0.7], [0.1, 0.2, 0.3]])
    >>> grades = np.array([[0, 1, 2], [1, 0, 0]])
    >>> evaluate(scores, grades, "P@2, RR")
    {'P@2': array([0.5, 0. ]), 'RR': array([0.5       , 0.33333333])}
    """
    given = {"mask": mask, "beyond": beyond, "aspects": aspects, "beyond_aspects": beyond_aspects}
    if _is_compiling():
        from gainful.batch.compiled_evaluation import evaluate as in_graph

        return in_graph(scores, grades, measures, **given, unjudged=unjudged, top=top, kernels=kernels)
    return evaluated(named(measures), scores, grades, **given, unjudged=unjudged, top=top, kernels=kernels)


def _is_compiling() -> bool:
    """Whether `torch.compile` is reading this."""
    torch = sys.modules.get("torch")
    return torch is not None and torch.compiler.is_compiling()


def evaluated(
    asked: dict[str, Measure],
    scores: Array,
    grades: Array,
    *,
    mask: Array,
    beyond: Array,
    aspects: Array,
    beyond_aspects: Array,
    unjudged: float | None,
    top: float | None,
    kernels: bool,
    partial: bool = False,
) -> dict[str, Array]:
    """Values by name: in one kernel where there is one for them, and by operations on arrays."""
    values: dict[str, Array] = {}
    if kernels and aspects is None and getattr(scores, "is_cuda", False):
        from gainful.batch.fused_evaluation import fused

        values = fused(asked, scores, grades, mask, beyond, unjudged, top, partial=partial)
        if len(values) == len(asked):
            return values
    left = {name: measure for name, measure in asked.items() if name not in values}
    record = dense_run(
        scores,
        grades,
        mask=mask,
        beyond=beyond,
        aspects=aspects,
        beyond_aspects=beyond_aspects,
        unjudged=unjudged,
        top=top,
        partial=partial,
        expected=deepest(left),
        kernels=kernels,
    )
    values = {**values, **values_of(left, record)}
    return {name: values[name] for name in asked}


def deepest(asked: dict[str, Measure]) -> int:
    """The largest cutoff of any."""
    return max((measure.cutoff for measure in asked.values() if isinstance(measure.cutoff, int)), default=1)


def values_of(asked: dict[str, Measure], record: DenseRun) -> dict[str, Array]:
    """The values of all measures, by name, in the order they were asked for."""
    # those that need every rank go first: a cutoff is then a part of what they sorted
    whole_first = sorted(asked, key=lambda name: asked[name].cutoff is not None)
    values = {name: _value(asked[name], record) for name in whole_first}
    return {name: values[name] for name in asked}


def named(measures: Measures) -> dict[str, Measure]:
    """Measures by their names, in the order they were asked for."""
    if isinstance(measures, str):
        return _parsed(measures)
    if not isinstance(measures, Iterable | Measure):
        raise UsageError(f"expected measures, such as 'nDCG@10, AP'; got {measures!r}")
    listed = [measures] if isinstance(measures, Measure) else list(measures)
    parsed = [
        measure
        for each in listed
        for measure in ((each,) if isinstance(each, Measure) else _parsed(each).values())
    ]
    if not parsed:
        raise UsageError("give at least one measure, such as 'nDCG@10'")
    return {str(measure): measure for measure in parsed}


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Measure]:
    return {str(measure): measure for measure in parse_many(text)}


def _value(measure: Measure, record: DenseRun) -> Array:
    if measure.needs is not None and measure.needs not in record.provides:
        raise MeasureError(f"{measure} needs {WANTS[measure.needs]}")
    try:
        values, _ = measure.evaluate(cast(JudgedRun, record))
    except TopUnknown:
        raise MeasureError(
            f"{measure} needs the best grade of the scale, which may not occur in a batch: "
            f"Accumulator(…, top=3), or {measure.name}(top=3), where 3 is the best"
        ) from None
    xp = namespace(values)
    return as_floats(xp.where(record.broken, xp.nan, values), record.grades.like)


ELSEWHERE = "which arrays of scores and grades do not contain; use gainful.evaluate"
WANTS = {
    "subtopics": "grades by subtopic: aspects=…, topics × candidates × subtopics",
    "judges": "grades by judge: aspects=…, topics × candidates × judges",
    "preferences": f"preferences, {ELSEWHERE}",
    "known": f"the documents that the user knew, {ELSEWHERE}",
    "expected": f"how many documents the user expected, {ELSEWHERE}",
    "anywhere": f"what is judged for other topics, {ELSEWHERE}",
    "probabilities": f"the probabilities with which documents were drawn, {ELSEWHERE}",
}


def dense_run(
    scores: Array,
    grades: Array,
    *,
    mask: Array = None,
    beyond: Array = None,
    aspects: Array = None,
    beyond_aspects: Array = None,
    unjudged: float | None = None,
    top: float | None = None,
    partial: bool = False,
    expected: int = 1,
    kernels: bool = True,
) -> DenseRun:
    """The record that measures read; see `evaluate`."""
    check(scores, grades, mask=mask, beyond=beyond, aspects=aspects, beyond_aspects=beyond_aspects)
    xp = namespace(scores)
    if not is_floating(scores):
        scores = retyped(scores, xp.float32 if xp.__name__.startswith("jax") else xp.float64)
    if not getattr(scores.dtype, "isnative", True):
        scores = retyped(scores, scores.dtype.newbyteorder("="))
    if not scores.shape[1]:  # no candidates at all: one that is none
        scores, grades, mask = _padded(scores, grades)
        aspects = (
            None if aspects is None else xp.zeros((*scores.shape, aspects.shape[2]), **on_device_of(scores))
        )
    like = scores if WIDTHS[type_name(scores)] >= 32 else retyped(scores[:, :1], xp.float32)
    of_candidates = Grades(grades, mask, unjudged, like)
    everything: tuple[Grades, ...] = (of_candidates,)
    if beyond is not None and beyond.shape[1]:
        everything = (of_candidates, Grades(beyond, None, unjudged, like))
    return DenseRun(
        scores,
        of_candidates,
        everything,
        mask=mask,
        aspects=None if aspects is None else _dense_aspects(aspects, beyond_aspects, mask, unjudged, like),
        top=top,
        partial=partial,
        expected=expected,
        fast=kernels,
    )


def _dense_aspects(
    aspects: Array, beyond: Array, mask: Array, unjudged: float | None, like: Array
) -> DenseAspects:
    there = None if mask is None else namespace(mask).expand_dims(mask, axis=-1)
    more = None if beyond is None else Grades(beyond, None, unjudged, like)
    return DenseAspects(Grades(aspects, there, unjudged, like), more)


def _padded(scores: Array, grades: Array) -> tuple[Array, Array, Array]:
    xp, shape, place = namespace(scores), (scores.shape[0], 1), on_device_of(scores)
    return (
        xp.zeros(shape, dtype=scores.dtype, **place),
        xp.zeros(shape, dtype=grades.dtype, **place),
        xp.zeros(shape, dtype=xp.bool, **place),
    )
