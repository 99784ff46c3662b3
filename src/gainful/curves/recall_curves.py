"""Curves over the share of relevant documents found: precision against recall, and ROC among judged documents.

Precision is given at every rank of a topic, or interpolated at levels of recall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from gainful.curves.curve_data import Curve, Curves
from gainful.curves.topic_averages import (
    CurveKeywords,
    CurveOptions,
    Sheet,
    counting,
    curves_of,
    ideal_run,
    sheets_of,
)
from gainful.errors import UsageError
from gainful.judging import JudgedRun
from gainful.measures._series import exact, needed
from gainful.scores import RunScores, Scores

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

LEVELS = 11
"""Default number of recall levels, evenly from 0 to 1."""

ROC_POINTS = 101
MOST_LEVELS = 100_000
"""Most levels of a curve; more cannot be seen in a chart."""


class RelevantFound(NamedTuple):
    """The relevant documents that a run retrieved.

    offsets    those of topic t are offsets[t] to offsets[t + 1]
    precision  at each of them: how many there are down to it / its rank
    relevant   for each topic, how many are judged relevant
    """

    offsets: Integers
    precision: Floats
    relevant: Floats


def precision_recall(
    scores: Scores,
    *,
    levels: int | Sequence[float] = LEVELS,
    rel: float | None = None,
    **keywords: Unpack[CurveKeywords],
) -> Curves:
    """Interpolated precision at levels of recall: the best precision at that recall or any higher one.

    levels  how many, evenly from 0 to 1; or the levels themselves
    rel     lowest grade that is relevant; 1, unless the scores were made with another
    keywords  per_topic, ideal, band, resamples, seed, difference: see `gainful.curves.CurveOptions`

    A level that a list does not reach has precision 0. How many documents a level asks for is exact: a tenth of 30
    is 3. The areas are those under the raw points: "step" is AP, "line" joins the points with straight lines.

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}})
    >>> precision_recall(scores, levels=3)[0].points.tolist()
    [[0.0, 1.0], [0.5, 1.0], [1.0, 0.6666666666666666]]
    """
    sheet = partial(_precision_sheet, shares=shares_of(levels), rel=level_of_relevance(scores, rel))
    options = CurveOptions(**keywords)
    return curves_of(scores, sheets_of(scores, sheet, ideal=options.ideal), options)


def raw_points(
    scores: Scores, topics: Sequence[str] | None = None, *, rel: float | None = None, ideal: bool = False
) -> Curves:
    """Precision and recall at every rank of each topic.

    Beyond the list, precision is taken as 0 at every recall that is left.

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0}})
    >>> raw_points(scores)[0].points.tolist()
    [[0.5, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    rel = level_of_relevance(scores, rel)
    empty = curves_of(scores, (), CurveOptions(per_topic=topics or False))
    place = {topic: number for number, topic in enumerate(scores.runs[0].topics)}
    places = list(place.values()) if topics is None else [place[topic] for topic in topics]
    curves = [curve for run in scores for curve in _raw_curves(run, run.name, run.judged, places, rel)]
    if ideal:
        best = scores.runs[0]
        curves += [
            replace(curve, role="ideal")
            for curve in _raw_curves(best, "ideal", ideal_run(best.judged), places, rel)
        ]
    return Curves(tuple(curves), empty.settings, empty.stated, empty.qrels, empty.notes)


def found_relevant(judged: JudgedRun, rel: float) -> RelevantFound:
    """The relevant documents retrieved, all topics at once."""
    relevant = judged.grade >= rel
    so_far = judged.running(relevant)
    offsets = np.concatenate(([0], np.cumsum(judged.total(where=relevant)))).astype(np.intp)
    return RelevantFound(offsets, so_far[relevant] / judged.rank[relevant], judged.count(rel))


def interpolated(relevant: RelevantFound, shares: Sequence[Fraction]) -> Floats:
    """The best precision at each share of the relevant documents, or at a larger one: shares × topics."""
    best = np.empty_like(relevant.precision)
    for start, stop in zip(relevant.offsets[:-1], relevant.offsets[1:], strict=True):
        best[start:stop] = np.maximum.accumulate(relevant.precision[start:stop][::-1])[::-1]
    best = np.append(best, 0.0)
    start, counts = relevant.offsets[:-1], np.diff(relevant.offsets)
    values = np.empty((len(shares), len(counts)))
    for number, part in enumerate(shares):
        place = np.maximum(needed(part, relevant.relevant), 1).astype(np.intp)
        values[number] = best[np.where(place <= counts, start + place - 1, len(best) - 1)]
    return values


def areas(relevant: RelevantFound) -> dict[str, Floats]:
    """The area under each topic's points, in steps (AP) and with straight lines between the points."""
    topics = len(relevant.relevant)
    before = np.empty_like(relevant.precision)
    before[1:] = relevant.precision[:-1]
    first = relevant.offsets[:-1][np.diff(relevant.offsets) > 0]
    before[first] = relevant.precision[first]
    out_of = np.where(relevant.relevant == 0, np.nan, relevant.relevant)
    sums = {}
    for name, heights in (("step", relevant.precision), ("line", (relevant.precision + before) / 2)):
        summed = np.zeros(topics)
        if len(first):
            summed[np.diff(relevant.offsets) > 0] = np.add.reduceat(heights, first)
        sums[name] = np.nan_to_num(summed / out_of)
    return sums


def _precision_sheet(run: RunScores, judged: JudgedRun, *, shares: Sequence[Fraction], rel: float) -> Sheet:
    relevant = found_relevant(judged, rel)
    values = interpolated(relevant, shares)
    undefined = np.broadcast_to(relevant.relevant == 0, values.shape)
    above, below = counting(values, undefined, run.evaluated, run.settings)
    at = np.array([float(part) for part in shares])
    return Sheet(run.name, "recall", "precision", at, above, below, areas=areas(relevant))


def _raw_curves(
    run: RunScores, name: str, judged: JudgedRun, topics: Sequence[int], rel: float
) -> Iterator[Curve]:
    under = areas(found_relevant(judged, rel))
    relevant = judged.count(rel)
    for topic in topics:
        hits = slice(judged.offsets[topic], judged.offsets[topic + 1])
        ranks = judged.rank[hits][judged.grade[hits] >= rel]
        # an ideal list ends where there is nothing more to find
        last = relevant[topic] if judged is not run.judged else judged.retrieved[topic]
        by_name = {how: float(area[topic]) for how, area in under.items()}
        curve = raw_curve(name, run.topics[topic], ranks, int(last), int(relevant[topic]))
        yield replace(curve, areas=by_name)


def raw_curve(run: str, topic: str, ranks: Floats, retrieved: int, relevant: int) -> Curve:
    """Recall and precision at each rank of a list; then the recall that it does not reach, at precision 0.

    ranks      of the relevant documents
    retrieved  number of documents in the list
    relevant   number of relevant documents in all

    >>> raw_curve("bm25", "q", np.array([1.0, 3.0]), 3, 4).points.round(2).tolist()
    [[0.25, 1.0], [0.25, 0.5], [0.5, 0.67], [0.75, 0.0], [1.0, 0.0]]
    """
    if relevant == 0:
        return Curve(run, topic, "recall", "precision", np.empty((0, 2)))
    rank = np.arange(1.0, retrieved + 1)
    so_far = np.searchsorted(ranks, rank, side="right")
    beyond = np.arange(len(ranks) + 1, relevant + 1)
    recall = np.concatenate([so_far, beyond]) / relevant
    points = np.stack([recall, np.concatenate([so_far / rank, np.zeros(len(beyond))])], axis=1)
    return Curve(run, topic, "recall", "precision", points, ranks=retrieved)


def shares_of(levels: int | Sequence[float]) -> list[Fraction]:
    """`levels` shares evenly from 0 to 1, or those given, each read as the decimal that is written.

    >>> shares_of(3), shares_of([0.1])
    ([Fraction(0, 1), Fraction(1, 2), Fraction(1, 1)], [Fraction(1, 10)])
    """
    if isinstance(levels, int):
        if not 2 <= levels <= MOST_LEVELS:
            raise UsageError(f"levels must be 2 to {MOST_LEVELS:,}, or a list of them; got {levels:,}.")
        return [Fraction(point, levels - 1) for point in range(levels)]
    shares = [exact(level) for level in levels if 0 <= level <= 1]
    if not shares or len(shares) < len(levels) or sorted(set(shares)) != shares:
        raise UsageError("levels must lie between 0 and 1, each larger than the one before.")
    return shares


def level_of_relevance(scores: Scores, rel: float | None) -> float:
    """The lowest grade that is relevant: rel if given, else that of the scores, else 1."""
    if rel is not None:
        return rel
    return 1 if scores.settings.rel is None else scores.settings.rel


def roc(
    scores: Scores, *, levels: int = ROC_POINTS, rel: float | None = None, **keywords: Unpack[CurveKeywords]
) -> Curves:
    """Share of the relevant documents found, against the share of the others passed; judged documents alone.

    levels  how many points along the axis, evenly from 0 to 1
    rel     lowest grade that is relevant; 1, unless the scores were made with another
    keywords  per_topic, ideal, band, resamples, seed, difference: see `gainful.curves.CurveOptions`

    Judged documents that were not retrieved come after all others, in no order: there the curve is a straight line.
    A topic without relevant or without other judged documents has no curve, and is left out of the average.
    The area is the chance that a relevant document stands before another one (a half where neither was retrieved).

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 1, "b": 0, "c": 1, "d": 0}}, {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    >>> roc(scores, levels=3)[0].points.tolist(), roc(scores)[0].areas
    ([[0.0, 0.5], [0.5, 1.0], [1.0, 1.0]], {'line': 0.75})
    """
    sheet = partial(_roc_sheet, shares=shares_of(levels), rel=level_of_relevance(scores, rel))
    options = CurveOptions(**keywords)
    return curves_of(scores, sheets_of(scores, sheet, ideal=options.ideal), options)


def _roc_sheet(run: RunScores, judged: JudgedRun, *, shares: Sequence[Fraction], rel: float) -> Sheet:
    relevant = judged.count(rel)
    others = judged.count(0) - relevant
    values = np.zeros((len(shares), len(judged)))
    under = np.full(len(judged), np.nan)  # a topic without one of the two kinds has no curve, and no area
    there = (relevant > 0) & (others > 0) & run.evaluated
    for topic in np.flatnonzero(there):
        grade = judged.grade[judged.offsets[topic] : judged.offsets[topic + 1]]
        values[:, topic], under[topic] = _roc_of_topic(
            grade[grade >= 0] >= rel, int(relevant[topic]), int(others[topic]), shares
        )
    below = np.broadcast_to(there, values.shape).astype(np.float64)
    at = np.array([float(part) for part in shares])
    return Sheet(run.name, "others passed", "relevant found", at, values, below, areas={"line": under})


def _roc_of_topic(
    is_relevant: NDArray[np.bool_], relevant: int, others: int, shares: Sequence[Fraction]
) -> tuple[Floats, float]:
    """The share of relevant documents found at each share of others passed, and the area."""
    found_so_far = np.cumsum(is_relevant)
    before_other = found_so_far[~is_relevant]  # relevant ones found before each of the others
    retrieved, passed = int(found_so_far[-1]) if len(found_so_far) else 0, len(before_other)
    # from the last of the others retrieved on, every document not retrieved is as likely as any other to come next
    left = others - passed
    rising = retrieved + (relevant - retrieved) * np.arange(left + 1) / max(left, 1)
    until = np.concatenate([before_other, rising]) if left else np.append(before_other, float(relevant))
    values = np.empty(len(shares))
    for number, part in enumerate(shares):
        place = part * others
        whole = int(place)
        values[number] = until[whole]
        if whole >= passed and whole < others:
            values[number] += float(place - whole) * (until[whole + 1] - until[whole])
    area = before_other.sum() + left * (retrieved + relevant) / 2
    return values / relevant, float(area) / (relevant * others)
