"""Bounds of one run's values, for measures that have no estimator and for documents that were not chosen by chance.

Open are the documents at ranks down to the measure's cutoff (or to rank 100) that nobody judged, and the documents
that are listed as not drawn. Each may have any grade from 0 to the best in the judgments.
"""

from __future__ import annotations

import numpy as np

from gainful.estimates.grade_extremes import TopicGrades
from gainful.estimates.measure_shapes import shape_of
from gainful.judging import JudgedRun
from gainful.judging.ranking import Floats, PerTopic
from gainful.measures import Measure

DEPTH = 100
"""Ranks whose documents are open, for measures without a cutoff."""


def bounds_by_topic(measure: Measure, judged: JudgedRun) -> tuple[PerTopic, PerTopic]:
    """The least and the greatest value of each topic, whatever the grades of its open documents are.

    Rank 1 is open, rank 2 relevant: RR is 1/2 or 1.

    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import RR
    >>> bounds_by_topic(RR, sampled_run("ab", {"b": (1, 0.5)}))
    (array([0.5]), array([1.]))
    """
    top = judged.top or 1.0
    shape = shape_of(measure, top)
    topics = len(judged)
    if shape is None:
        low, high = measure.bounds
        return np.full(topics, low), np.full(topics, high)
    ends = np.empty((2, topics))
    for topic in range(topics):
        grade, opened, ranks = _documents(judged, topic, measure.cutoff or DEPTH)
        of_topic = TopicGrades(shape, measure, grade, opened, top)
        nowhere = np.full_like(ranks, np.inf)
        ends[:, topic] = -of_topic.most(nowhere, ranks), of_topic.most(ranks, nowhere)
    return ends[0], ends[1]


def _documents(judged: JudgedRun, topic: int, depth: int) -> tuple[Floats, np.ndarray, Floats]:
    """Grade, whether it is open, and rank of each document of a topic that counts; rank infinity where it is not retrieved."""
    hits = slice(judged.offsets[topic], judged.offsets[topic + 1])
    rank, grade = judged.rank[hits], judged.grade[hits]
    seen = rank[grade >= 0]
    places = np.arange(1.0, min(float(judged.retrieved[topic]), depth) + 1)
    open_ranks = places[~np.isin(places, seen)]
    sample = judged.sample
    pool = judged.pool if sample is None else sample.pool
    pooled = slice(pool.offsets[topic], pool.offsets[topic + 1])
    grades = pool.grade[pooled]
    elsewhere = np.sort(grades[grades >= 0])
    retrieved = np.sort(grade[grade >= 0])
    unseen = _without(elsewhere, retrieved)
    undrawn = 0 if sample is None else int((grades < 0).sum() - (grade < 0).sum())
    grades_of_all = np.concatenate(
        [grade[grade >= 0], np.full(len(open_ranks), -1.0), unseen, np.full(undrawn, -1.0)]
    )
    ranks = np.concatenate([seen, open_ranks, np.full(len(unseen) + undrawn, np.inf)])
    return grades_of_all, grades_of_all < 0, ranks


def _without(all_grades: Floats, some: Floats) -> Floats:
    """The grades that are left when some of them are taken away, each as often as it is there."""
    values, counts = np.unique(all_grades, return_counts=True)
    taken, numbers = np.unique(some, return_counts=True)
    left = counts.copy()
    left[np.searchsorted(values, taken)] -= numbers
    return np.repeat(values, left)
