"""From values at every point and topic to curves: topics are averaged, with a band by resampling them, or shown one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from gainful.curves.curve_data import Band, Curve, Curves, Role
from gainful.errors import UsageError
from gainful.formats.ids import check_judged
from gainful.judging import JudgedRun, Ranking
from gainful.judging.record import Ideal
from gainful.judging.settings import Settings
from gainful.measures._gains import Gain, linear
from gainful.scores import RunScores, Scores
from gainful.scores.model_scores import people_alone
from gainful.statistics.exact_sums import exact_sums
from gainful.statistics.resampling import BAND_RESAMPLES, SEED, band_counts

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Average = Literal["topics", "ratio"]
_MOST = 100_000_000  # values of a curve, ranks × topics
_AT_ONCE = 4_000_000  # numbers held while resampling


@dataclass(frozen=True, eq=False)
class Sheet:
    """One run's values at every point and topic.

    above    what is averaged: points × topics, 0 where a topic does not count
    below    what it is divided by once summed: 1 where the topic counts there, or the ideal's value
    areas    under each topic's curve, by name
    """

    run: str
    x: str
    y: str
    at: Floats
    above: Floats
    below: Floats
    average: Average = "topics"
    areas: Mapping[str, Floats] = field(default_factory=dict)
    role: Role = "run"

    @property
    def counted(self) -> Booleans:
        """The topics that count at any point."""
        counted: Booleans = np.any(self.below > 0, axis=0)
        return counted

    def of(self, topics: Booleans) -> Sheet:
        """The sheet with these topics alone; the others no longer count."""
        return replace(self, above=self.above * topics, below=self.below * topics)


@dataclass(frozen=True)
class CurveOptions:
    """Which curves are computed, and with which bands.

    per_topic   whether each topic has a curve beside the average; or the ids of topics that have one instead of it
    ideal       whether the ideal list has a curve
    band        confidence level of a band around the average, such as 0.95; None is no band
    resamples   bootstrap resamples of topics behind a band
    seed        random seed of the resampling
    difference  whether two runs have a curve of their difference: the second minus the first, the baseline
    """

    per_topic: bool | Sequence[str] = False
    ideal: bool = False
    band: float | None = None
    resamples: int = BAND_RESAMPLES
    seed: int = SEED
    difference: bool = False


class CurveKeywords(TypedDict, total=False):
    """The fields of CurveOptions, as keywords."""

    per_topic: bool | Sequence[str]
    ideal: bool
    band: float | None
    resamples: int
    seed: int
    difference: bool


def check_last_rank(to: int, topics: int) -> None:
    """Raise where a curve has no point, or more than memory is likely to hold."""
    if to < 1:
        raise UsageError(f"to, the last rank of a curve, must be 1 or more; got {to}.")
    if to * topics > _MOST:
        raise UsageError(
            f"{to:,} ranks of {topics:,} topics are too many values for memory; use fewer ranks (--to) or topics."
        )


def curves_of(scores: Scores, sheets: Iterable[Sheet], options: CurveOptions) -> Curves:
    """The curves of each run, as the options ask for them."""
    scores.settings.need_an_order("a curve")
    if options.difference and len(scores) != 2:
        raise UsageError(f"a difference is of two runs; got {len(scores)}.")
    if options.band is not None and not 0 < options.band < 1:
        raise UsageError(f"band is a confidence level between 0 and 1, such as 0.95; got {options.band:g}.")
    shown_topics = _places(scores, options.per_topic)
    times = (
        None
        if options.band is None
        else draws(len(scores.runs[0].topics), resamples=options.resamples, seed=options.seed)
    )
    curves: list[Curve] = []
    pairs: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        curves += [_of_topic(sheet, topic, name) for topic, name in shown_topics]
        if isinstance(options.per_topic, bool):
            curves.append(_averaged(sheet, options, times))
            if options.difference and sheet.role == "run":
                pairs.setdefault(sheet.y, []).append(sheet)
    curves += [_difference(first, second, options, times) for first, second in pairs.values()]
    described = scores.to_dict(per_topic=False)
    return Curves(
        tuple(curves),
        described["settings"],
        scores.settings.stated() + people_alone(scores),
        described["qrels"],
        tuple(scores.notes),
    )


def sheets_of(
    scores: Scores,
    sheet: Callable[[RunScores, JudgedRun], Sheet],
    *,
    ideal: bool,
    gain: Gain = linear,
) -> Iterator[Sheet]:
    """The sheet of each run; with `ideal`, also that of the ideal list, best gain first."""
    for run in scores:
        yield sheet(run, run.judged)
    if ideal:
        last = scores.runs[-1]
        yield replace(sheet(last, ideal_run(last.judged, gain)), run="ideal", role="ideal")


def counting(
    values: Floats, undefined: Booleans, evaluated: Booleans, settings: Settings
) -> tuple[Floats, Floats]:
    """Numerators and denominators of a mean over the evaluated topics; undefined topics are what the settings say."""
    counted = np.broadcast_to(evaluated, values.shape)
    if settings.undefined == "skip":
        counted = counted & ~undefined
    elif settings.undefined != "keep":
        values = np.where(undefined, float(settings.undefined), values)
    return np.where(counted, values, 0.0), counted.astype(np.float64)


def _places(scores: Scores, topics: bool | Sequence[str]) -> list[tuple[int, str]]:
    known = scores.runs[0].topics
    if isinstance(topics, bool):
        return list(enumerate(known)) if topics else []
    place = {name: number for number, name in enumerate(known)}
    for name in topics:
        check_judged(name, place)
    return [(place[name], name) for name in topics]


def _of_topic(sheet: Sheet, topic: int, name: str) -> Curve:
    above, below = sheet.above[:, topic], sheet.below[:, topic]
    value = above / np.where(below == 0, np.nan, below)
    areas = {how: float(area[topic]) for how, area in sheet.areas.items()}
    return Curve(sheet.run, name, sheet.x, sheet.y, _points(sheet.at, value), areas=areas, role=sheet.role)


def _averaged(sheet: Sheet, options: CurveOptions, times: Floats | None) -> Curve:
    band = None
    if times is not None and options.band is not None and sheet.role != "ideal":
        ends = limits_in_blocks(sheet.above, sheet.below, times, options.band)
        band = Band(*ends, options.band, options.resamples, options.seed)
    return _mean_curve(sheet, _summed(sheet), sheet.areas, sheet.counted, band)


def _difference(baseline: Sheet, candidate: Sheet, options: CurveOptions, times: Floats | None) -> Curve:
    """Candidate minus baseline, over the topics that count for both."""
    common = baseline.counted & candidate.counted
    baseline, candidate = baseline.of(common), candidate.of(common)
    value = _summed(candidate) - _summed(baseline)
    areas = {how: area - baseline.areas[how] for how, area in candidate.areas.items()}
    band = None
    if times is not None and options.band is not None:
        apart = resampled(candidate.above, candidate.below, times) - resampled(
            baseline.above, baseline.below, times
        )
        band = Band(*limits(apart, options.band), options.band, options.resamples, options.seed)
    name = f"{candidate.run} − {baseline.run}"
    return _mean_curve(replace(baseline, run=name, role="difference"), value, areas, common, band)


def _mean_curve(
    sheet: Sheet, value: Floats, areas: Mapping[str, Floats], counted: Booleans, band: Band | None
) -> Curve:
    """The curve of a mean over the topics that count; its areas are means of theirs, or the mean of its values."""
    return Curve(
        sheet.run,
        None,
        sheet.x,
        sheet.y,
        _points(sheet.at, value),
        band=band,
        average=sheet.average,
        topics=int(counted.sum()),
        areas={how: _mean(area[counted]) for how, area in areas.items()} or {"step": _mean(value)},
        role=sheet.role,
    )


def _summed(sheet: Sheet) -> Floats:
    """Sum of numerators over sum of denominators, summed exactly, so that a mean equals that of `evaluate` in every bit."""
    above, below = exact_sums(sheet.above), exact_sums(sheet.below)
    means: Floats = np.full(len(above), math.nan)
    np.divide(above, below, out=means, where=below != 0)
    return means


def _mean(values: Floats) -> float:
    return math.fsum(values) / len(values) if len(values) else math.nan


def _points(x: Floats, y: Floats) -> Floats:
    return np.stack([x, y], axis=1)


def ideal_run(judged: JudgedRun, gain: Gain = linear, *, of: Ideal = "judged") -> JudgedRun:
    """An ideal run: every judged document, best gain first; or only those that the run retrieved, or no more than it returned.

    >>> from gainful.judging import judged_run
    >>> ideal_run(judged_run([0, 3], judged=[1, 3, 0])).grade
    array([3., 1., 0.])
    """
    best = judged.ideal(gain, of=of)
    best = best if best.grade.min(initial=0) >= 0 else _judged_alone(best)
    return JudgedRun(
        best.offsets,
        best.rank,
        best.grade,
        pool=judged.pool,
        retrieved=np.diff(best.offsets).astype(np.float64),
        present=np.ones(len(best), dtype=np.bool_),
    )


def _judged_alone(best: Ranking) -> Ranking:
    """Without negative grades, which are in the pool but not judged; they stand last, so no rank changes."""
    counts = best.total(where=best.grade >= 0)
    return best.cut(counts)


def draws(topics: int, *, resamples: int = BAND_RESAMPLES, seed: int = SEED) -> Floats:
    """How often each topic is drawn in each resample: resamples × topics, every row sums to the number of topics.

    >>> draws(3, resamples=2, seed=1).sum(axis=1)
    array([3., 3.])
    """
    if resamples < 1:
        raise UsageError(f"resamples must be 1 or more; got {resamples}.")
    if seed < 0:
        raise UsageError(f"seed must be 0 or more; got {seed}.")
    return band_counts(seed, topics, resamples).astype(np.float64)


def resampled(above: Floats, below: Floats, times: Floats) -> Floats:
    """Sum of numerators over sum of denominators, in each resample.

    above, below  numerators and denominators, points × topics; for a mean over topics, below is 1 where a topic counts
    times         how often each topic is drawn: resamples × topics

    >>> resampled(np.array([[1.0, 3.0]]), np.array([[1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 1.0]]))
    array([[1., 2.]])
    """
    same = len(below) > 1 and bool((below == below[:1]).all())  # the same topics count at every point
    divisor = (below[:1] if same else below) @ times.T
    return (above @ times.T) / np.where(divisor == 0, np.nan, divisor)


def limits(values: Floats, level: float) -> tuple[Floats, Floats]:
    """The middle share `level` of the values in each row: where it begins and where it ends.

    >>> limits(np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]), 0.5)
    (array([2.]), array([4.]))
    """
    if not 0 < level < 1:
        raise UsageError(f"band is a confidence level between 0 and 1, such as 0.95; got {level:g}.")
    tail = (1 - level) / 2
    if np.isnan(values).any():  # resamples in which no topic counts say nothing
        defined = ~np.isnan(values).all(axis=1)
        low, high = np.full((2, len(values)), np.nan)
        if defined.any():
            low[defined], high[defined] = np.nanquantile(values[defined], [tail, 1 - tail], axis=1)
        return low, high
    low, high = np.quantile(values, [tail, 1 - tail], axis=1)
    return low, high


def limits_in_blocks(above: Floats, below: Floats, times: Floats, level: float) -> tuple[Floats, Floats]:
    """The limits of each point; points are resampled some at a time, which bounds memory."""
    step = max(1, _AT_ONCE // len(times))
    blocks = [
        limits(resampled(above[at : at + step], below[at : at + step], times), level)
        for at in range(0, len(above), step)
    ]
    low, high = zip(*blocks, strict=True)
    return np.concatenate(low), np.concatenate(high)
