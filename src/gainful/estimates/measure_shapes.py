"""What kind of function of the grades a measure is; estimates from samples and bounds are found by kind.

    Linear   Σ gain · weight(rank), or that as a share of the best that was to be had: P, RBP, DCG, CG; nDCG, NCG, R, SetR
    Average  average precision, which statAP, infAP and xinfAP estimate
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
from gainful.measures._gains import Gain, Table
from gainful.measures._reader_models import Chances

Floats = NDArray[np.float64]
OfFloats = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Linear:
    """Σ gain(grade) · weight(rank), divided by Σ ideal(1, 2, …) over the gains best first where there is an ideal.

    best    the greatest gain of any grade from 0 to the best; the least is 0
    by_top  whether gains are shares of the best grade in the judgments, which a sample need not hold
    counts  whether it is a share of documents: those found, of all that are relevant
    """

    gain: OfFloats
    weight: OfFloats
    best: float
    ideal: OfFloats | None = None
    by_top: bool = False
    counts: bool = False


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


def _best(gain: Gain, top: float) -> float | None:
    """The greatest gain of the grades from 0 to top; None where grade 0 has a gain, or nothing is known of the others."""
    grades = [0.0, top]
    if isinstance(gain, Table):
        grades += [float(grade) for grade, _ in gain.gains if grade <= top]
    elif not gain.rising:
        return None
    gains = gain(np.array(grades))
    return None if gains[0] > 0 else float(gains.max())


def _of_gains(params: dict[str, Any], top: float, weight: OfFloats, ideal: OfFloats | None) -> Shape | None:
    best = _best(params["gain"], top)
    return None if best is None else Linear(params["gain"], weight, best, ideal)


def _relevant(rel: float) -> OfFloats:
    return lambda grade: (grade >= rel).astype(np.float64)


def _within(cutoff: float | None, weight: OfFloats | None = None) -> OfFloats:
    """The weight down to the cutoff, and of documents that are there at all."""
    last = np.inf if cutoff is None else cutoff

    def weigh(rank: Floats) -> Floats:
        there = (rank <= last) & np.isfinite(rank)
        return np.where(there, 1.0 if weight is None else weight(np.where(there, rank, 1.0)), 0.0)

    return weigh


def _p(params: dict[str, Any], top: float) -> Shape | None:
    if params["divisor"] == "retrieved":  # depends on the length of the list
        return None
    cutoff, rel = params["cutoff"], params["rel"]
    weight = _within(cutoff, lambda rank: np.full_like(rank, 1 / cutoff))
    return Linear(_relevant(rel), weight, float(top >= rel))


def _rbp(params: dict[str, Any], top: float) -> Shape:
    p, rel, whole = params["p"], params["rel"], params["top"] or top or 1.0
    gain: OfFloats = lambda grade: np.minimum(np.maximum(grade, 0.0), whole) / whole  # noqa: E731
    weight = _within(params["cutoff"], lambda rank: (1 - p) * p ** (rank - 1))
    if rel is not None:
        return Linear(_relevant(rel), weight, float(top >= rel))
    return Linear(gain, weight, min(top, whole) / whole, by_top=params["top"] is None)


def _discounted(params: dict[str, Any]) -> OfFloats:
    discount, base = params["discount"], params["base"]
    return _within(params["cutoff"], lambda rank: 1 / discount(rank, base))


def _dcg(params: dict[str, Any], top: float) -> Shape | None:
    return _of_gains(params, top, _discounted(params), None)


def _ndcg(params: dict[str, Any], top: float) -> Shape | None:
    weight = _discounted(params)
    return _of_gains(params, top, weight, weight) if params["ideal"] == "judged" else None


def _cg(params: dict[str, Any], top: float) -> Shape | None:
    return _of_gains(params, top, _within(params["cutoff"]), None)


def _ncg(params: dict[str, Any], top: float) -> Shape | None:
    weight = _within(params["cutoff"])
    return _of_gains(params, top, weight, weight) if params["ideal"] == "judged" else None


def _r(params: dict[str, Any], top: float) -> Shape:
    rel = params["rel"]
    weight = _within(params.get("cutoff"))
    capped = params.get("divisor") == "min"
    ideal = weight if capped else _within(None)
    return Linear(_relevant(rel), weight, float(top >= rel), ideal, counts=not capped)


def _ap(params: dict[str, Any], _top: float) -> Shape | None:
    cutoff = np.inf if params["cutoff"] is None else float(params["cutoff"])
    if params["divisor"] == "retrieved":
        return None
    return Average(params["rel"], cutoff, cutoff if params["divisor"] == "min" else np.inf)


def _ap_of_papers(params: dict[str, Any], _top: float) -> Shape:
    """Estimators of AP: with every document judged they are AP, so that its bounds are theirs."""
    return Average(params["rel"], np.inf, np.inf)


def _rr(params: dict[str, Any], _top: float) -> Shape:
    return First(params["rel"], _within(params["cutoff"], lambda rank: 1 / rank))


def _success(params: dict[str, Any], _top: float) -> Shape:
    return First(params["rel"], _within(params["cutoff"]))


def _err(params: dict[str, Any], _top: float) -> Shape | None:
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
    "statAP": _ap_of_papers,
    "infAP": _ap_of_papers,
    "xinfAP": _ap_of_papers,
    "RR": _rr,
    "Success": _success,
    "ERR": _err,
}
