"""Where an estimate has no interval: one decision for evaluate, compare, gate and report.

The spread of estimates between topics holds both sources of chance, and the interval holds the truth as long as the bias of
the estimate is small beside it. Simulations (docs/design_estimates.md) show where it is not:

    all             documents with a gain were drawn in the lists of fewer than 10 topics (for a difference: documents that it
                    weighs); few topics decide the spread then, and with none of them it is 0. With `centred` the same holds of
                    documents below the best grade. Topics in which all was judged count
    all             all topics in which not everything was judged have one estimate
    shares, AP      of the documents that could be drawn less than 35 % are, on average: from so few, what there is to find is
                    known too badly. This follows from the design, not from the grades: a rule that looks at these gives
                    intervals to samples that are not like the others
    shares, AP      nothing relevant was drawn in more than 2 % of the topics, which are left out: the others are not like them
    shares, AP      only documents above a cutoff could be drawn
    ratio           fewer than 3 documents drawn above the cutoff of a list, on average; documents of different weight 1/π count
                    as (Σ w/π)² / Σ (w/π)²; where the cutoff leaves fewer, 90 % of these
    statAP, infAP,  always: they are biased by an amount that the sample does not show
    xinfAP

Shares are R, nDCG and NCG; where labels by models say what there is to find, nDCG and NCG are free of the rules on that, and
no topic is left out of them; but of strata of which a fixed number was drawn, labels do not make up for a small share, as
they may be worthless.
Then there are bounds in place of an interval, and no test. With every document taken for certain nothing is refused.
"""

from __future__ import annotations

import math

import numpy as np

from gainful.estimates.measure_shapes import Average, Linear, Shape
from gainful.judging import JudgedRun
from gainful.judging.ranking import Floats, PerTopic, share
from gainful.measures import Measure
from gainful.presentation.text_style import counted, fixed, percent

LEAST_TOPICS = 10
MOST_LEFT_OUT = 0.02
LEAST_SHARE = 0.35
LEAST_WEIGHED = 3.0
OF_PLACES = 0.9
"""Share of the places above a cutoff that is enough where these are fewer than a rule asks for."""
_OF_PAPERS = ("statAP", "infAP", "xinfAP")
_ROUNDING = 1e-12


def refusal(
    values: PerTopic,
    judged: JudgedRun,
    measure: Measure,
    shape: Shape | None,
    kind: str,
) -> str:
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
    'on average 1.0 documents were drawn above the cutoff, and the ratio estimator needs 3.0; take --estimator centred'
    >>> estimate(P @ 10, sampled_run("abcdefghij", drawn), "ht").refused
    'documents with a gain were drawn above the cutoff in 1 topic, and an interval needs 10; judge more'
    """
    sample = judged.require_sample()
    if sample.complete.all():
        return ""
    if measure.name in _OF_PAPERS:
        return "it is biased by an amount that the sample does not show; take AP, whose bias is corrected to first order"
    return (
        _beyond_sample(judged, shape)
        or _small_share(judged, shape)
        or _left_out(values, judged)
        or _few_weighed(judged, shape, kind)
        or _few_topics(judged, shape, kind)
        or _alike(values[~sample.complete], "estimate")
    )


def _beyond_sample(judged: JudgedRun, shape: Shape | None) -> str:
    inclusion = judged.require_sample().inclusion
    near_top = inclusion.by_effect or math.isfinite(inclusion.reach)
    if not near_top or not _of_all(shape) or _by_labels(judged, shape):
        return ""
    return (
        "only documents near the top could be drawn, and how many relevant ones there are is not known from them; take a "
        "sum, such as DCG@10"
    )


def _of_all(shape: Shape | None) -> bool:
    """Whether a measure is a share of all that is relevant: R, nDCG, NCG and AP."""
    return isinstance(shape, Average) or (isinstance(shape, Linear) and shape.ideal is not None)


def _by_labels(judged: JudgedRun, shape: Shape | None) -> bool:
    """Whether labels by models say how much there is to find."""
    return (
        judged.require_sample().inclusion.labels is not None
        and isinstance(shape, Linear)
        and not shape.counts
    )


def _left_out(values: PerTopic, judged: JudgedRun) -> str:
    left_out = float((np.isnan(values) & ~judged.require_sample().complete).mean())
    if left_out <= MOST_LEFT_OUT:
        return ""
    return (
        f"nothing relevant was drawn in {percent(left_out, 0)} of the topics, which are left out and are not like the "
        "others; judge more, or take a sum, such as DCG@10"
    )


def _small_share(judged: JudgedRun, shape: Shape | None) -> str:
    sample = judged.require_sample()
    if not _of_all(shape) or (_by_labels(judged, shape) and not sample.of_fixed_size.any()):
        return ""
    if sample.inclusion.listed:
        drawn = float(np.nanmean(sample.inclusion.probability[sample.rows]))
    else:  # those that were drawn stand for the others
        drawn = float(sample.drawn.sum() / sample.weight.sum()) if sample.drawn.any() else 0.0
    if drawn >= LEAST_SHARE:
        return ""
    return (
        f"{percent(drawn, 0)} of the documents are drawn on average, and {percent(LEAST_SHARE, 0)} are needed to know what "
        "there was to find; judge more, or take a sum, such as DCG@10"
    )


def _few_weighed(judged: JudgedRun, shape: Shape | None, kind: str) -> str:
    listed = judged.retrieved > 0
    if not isinstance(shape, Linear) or shape.counts or kind != "ratio" or not listed.any():
        return ""
    weighed = float(_weighed(judged, shape)[listed].mean())
    needed = _needed(LEAST_WEIGHED, _places(judged.retrieved[listed], shape))
    if weighed >= needed:
        return ""
    return (
        f"on average {fixed(weighed, 1)} documents were drawn above the cutoff, and the ratio estimator "
        f"needs {fixed(needed, 1)}; take --estimator centred"
    )


def _few_topics(judged: JudgedRun, shape: Shape | None, kind: str) -> str:
    if not isinstance(shape, Linear | Average):
        return ""
    sample = judged.require_sample()
    gain, weight = _gain_and_weight(judged, shape)
    drawn = (sample.at_hits(judged)[0] > 0) & (weight > 0)
    kinds = {"with a gain": gain > 0}
    if kind == "centred" and isinstance(shape, Linear) and not shape.counts:
        kinds["below the best grade"] = gain < shape.best
    for which, there in kinds.items():
        topics = int(((judged.total(where=drawn & there) > 0) | sample.complete).sum())
        if topics < LEAST_TOPICS:
            return (
                f"documents {which} were drawn above the cutoff in {counted(topics, 'topic')}, and an interval needs "
                f"{LEAST_TOPICS}; judge more"
            )
    return ""


def _alike(values: PerTopic, what: str) -> str:
    known = values[~np.isnan(values)]
    if len(known) < 2 or np.ptp(known) > _ROUNDING * np.abs(known).max():
        return ""
    return f"all topics have one {what}, which leaves no spread to measure chance by; judge more"


def refusal_of_difference(a: JudgedRun, b: JudgedRun, shape: Shape | None, differences: PerTopic) -> str:
    """Why the mean difference of two runs has no interval and no test; "" where it has.

    Where no document that chance decides on weighs in the difference, nothing is refused: it is known.
    """
    sample = a.require_sample()
    if sample.complete.all() or not isinstance(shape, Linear | Average):
        return ""
    weighs = np.abs(_over_pool(b, shape) - _over_pool(a, shape)) > _ROUNDING
    if sample.inclusion.listed and not (weighs & (sample.inclusion.probability[sample.rows] < 1)).any():
        return ""
    grade = sample.grade[sample.rows]
    there = grade >= shape.rel if isinstance(shape, Average) else shape.gain(np.maximum(grade, 0.0)) > 0
    telling = sample.pool.total(where=weighs & sample.drawn & there) > 0
    topics = int((telling | sample.complete).sum())
    if topics < LEAST_TOPICS:
        return (
            f"documents that make a difference were drawn in {counted(topics, 'topic')}, and a test needs {LEAST_TOPICS}; "
            "judge more"
        )
    return _alike(differences[~sample.complete], "difference")


def _gain_and_weight(judged: JudgedRun, shape: Linear | Average) -> tuple[Floats, Floats]:
    """Gain and weight of each hit of a judged run, 0 where it was not drawn or counts for nothing."""
    known = np.maximum(judged.grade, 0.0)
    if isinstance(shape, Average):
        return (judged.grade >= shape.rel).astype(float), np.where(
            judged.rank <= shape.cutoff, 1 / judged.rank, 0.0
        )
    return shape.gain(known), shape.weight(judged.rank)


def _over_pool(judged: JudgedRun, shape: Linear | Average) -> Floats:
    """The weight that a run gives each document of the pool."""
    sample = judged.require_sample()
    spread = np.zeros(len(sample.rows))
    spread[sample.at_hits(judged)[1]] = _gain_and_weight(judged, shape)[1]
    return spread


def _needed(least: float, places: PerTopic) -> float:
    """What a rule asks for, or most of what the lists have places for."""
    return min(least, OF_PLACES * float(places.mean())) if places.size else least


def _places(retrieved: PerTopic, shape: Linear) -> PerTopic:
    """How many documents above the cutoff of each list would have been drawn, as if their weights were alike, were all drawn."""
    weight = shape.weight(np.arange(1.0, retrieved.max(initial=1.0) + 1))
    last = np.maximum(retrieved, 1).astype(int) - 1
    return share(np.cumsum(weight)[last] ** 2, np.cumsum(weight**2)[last])


def _weighed(judged: JudgedRun, shape: Linear) -> PerTopic:
    """How many documents of each list were drawn, as if their weights were alike: (Σ w/π)² / Σ (w/π)²."""
    stands_for, _ = judged.require_sample().at_hits(judged)
    weight = shape.weight(judged.rank) * stands_for
    return share(judged.total(weight) ** 2, judged.total(weight**2))
