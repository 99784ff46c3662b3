"""Whether arrays go together: their kinds and shapes, and nothing that would have to wait for the device."""

from typing import Any

import numpy as np

from gainful.batch.dense_ranking import Array, is_boolean
from gainful.batch.lazy_ranking import WIDTHS
from gainful.errors import UsageError
from gainful.judging.namespaces import type_name
from gainful.judging.ranking import namespace

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
            f"beyond must have a line for each of {scores.shape[0]} topics; got {beyond.shape[0]}"
        )
    if mask is not None and not is_boolean(mask):
        raise UsageError(f"mask must be true or false at each place; got numbers of type {type_name(mask)}")
    _check_beyond_aspects(beyond, more.get("aspects"), more.get("beyond_aspects"))


def check_library(name: str, array: Any, other: str, others: Array) -> None:
    """Raise unless it is an array, of the same library as another."""
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise UsageError(f"{name} must be an array; got {type(array).__qualname__}")
    if isinstance(array, np.ma.MaskedArray):
        raise UsageError(f"{name} is a masked array; give its .data, and what counts as mask=…")
    if namespace(array).__name__ != namespace(others).__name__:
        raise UsageError(f"{name} and {other} must be arrays of one library")


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
