"""Where an estimate has no interval: one decision for evaluate, compare, gate and report.

The spread of estimates between topics holds both sources of chance, and the interval holds the truth as long as the bias of
the estimate is small beside it. Simulations (docs/design_estimates.md) show where it is not:

    shares, AP      nothing relevant was drawn in more than 10 % of the topics, which are left out: the others are not like them
    shares, AP      only documents above a cutoff could be drawn; but for nDCG where labels by models stand for the others
    AP              fewer than 1.5 documents drawn among the first ten of a list, on average
    ratio           fewer than 3 documents drawn above the cutoff of a list, on average; documents of different weight 1/π count
                    as (Σ w/π)² / Σ (w/π)²
    statAP, infAP,  always: their bias has no such limit, and the estimate of AP is nearly free of it
    xinfAP

Then there are bounds in place of an interval, and no test. With every document taken for certain nothing is refused.
"""

from __future__ import annotations

import math

import numpy as np

from gainful.estimates.measure_shapes import Average, Linear, Shape
from gainful.judging import JudgedRun
from gainful.judging.ranking import PerTopic, share
from gainful.measures import Measure
from gainful.presentation.text_style import fixed, percent

MOST_LEFT_OUT = 0.1
LEAST_AT_TOP = 1.5
LEAST_WEIGHED = 3.0
TOP = 10
_OF_PAPERS = ("statAP", "infAP", "xinfAP")
_DRAW = "draw documents by rank or by weight, or judge more"


def refusal(values: PerTopic, judged: JudgedRun, measure: Measure, shape: Shape | None, kind: str) -> str:
    """Why the mean of these estimates has no interval, and what to do; "" where it has one.

    values  the estimate of each topic; NaN where nothing relevant was drawn
    shape   of the measure, where it is known
    kind    how sums were estimated

    Of twenty documents one was drawn:

    >>> from gainful.estimates import estimate
    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import P
    >>> drawn = {document: (1 if document == "c" else -1, 0.05) for document in "abcdefghijklmnopqrst"}
    >>> estimate(P @ 10, sampled_run("abcdefghij", drawn), "ratio").refused
    'on average 1.0 documents were drawn above the cutoff, and the ratio estimator needs 3; take --estimator centred'
    >>> estimate(P @ 10, sampled_run("abcdefghij", drawn), "centred").refused
    ''
    """
    sample = judged.require_sample()
    if sample.complete.all():
        return ""
    if measure.name in _OF_PAPERS:
        return "it is too low where few relevant documents were drawn; AP is estimated nearly without bias"
    inclusion = sample.inclusion
    of_all = isinstance(shape, Average) or (isinstance(shape, Linear) and shape.ideal is not None)
    filled = inclusion.labels is not None and isinstance(shape, Linear) and not shape.counts
    if of_all and not filled and (inclusion.by_effect or math.isfinite(inclusion.reach)):
        return (
            "only documents near the top could be drawn, and how many relevant ones there are is not known from them; take a "
            "sum, such as DCG@10"
        )
    left_out = float((np.isnan(values) & ~sample.complete).mean())
    if left_out > MOST_LEFT_OUT:
        return (
            f"nothing relevant was drawn in {percent(left_out, 0)} of the topics, which are left out and are not like the "
            f"others; {_DRAW}"
        )
    listed = judged.retrieved > 0
    if isinstance(shape, Average):
        stands_for, _ = sample.at_hits(judged)
        at_top = judged.total(where=(stands_for > 0) & (judged.rank <= min(TOP, shape.cutoff)))[listed]
        if at_top.size and at_top.mean() < LEAST_AT_TOP:
            return (
                f"on average {fixed(float(at_top.mean()), 1)} documents were drawn among the first ten of a list, and AP needs "
                f"{LEAST_AT_TOP:g}; {_DRAW}"
            )
    if isinstance(shape, Linear) and kind == "ratio" and not shape.counts:
        weighed = _weighed(judged, shape)[listed]
        if weighed.size and weighed.mean() < LEAST_WEIGHED:
            return (
                f"on average {fixed(float(weighed.mean()), 1)} documents were drawn above the cutoff, and the ratio estimator "
                f"needs {LEAST_WEIGHED:g}; take --estimator centred"
            )
    return ""


def _weighed(judged: JudgedRun, shape: Linear) -> PerTopic:
    """How many documents of each list were drawn, as if their weights were alike: (Σ w/π)² / Σ (w/π)²."""
    stands_for, _ = judged.require_sample().at_hits(judged)
    weight = shape.weight(judged.rank) * stands_for
    return share(judged.total(weight) ** 2, judged.total(weight**2))
