"""Gain against reading effort: the share of all gain that a reader has after reading a number of documents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gainful.curves.curve_data import Curves
from gainful.curves.rank_curves import LAST_RANK
from gainful.curves.topic_averages import (
    CurveKeywords,
    CurveOptions,
    Sheet,
    check_last_rank,
    counting,
    curves_of,
    sheets_of,
)
from gainful.errors import UsageError
from gainful.judging import JudgedRun
from gainful.measures._gains import Gain, as_gain
from gainful.scores import RunScores, Scores

Floats = NDArray[np.float64]


def effort(
    scores: Scores,
    *,
    to: int = LAST_RANK,
    gain: str | Mapping[float, float] | Gain = "linear",
    cost: Mapping[float, float] | None = None,
    **keywords: Unpack[CurveKeywords],
) -> Curves:
    """Share of all there is to gain that a reader has, against what she has read.

    to      how much she reads at most; a document costs 1, unless `cost` says otherwise
    gain    worth of a grade: linear is the grade, exp is 2^grade − 1, or a table {grade: gain}
    cost    what reading a document of a grade costs, {grade: cost}; all others, unjudged ones too, cost 1
    keywords  per_topic, ideal, band, resamples, seed, difference: see `gainful.curves.CurveOptions`

    A document's gain is had when it has been read to its end.

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}})
    >>> effort(scores, to=4, cost={1: 2})[0].values
    array([0. , 0.5, 0.5, 0.5])
    """
    check_last_rank(to, len(scores.runs[0].topics))
    costs = {float(grade): float(price) for grade, price in (cost or {}).items()}
    if any(not price > 0 or not np.isfinite(price) for price in costs.values()):
        raise UsageError("the cost of reading a document must be above 0.")
    options, worth = CurveOptions(**keywords), as_gain(gain)
    sheet = partial(_sheet, to=to, gain=worth, cost=costs)
    return curves_of(scores, sheets_of(scores, sheet, ideal=options.ideal, gain=worth), options)


def _sheet(run: RunScores, judged: JudgedRun, *, to: int, gain: Gain, cost: dict[float, float]) -> Sheet:
    at = np.arange(1.0, to + 1)
    spent, gained = (
        judged.rank + judged.running(_extra(judged.grade, cost)),
        judged.running(gain(judged.grade)),
    )
    everything = judged.pool.total(gain(judged.pool.grade))
    values = np.zeros((to, len(judged)))
    for topic in range(len(judged)):
        hits = slice(judged.offsets[topic], judged.offsets[topic + 1])
        read = np.searchsorted(spent[hits], at, side="right")
        values[:, topic] = np.append(0.0, gained[hits])[read]
    undefined = np.broadcast_to(everything == 0, values.shape)
    values = values / np.where(everything == 0, 1.0, everything)
    above, below = counting(values, undefined, run.evaluated, skip=run.settings.undefined == "skip")
    return Sheet(run.name, "effort" if cost else "documents read", f"share of gain({gain})", at, above, below)


def _extra(grade: Floats, cost: dict[float, float]) -> Floats:
    """What documents of these grades cost beyond 1."""
    extra = np.zeros_like(grade)
    for listed, price in cost.items():
        extra[grade == listed] = price - 1
    return extra
