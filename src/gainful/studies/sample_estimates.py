"""Differences of two runs estimated from a sample whose inclusion probabilities are known, for tests that look early.

Of a measure that is a sum of gains over ranks, each judged gain stands for 1 / probability documents. Gains are counted from
their mean m in the whole sample, which is added back for every document that could have been drawn: the estimate stays
without bias, but for that of m, and varies less (difference estimator: Särndal, Swensson and Wretman 1992, chapter 6).

    Σ m · worth  over all documents  +  Σ (gain − m) · worth / probability  over those drawn

worth is what the one run gives a gain at its rank, less what the other gives it. Where the sum is divided by that of an ideal
list, that is estimated too: a document drawn with probability 1/4 stands for four of its gain. A small sample says little of
one topic's ideal list, and dividing by a poor estimate would do harm; it is therefore drawn towards the mean of all topics, the
more so the smaller the share t of the documents that is drawn:

    ideal of the topic = t · its estimate + (1 − t) · mean estimate of the topics

Other measures are estimated as `gainful evaluate --design` does, where that knows how. In all of this an exchange of the two runs
turns the sign of a topic's difference and changes nothing else, which is what the test needs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.estimates import estimate, has_estimator
from gainful.estimates.measure_shapes import Linear, OfFloats, shape_of
from gainful.formats.inclusion import Inclusion
from gainful.judging import JudgedRun, Ranking
from gainful.judging.sampling import Sample
from gainful.measures import Measure
from gainful.studies.candidates import topic_numbers

Floats = NDArray[np.float64]


class DrawnSample(NamedTuple):
    """A sample of the candidates.

    chances  inclusion probability of each row; 0 where it could not be drawn
    drawn    rows in the sample; one that nobody graded counts as not relevant
    share    of the documents that the measure counts, how much is in the sample on average
    """

    chances: Floats
    drawn: NDArray[np.bool_]
    share: float


def estimated_differences(
    evidence: Evidence, measure: Measure, compared: tuple[int, int], sample: DrawnSample
) -> Floats | None:
    """Estimated B − A of each topic; None where the measure has no estimate."""
    shape = shape_of(measure, evidence.top)
    if isinstance(shape, Linear):
        return _of_sums(evidence, shape, compared, sample)
    if not has_estimator(measure, evidence.top):
        return None
    a, b = (np.nan_to_num(estimate(measure, _sampled_run(evidence, run, sample)).values) for run in compared)
    return np.asarray(b - a)


def _of_sums(evidence: Evidence, shape: Linear, compared: tuple[int, int], sample: DrawnSample) -> Floats:
    a, b = compared
    number, topic = len(evidence.topics), topic_numbers(evidence)
    worth = shape.weight(evidence.ranks[b]) - shape.weight(evidence.ranks[a])
    possible = np.flatnonzero(sample.chances > 0)
    rows = np.flatnonzero(sample.drawn & (sample.chances > 0))
    gain, counts = shape.gain(np.maximum(evidence.grade[rows], 0.0)), 1 / sample.chances[rows]
    mean = float(gain @ counts) / float(counts.sum()) if len(rows) else 0.0
    above = np.bincount(topic[possible], mean * worth[possible], number)
    above = above + np.bincount(topic[rows], (gain - mean) * worth[rows] * counts, number)
    if shape.ideal is None:
        return np.asarray(above, np.float64)
    bounds = np.searchsorted(topic[rows], np.arange(number + 1))
    below = np.array(
        [
            ideal_estimate(gain[start:stop], counts[start:stop], shape.ideal)
            for start, stop in pairwise(bounds)
        ]
    )
    below = sample.share * below + (1 - sample.share) * below.mean()
    return np.asarray(np.divide(above, below, out=np.zeros(number), where=below > 0))


def ideal_estimate(gain: Floats, counts: Floats, ideal: OfFloats) -> float:
    """The sum of an ideal list in which each document stands as often as its count says, the best first.

    Two documents of gain 2 and one and a half of gain 1: 2 · (1 + 0.63) + 1 · (0.5 + 0.43 / 2).

    >>> discount = lambda rank: 1 / np.log2(rank + 1)
    >>> round(ideal_estimate(np.array([1.0, 2.0]), np.array([1.5, 2.0]), discount), 4)
    3.9772
    """
    order = np.argsort(-gain, kind="stable")
    ends = np.cumsum(counts[order])
    length = int(np.ceil(ends[-1])) if len(ends) else 0
    sums = np.concatenate(([0.0], np.cumsum(ideal(np.arange(1.0, length + 1)))))
    upto = np.interp(np.concatenate(([0.0], ends)), np.arange(length + 1.0), sums)
    return float(gain[order] @ np.diff(upto))


def judged_run(evidence: Evidence, run: int, sample: Sample | None = None) -> JudgedRun:
    """A run with the grades known by now; with a sample, its documents that were not drawn are among the hits too."""
    topic, number = topic_numbers(evidence), len(evidence.topics)
    grade = evidence.grade if sample is None else sample.grade
    judged = grade >= 0
    rows = np.flatnonzero(np.isfinite(evidence.ranks[run]) & (judged | (sample is not None)))
    rows = rows[np.lexsort((evidence.ranks[run, rows], topic[rows]))]
    return JudgedRun(
        _offsets(topic[rows], number),
        evidence.ranks[run, rows],
        grade[rows],
        pool=Ranking.best_first(_offsets(topic[judged], number), grade[judged], top=evidence.top),
        retrieved=evidence.retrieved[run],
        present=evidence.retrieved[run] > 0,
        row=rows,
        sample=sample,
    )


def _sampled_run(evidence: Evidence, run: int, sample: DrawnSample) -> JudgedRun:
    """A run whose documents were drawn, each for itself: that of fixed numbers does not matter but for variances."""
    chances = np.where(sample.chances > 0, sample.chances, 1.0)
    size = np.full(len(evidence.topics), np.nan)
    inclusion = Inclusion(chances, topic_numbers(evidence), size, True, "the study")
    grade = np.where(sample.drawn, np.maximum(evidence.grade, 0.0), -1.0)
    return judged_run(evidence, run, Sample(inclusion, grade, evidence.offsets))


def _offsets(topic: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.bincount(topic, minlength=number))))
