"""By rank: a measure against its cutoff, all ranks at once; and gain against reading effort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gainful.curves.curve_data import Curves
from gainful.curves.topic_averages import (
    Average,
    CurveKeywords,
    CurveOptions,
    Sheet,
    check_last_rank,
    counting,
    curves_of,
    ideal_run,
    sheets_of,
)
from gainful.errors import MeasureError, UsageError
from gainful.judging import JudgedRun
from gainful.judging.settings import Settings
from gainful.measures import Measure, parse, parse_many
from gainful.measures._gains import Gain, as_gain, linear
from gainful.measures._many import at_cutoffs, takes_cutoff, without_cutoff
from gainful.measures._parse import _pieces
from gainful.presentation.text_style import listed
from gainful.scores import RunScores, Scores
from gainful.scores.users import MEAN

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

LAST_RANK = 100
"""Default last rank of a curve."""
_AT_ONCE = 1_000_000  # values in memory while a measure is computed


def by_rank(
    scores: Scores,
    measures: str | Measure | Iterable[str | Measure] = "nDCG",
    *,
    to: int | None = None,
    average: Average = "topics",
    **keywords: Unpack[CurveKeywords],
) -> Curves:
    """A measure at every rank from 1 on, for each run.

    scores    of any measures; only the judged runs in them are used
    measures  that take a cutoff: "nDCG", "P", "DCG(discount=jk)", or several; "nDCG@10" ends at rank 10
    to        last rank; by default the cutoff of the measures, else 100
    average   over topics: mean of the "topics", or "ratio" of the mean curve to the mean ideal curve
    keywords  per_topic, ideal, band, resamples, seed, difference: see `gainful.curves.CurveOptions`

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 3, "b": 2, "c": 0}}, {"q": {"c": 3.0, "a": 2.0, "b": 1.0}})
    >>> by_rank(scores, "CG", to=3)[0].values
    array([0., 3., 5.])
    """
    chosen, to = by_rank_measures(measures, scores.settings.rel, to)
    check_last_rank(to, len(scores.runs[0].topics))
    if average not in ("topics", "ratio"):
        raise UsageError(f"average must be topics or ratio; got {average!r}.")
    options = CurveOptions(**keywords)
    sheets = (
        sheet for measure in chosen for sheet in _sheets(scores, measure, to, average, ideal=options.ideal)
    )
    return curves_of(scores, sheets, options)


def by_rank_measures(
    measures: str | Measure | Iterable[str | Measure],
    rel: float | None,
    to: int | None = None,
    depth: int | None = None,
) -> tuple[list[Measure], int]:
    """The measures that are named, without their cutoffs, and the last rank: `to`, or their cutoff, else depth, else 100.

    Of several cutoffs of one measure the last counts.

    >>> by_rank_measures("nDCG@10, P", None), by_rank_measures("nDCG", None), by_rank_measures("P@5,10", None)
    (([nDCG, P], 10), ([nDCG], 100), ([P], 10))
    """
    named = [
        measure
        for item in ([measures] if isinstance(measures, str | Measure) else measures)
        for measure in (_named(item) if isinstance(item, str) else [item])
    ]
    if not named:
        raise MeasureError("no measure was named; write it like nDCG or P(rel=2)")
    deepest: dict[Measure, Measure] = {}
    for measure in named:
        known = deepest.setdefault(_by_rank(measure, rel), measure)
        if (known.cutoff or 0) < (measure.cutoff or 0):
            deepest[_by_rank(measure, rel)] = measure
    chosen, given = list(deepest), list(deepest.values())
    ends = {f"'{measure}'": measure.cutoff for measure in given if measure.cutoff is not None}
    ends |= {"to": to} if to is not None and ends else {}
    if len(set(ends.values())) > 1:
        raise MeasureError(
            f"{listed(list(ends))} end the curves at different ranks ({listed(list(map(str, ends.values())))}); "
            f"write {chosen[0]} for every rank, and give one last rank as to (--to)"
        )
    return chosen, next(iter(ends.values()), (depth or LAST_RANK) if to is None else to)


def values_by_rank(measure: Measure, judged: JudgedRun, to: int) -> tuple[Floats, Booleans]:
    """The value of every topic at every rank down to the rank `to`, and where there was nothing to find: ranks × topics.

    Topics are taken in blocks, which bounds memory and changes no bit.
    """
    ranks, topics = np.arange(1.0, to + 1), len(judged)
    step = max(1, _AT_ONCE // to)
    if topics <= step:
        return at_cutoffs(measure, judged, ranks)
    blocks = [
        at_cutoffs(measure, judged.select(start, min(start + step, topics)), ranks)
        for start in range(0, topics, step)
    ]
    values, undefined = zip(*blocks, strict=True)
    return np.concatenate(values, axis=1), np.concatenate(undefined, axis=1)


def _sheets(scores: Scores, measure: Measure, to: int, average: Average, *, ideal: bool) -> Iterator[Sheet]:
    of = measure.params.get("ideal", "judged")
    own = of in ("retrieved", "hits")
    if of == "uncut" and average == "ratio":
        raise MeasureError(
            f"{measure}: sums of topics have no ideal that grows with the rank; leave --average ratio out"
        )
    summed = _above_the_line(measure) if average == "ratio" else measure
    if ideal and measure.needs is not None:
        raise MeasureError(f"{measure}: the list sorted by grade is not its ideal list; leave --ideal out")
    at = np.arange(1.0, to + 1)
    best: tuple[Floats, Booleans] | None = None
    for run, values, undefined in _each_run(scores, summed, to):
        if (ideal or average == "ratio") and (best is None or own):
            gain = measure.params.get("gain", linear)
            best = values_by_rank(summed, ideal_run(run.judged, gain, of=of), to)
        if average == "ratio":
            assert best is not None
            above, below = values * run.evaluated, best[0] * run.evaluated
        else:
            above, below = counting(values, undefined, run.evaluated, scores.settings)
        yield Sheet(run.name, "rank", str(measure), at, above, below, average)
        if ideal and best is not None and (own or run is scores.runs[-1]):
            yield _ideal_sheet(run, measure, at, best, average, own=own, settings=scores.settings)


def _each_run(scores: Scores, measure: Measure, to: int) -> Iterator[tuple[RunScores, Floats, Booleans]]:
    """Each run with its values at every rank; where there are several users, also the mean of theirs."""
    users: list[tuple[Floats, Booleans]] = []
    for run in scores:
        if run.user == MEAN:
            undefined: Booleans = np.logical_and.reduce([nothing for _, nothing in users])
            yield run, np.mean([values for values, _ in users], axis=0), undefined
            users = []
            continue
        by_topic = values_by_rank(measure, run.judged, to)
        users += [] if run.user is None else [by_topic]
        yield run, *by_topic


def _ideal_sheet(
    run: RunScores,
    measure: Measure,
    at: Floats,
    best: tuple[Floats, Booleans],
    average: Average,
    *,
    own: bool,
    settings: Settings,
) -> Sheet:
    everywhere = np.ones(len(run.topics), dtype=np.bool_)
    if average == "ratio":
        above, below = best[0], best[0]
    else:
        above, below = counting(*best, everywhere, settings)
    name = f"ideal of {run.name}" if own else "ideal"
    return Sheet(name, "rank", str(measure), at, above, below, average, role="ideal")


def _above_the_line(measure: Measure) -> Measure:
    """The measure whose mean curve is divided by the mean ideal curve: DCG for nDCG, and for DCG itself."""
    declared = measure.definition.share_of
    if declared is not None:
        given = {name: value for name, value in measure._given.items() if name not in ("ideal", "cutoff")}
        return parse(declared)(**given) if given else parse(declared)
    if measure.bounds[1] == float("inf") and "gain" in measure.definition.parameters:
        return measure
    raise MeasureError(
        f"{measure} has no ideal value to divide by; average=ratio is for CG, DCG, NCG and nDCG"
    )


def _by_rank(measure: Measure, rel: float | None) -> Measure:
    """The measure for every rank, refused where it has no cutoff."""
    if not takes_cutoff(measure):
        raise MeasureError(
            f"{measure} has no cutoff, so it has no curve by rank; use nDCG, P, R or another measure with a cutoff"
        )
    if measure.summary not in ("mean", "sum"):
        raise MeasureError(
            f"{measure} is a {measure.summary} over topics, and curves are means; write {measure.name}"
        )
    measure = without_cutoff(measure)
    return measure(rel=rel) if rel is not None and measure.leaves("rel") else measure


def _named(text: str) -> list[Measure]:
    """The measures that a text names; unlike elsewhere they need no cutoff, and P@5,10 has two."""
    return [
        measure
        for piece in _pieces(text)
        for measure in (parse_many(piece) if "@" in piece else [parse(piece)])
    ]


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
    above, below = counting(values, undefined, run.evaluated, run.settings)
    return Sheet(run.name, "effort" if cost else "documents read", f"share of gain({gain})", at, above, below)


def _extra(grade: Floats, cost: dict[float, float]) -> Floats:
    """What documents of these grades cost beyond 1."""
    extra = np.zeros_like(grade)
    for dear, price in cost.items():
        extra[grade == dear] = price - 1
    return extra
