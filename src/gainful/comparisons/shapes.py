"""What kind of function of the grades a measure is; bounds are found by kind.

    Linear   Σ gain · weight(rank), or that as a share of the best that was to be had: P, RBP, DCG, CG; nDCG, NCG, R, SetR
    Average  average precision
    First    a falling function of the rank of the first relevant document: RR, Success
    Rising   raising a grade never lowers it, whatever was judged elsewhere: ERR

Of other measures nothing is known but their declared least and greatest value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.measures import Measure

Floats = NDArray[np.float64]
OfFloats = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Linear:
    """Σ gain(grade) · weight(rank), divided by Σ ideal(1, 2, …) over the gains best first where there is an ideal."""

    gain: OfFloats
    weight: OfFloats
    ideal: OfFloats | None = None


@dataclass(frozen=True, slots=True)
class Average:
    """Average precision: relevant documents from grade rel on, down to the cutoff; divided by no more than `most`."""

    rel: float
    cutoff: float
    most: float


@dataclass(frozen=True, slots=True)
class First:
    """worth(rank) of the first document from grade rel on; falls with the rank, 0 at infinity."""

    rel: float
    worth: OfFloats


@dataclass(frozen=True, slots=True)
class Rising:
    """Rises with every grade, and depends on nothing else."""


Shape = Linear | Average | First | Rising


def shape_of(measure: Measure, top: float) -> Shape | None:
    """The kind of a measure; None where it is not known.

    top  the best grade in the judgments

    >>> from gainful.measures import AP, Bpref
    >>> shape_of(AP, 1.0), shape_of(Bpref, 1.0)
    (Average(rel=1, cutoff=inf, most=inf), None)
    """
    if measure.unjudged != "nonrelevant":
        return None
    make = _SHAPES.get(measure.name) if measure.definition.module.startswith("gainful.measures.") else None
    return None if make is None else make(measure.params, top)


def _relevant(rel: float) -> OfFloats:
    return lambda grade: (grade >= rel).astype(np.float64)


def _within(cutoff: float | None, weight: OfFloats | None = None) -> OfFloats:
    """The weight down to the cutoff, and of documents that are there at all."""
    last = np.inf if cutoff is None else cutoff

    def weigh(rank: Floats) -> Floats:
        there = (rank <= last) & np.isfinite(rank)
        return np.where(there, 1.0 if weight is None else weight(np.where(there, rank, 1.0)), 0.0)

    return weigh


def _p(params: dict[str, Any], _top: float) -> Shape:
    cutoff = params["cutoff"]
    return Linear(_relevant(params["rel"]), _within(cutoff, lambda rank: np.full_like(rank, 1 / cutoff)))


def _rbp(params: dict[str, Any], top: float) -> Shape:
    p, rel, whole = params["p"], params["rel"], params["top"] or top
    gain: OfFloats = lambda grade: np.minimum(np.maximum(grade, 0.0), whole) / whole  # noqa: E731
    weight = _within(params["cutoff"], lambda rank: (1 - p) * p ** (rank - 1))
    return Linear(gain if rel is None else _relevant(rel), weight)


def _discounted(params: dict[str, Any]) -> OfFloats:
    discount, base = params["discount"], params["base"]
    return _within(params["cutoff"], lambda rank: 1 / discount(rank, base))


def _dcg(params: dict[str, Any], _top: float) -> Shape:
    return Linear(params["gain"], _discounted(params))


def _ndcg(params: dict[str, Any], _top: float) -> Shape | None:
    weight = _discounted(params)
    return Linear(params["gain"], weight, weight) if params["ideal"] == "judged" else None


def _cg(params: dict[str, Any], _top: float) -> Shape:
    return Linear(params["gain"], _within(params["cutoff"]))


def _ncg(params: dict[str, Any], _top: float) -> Shape | None:
    weight = _within(params["cutoff"])
    return Linear(params["gain"], weight, weight) if params["ideal"] == "judged" else None


def _r(params: dict[str, Any], _top: float) -> Shape:
    return Linear(_relevant(params["rel"]), _within(params.get("cutoff")), _within(None))


def _ap(params: dict[str, Any], _top: float) -> Shape | None:
    cutoff = np.inf if params["cutoff"] is None else float(params["cutoff"])
    if params["divisor"] == "retrieved":
        return None
    return Average(params["rel"], cutoff, cutoff if params["divisor"] == "min" else np.inf)


def _rr(params: dict[str, Any], _top: float) -> Shape:
    return First(params["rel"], _within(params["cutoff"], lambda rank: 1 / rank))


def _success(params: dict[str, Any], _top: float) -> Shape:
    return First(params["rel"], _within(params["cutoff"]))


def _err(params: dict[str, Any], _top: float) -> Shape | None:
    from gainful.measures._stops import Chances

    return None if isinstance(params["stop"], Chances) else Rising()


_SHAPES: dict[str, Callable[[dict[str, Any], float], Shape | None]] = {
    "P": _p,
    "RBP": _rbp,
    "DCG": _dcg,
    "nDCG": _ndcg,
    "CG": _cg,
    "NCG": _ncg,
    "R": _r,
    "SetR": _r,
    "AP": _ap,
    "RR": _rr,
    "Success": _success,
    "ERR": _err,
}
