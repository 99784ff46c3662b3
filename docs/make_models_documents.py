"""Intervals from documents drawn over all topics, with models' labels: the part of `make_models.py` that simulates them.

Two runs; the documents in their first ten ranks are what a study of them has, and people judge as many of these as 30 % of the
topics hold, drawn as `sample:change` draws. The truth of nDCG has the ideal list of these documents, which is what
it would be if people judged all of them.
The records of each draw are made by hand, which is much faster than files; estimates and rules are those of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.design_intervals import reach_of_parts
from gainful.estimates import Estimate, estimate
from gainful.estimates.estimator_registry import sample_variance
from gainful.estimates.interval_rules import refusal_of_difference
from gainful.estimates.measure_shapes import shape_of
from gainful.formats.inclusion import Inclusion
from gainful.judging import JudgedRun
from gainful.judging.ranking import Ranking, offsets_of
from gainful.judging.sampling import Sample
from gainful.measures import DCG, Measure, nDCG
from gainful.statistics.intervals import t_interval
from gainful.studies.strategies.sample_change import FLOOR, proportional

DEPTH = 10
MEASURES = (DCG @ DEPTH, nDCG @ DEPTH)
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Documents:
    """The documents of two runs' first ranks, topic by topic: ranks in both (∞ where one lacks it), grades and labels."""

    offsets: np.ndarray[Any, Any]
    ranks: Floats
    grade: Floats
    labels: dict[str, Floats]

    def of_topics(self, order: np.ndarray[Any, Any]) -> Documents:
        """The documents of these topics, in this order; a topic may be there several times."""
        rows = np.concatenate([np.arange(self.offsets[topic], self.offsets[topic + 1]) for topic in order])
        return Documents(
            offsets_of(np.diff(self.offsets)[order]),
            self.ranks[:, rows],
            self.grade[rows],
            {name: labels[rows] for name, labels in self.labels.items()},
        )

    def judged(self, drawn: Any, probability: Floats, labels: Floats | None) -> list[JudgedRun]:
        """Both runs, judged where a document was drawn, under that design."""
        grade = np.where(drawn, self.grade, -1.0)
        size = np.full(1, np.nan)
        inclusion = Inclusion(
            *(probability, np.zeros(len(grade), np.int64), size, True, "draws of a simulation"),
            by_effect=True,
            labels=None if labels is None else labels[None],
        )
        topics = len(self.offsets) - 1
        topic = np.repeat(np.arange(topics), np.diff(self.offsets))
        runs = []
        for ranks in self.ranks:
            row = np.lexsort((ranks, topic))
            row = row[np.isfinite(ranks[row])]
            retrieved = np.bincount(topic[row], minlength=topics)
            runs.append(
                JudgedRun(
                    offsets_of(retrieved),
                    ranks[row],
                    grade[row],
                    pool=Ranking.best_first(self.offsets, grade),
                    retrieved=retrieved.astype(np.float64),
                    present=np.ones(topics, np.bool_),
                    row=row,
                    sample=Sample(inclusion, grade, self.offsets),
                )
            )
        return runs


def documents_of(collection: Any, pair: tuple[int, int], labels: list[str]) -> Documents:
    """What a study of two runs of a collection has to judge."""
    ranks: list[list[float]] = [[], []]
    counts, grade, said = [], [], {name: [] for name in labels}
    for topic in collection.people:
        first = [collection.tops[run].get(topic, {}) for run in pair]
        documents = list(first[0] | first[1])
        counts.append(len(documents))
        for side, by_document in zip(ranks, first, strict=True):
            side += [by_document.get(document, np.inf) for document in documents]
        grade += [max(collection.people[topic].get(document, 0.0), 0.0) for document in documents]
        for name, of_model in said.items():
            of_model += [collection.labels[name][topic].get(document, np.nan) for document in documents]
    return Documents(
        offsets_of(np.array(counts)),
        np.array(ranks),
        np.array(grade),
        {name: np.array(of_model) for name, of_model in said.items()},
    )


def by_documents(collection: Any, tally: Any, share: float, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each measure and model, and one without any."""
    tallies = {
        (measure, name): (tally(), tally())
        for measure in MEASURES
        for name in ("no model", *collection.labels)
    }
    random = np.random.default_rng(seed)
    for number in range(draws):
        pair = tuple(random.choice(len(collection.tops), 2, replace=False))
        every = documents_of(collection, pair, list(collection.labels))
        certain = np.ones(len(every.grade))
        truths = {
            measure: _difference(measure, every.judged(certain > 0, certain, None)) for measure in MEASURES
        }
        again, size = number % 2 == 0, len(every.offsets) - 1
        order = random.integers(0, size, size) if again else random.permutation(size)
        judged = round(share * size)
        alone = {}
        for measure, truth in truths.items():
            low, high = t_interval(truth[order[:judged]][None], 0.95)
            alone[measure] = (high - low) * (1 if again else np.sqrt(1 - judged / size))
        if not all(width[0] > 0 for width in alone.values()):
            continue
        documents = every.of_topics(order)
        weight = np.where(np.isfinite(documents.ranks), 1 / np.log2(documents.ranks + 1), 0.0)
        change = np.ptp(weight, axis=0) + FLOOR * weight.max(axis=0)
        probability = proportional(change, share * len(change))
        drawn = random.random(len(change)) < probability
        for name in ("no model", *collection.labels):
            runs = documents.judged(drawn, probability, documents.labels.get(name))
            for measure in MEASURES:
                low, high = _interval(measure, runs, these=not again)
                tallies[measure, name][0 if again else 1].add(
                    np.array([low]), np.array([high]), np.array([truths[measure].mean()]), alone[measure]
                )
    for (measure, name), (like, these) in tallies.items():
        none = f"{100 * np.mean(like.none):.0f} %"
        yield [collection.name, str(measure), name, *like.cells, *these.cells, none]


def _difference(measure: Measure, runs: list[JudgedRun]) -> Floats:
    a, b = (measure(run) for run in runs)
    return b - a


def _interval(measure: Measure, runs: list[JudgedRun], *, these: bool) -> tuple[float, float]:
    """The interval that the package gives for the difference of two runs; NaN where it gives none."""
    made: list[Estimate] = [estimate(measure, run, "centred") for run in runs]
    apart = made[1].values - made[0].values
    shape = shape_of(measure, runs[0].top)
    if any(each.refused for each in made) or refusal_of_difference(*runs, shape, apart):
        return np.nan, np.nan
    counted = apart[~np.isnan(apart)]
    if not these:
        low, high = t_interval(counted[None], 0.95)
        return float(low[0]), float(high[0])
    influences = [each.influence for each in made if each.exact]
    if len(influences) < 2 or influences[0] is None or influences[1] is None:
        return np.nan, np.nan
    sample = runs[0].require_sample()
    parts = sample_variance(sample, influences[1] - influences[0])[~np.isnan(apart)] / len(counted) ** 2
    half = reach_of_parts(parts, 0.95)
    return float(counted.mean()) - half, float(counted.mean()) + half
