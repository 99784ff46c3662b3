"""Estimators, by the kind of measure that they are for; one file for each family registers its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, TypeVar

import numpy as np

from gainful.errors import MeasureError
from gainful.estimates.interval_rules import refusal
from gainful.estimates.measure_shapes import shape_of
from gainful.judging import JudgedRun
from gainful.judging.ranking import Floats, PerTopic
from gainful.judging.sampling import Sample
from gainful.measures import Measure
from gainful.statistics.survey_sampling import variance_parts

Kind = Literal["ht", "centred", "ratio"]
KINDS: tuple[Kind, ...] = ("ht", "centred", "ratio")
"""How a sum over a list is estimated: see `gain_estimators`."""
Bias = Literal["none", "small", "approximate"]

_FILES = ("gain_estimators", "precision_estimators")


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A measure of each topic, estimated from the documents that were drawn.

    values     one for each topic; NaN where nothing drawn says anything of it
    influence  for each document of the sample's pool, the y whose total Σ y / π has the variance of the estimate, to
               first order; None where no such formula is known
    exact      whether its variance is known well enough for intervals over these topics: those of R and AP, from few
               relevant documents, hold the truth less often than they say
    bias       "none": the mean over all samples is the value with every document judged, exactly; "small": a ratio of
               such means, a share of the best grade that was drawn, or a sum beside the labels of several models, whose
               bias vanishes as the sample grows;
               "approximate": an ideal list is estimated too
    labelled   whether labels by models are part of it
    refused    why its mean has no interval, and what to do; "" where it has one (`interval_rules`)
    """

    values: PerTopic
    influence: Floats | None
    bias: Bias
    exact: bool = True
    labelled: bool = False
    refused: str = ""

    def variance(self, sample: Sample) -> PerTopic:
        """The variance that each topic's estimate has from the choice of its documents; NaN where it is not known."""
        if self.influence is None or not self.exact:
            return np.full(len(sample.offsets) - 1, np.nan)
        return sample_variance(sample, self.influence)


def sample_variance(sample: Sample, influence: Floats) -> PerTopic:
    """The variance of Σ y / π of each topic; a difference of two runs has the difference of their influences."""
    inclusion, drawn = sample.inclusion, np.flatnonzero(sample.drawn)  # the others add nothing
    rows = sample.rows[drawn]
    parts = np.zeros(len(sample.rows))
    parts[drawn] = variance_parts(
        influence[drawn],
        inclusion.probability[rows],
        inclusion.stratum[rows],
        inclusion.size,
        np.ones(len(rows), np.bool_),
    )
    return sample.pool.total(parts)


def sample_covariance(sample: Sample, x: Floats, y: Floats) -> PerTopic:
    """The covariance of Σ x / π and Σ y / π of each topic."""
    return (sample_variance(sample, x + y) - sample_variance(sample, x - y)) / 4


Estimator = Callable[[JudgedRun, Any, Kind], Estimate]
_BY_SHAPE: dict[type, Estimator] = {}
_BY_NAME: dict[str, Callable[[JudgedRun, Measure, Kind], Estimate]] = {}
_E = TypeVar("_E", bound=Callable[..., Estimate])


def estimator(kind: type | str) -> Callable[[_E], _E]:
    """A decorator: the function estimates measures of this shape, or the measure of this name.

    It takes a judged run with its sample, the shape (or the measure), and how sums are to be estimated.
    """

    def add(function: _E) -> _E:
        if isinstance(kind, str):
            _BY_NAME[kind] = function
        else:
            _BY_SHAPE[kind] = function
        return function

    return add


def has_estimator(measure: Measure, top: float) -> bool:
    """Whether a measure can be estimated from a sample of documents; `top` is the best grade in the judgments.

    >>> from gainful.measures import AP, RR, nDCG
    >>> [has_estimator(measure, 1.0) for measure in (AP, nDCG @ 10, RR)]
    [True, True, False]
    """
    return _estimator_of(measure, top) is not None


def estimate(measure: Measure, judged: JudgedRun, kind: Kind = "ht") -> Estimate:
    """The estimate of a measure for each topic of a judged run whose documents were drawn with known probabilities.

    kind  how sums over a list are estimated: "ht" (Horvitz–Thompson), "centred" or "ratio"

    Of a list a b, a was drawn with probability 1/2 and is relevant, b was not drawn: P@2 is (1 / 0.5) / 2

    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import P
    >>> estimate(P @ 2, sampled_run("ab", {"a": (1, 0.5)})).values
    array([1.])
    """
    sample = judged.require_sample()
    if not sample.inclusion.by_chance:
        raise MeasureError(
            f"{measure}: documents were chosen by other means than chance, so that nothing can be estimated"
        )
    of_measure = _estimator_of(measure, judged.top)
    if of_measure is None:
        raise MeasureError(f"{measure} has no estimator from a sample of documents")
    made = of_measure(judged, kind)
    shape = None if measure.name in _BY_NAME else shape_of(measure, judged.top)
    return replace(made, refused=refusal(made.values, judged, measure, shape, kind))


def _estimator_of(measure: Measure, top: float) -> Callable[[JudgedRun, Kind], Estimate] | None:
    for file in _FILES:
        import_module(f"gainful.estimates.{file}")
    named = _BY_NAME.get(measure.name)
    if named is not None:
        return lambda judged, kind: named(judged, measure, kind)
    shape = shape_of(measure, top)
    of_shape = _BY_SHAPE.get(type(shape))
    return None if of_shape is None else lambda judged, kind: of_shape(judged, shape, kind)


def scattered(x: Floats, place: np.ndarray[Any, Any], sample: Sample) -> Floats:
    """A value for each hit as one for each document of the pool; 0 for documents that are not hits."""
    spread = np.zeros(len(sample.rows))
    spread[place] = x
    return spread
