"""ROC among judged documents: relevant ones found against not relevant ones passed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gainful.curves.curve_data import Curves
from gainful.curves.recall_curves import level_of_relevance, shares_of
from gainful.curves.topic_averages import Asked, Sheet, Wanted, curves_of, ideal_run
from gainful.judging import JudgedRun
from gainful.scores import RunScores, Scores

Floats = NDArray[np.float64]

LEVELS = 101


def roc(
    scores: Scores, *, levels: int = LEVELS, rel: float | None = None, **wanted: Unpack[Wanted]
) -> Curves:
    """Share of the relevant documents found, against the share of the others passed; judged documents alone.

    levels  how many points along the axis, evenly from 0 to 1
    rel     lowest grade that is relevant; 1, unless the scores were made with another
    wanted  per_topic, ideal, band, resamples, seed, difference: see `gainful.curves.Asked`

    Judged documents that were not retrieved come after all others, in no order: there the curve is a straight line.
    A topic without relevant or without other judged documents has no curve, and is left out of the average.
    The area is the chance that a relevant document stands before another one (a half where neither was retrieved).

    >>> from gainful import evaluate
    >>> scores = evaluate({"q": {"a": 1, "b": 0, "c": 1, "d": 0}}, {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    >>> roc(scores, levels=3)[0].points.tolist(), roc(scores)[0].areas
    ([[0.0, 0.5], [0.5, 1.0], [1.0, 1.0]], {'line': 0.75})
    """
    asked = Asked(**wanted)
    return curves_of(
        scores, _sheets(scores, shares_of(levels), level_of_relevance(scores, rel), ideal=asked.ideal), asked
    )


def _sheets(scores: Scores, shares: list[Fraction], rel: float, *, ideal: bool) -> Iterator[Sheet]:
    for run in scores:
        yield _sheet(run, run.name, run.judged, shares, rel)
    if ideal:
        last = scores.runs[-1]
        yield _sheet(last, "ideal", ideal_run(last.judged), shares, rel)


def _sheet(run: RunScores, name: str, judged: JudgedRun, shares: list[Fraction], rel: float) -> Sheet:
    relevant = judged.count(rel)
    others = judged.count(0) - relevant
    values = np.zeros((len(shares), len(judged)))
    under = np.full(len(judged), np.nan)  # a topic without one of the two kinds has no curve, and no area
    there = (relevant > 0) & (others > 0) & run.evaluated
    for topic in np.flatnonzero(there):
        grade = judged.grade[judged.offsets[topic] : judged.offsets[topic + 1]]
        values[:, topic], under[topic] = _of_topic(
            grade[grade >= 0] >= rel, int(relevant[topic]), int(others[topic]), shares
        )
    below = np.broadcast_to(there, values.shape).astype(np.float64)
    at = np.array([float(part) for part in shares])
    role = "ideal" if name == "ideal" and judged is not run.judged else "run"
    return Sheet(name, "others passed", "relevant found", at, values, below, areas={"line": under}, role=role)  # type: ignore[arg-type]


def _of_topic(
    is_relevant: NDArray[np.bool_], relevant: int, others: int, shares: list[Fraction]
) -> tuple[Floats, float]:
    """The share of relevant documents found at each share of others passed, and the area."""
    found = np.cumsum(is_relevant)
    before_other = found[~is_relevant]  # relevant ones found before each of the others
    retrieved, passed = int(found[-1]) if len(found) else 0, len(before_other)
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
