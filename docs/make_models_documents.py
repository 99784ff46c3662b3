"""Intervals from documents drawn over all topics, with models' labels: the part of `make_models.py` that simulates them.

Two runs; the documents in their first ten ranks are what a study of them has, and people judge as many of these as 30 % of the
topics hold, drawn as `sample:change` draws. The truth of nDCG has the ideal list of these documents, which is what
it would be if people judged all of them. "means" is the coverage of the two systems' means, "in sum" the sum of the widths of
all draws as a share of that by people alone, which a few draws of huge width raise as they leave the median alone.
The records of each draw are made by hand, which is much faster than files; estimates and rules are those of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gainful.auditing.document_draws import DocumentDraws, estimated_difference
from gainful.comparisons.design_intervals import reach_of_parts
from gainful.estimates import Estimate
from gainful.estimates.estimator_registry import sample_variance
from gainful.estimates.measure_shapes import shape_of
from gainful.judging import JudgedRun
from gainful.measures import DCG, nDCG
from gainful.scores.estimated_scores import interval_of_mean
from gainful.statistics.intervals import t_interval

DEPTH = 10
ALL = "all of gpt4o"  # its prompts, as several models
MEASURES = (DCG @ DEPTH, nDCG @ DEPTH)


def by_documents(collection: Any, tally: Any, share: float, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each measure and model, one without any, and one for several prompts of a model together."""
    models = ("no model", *collection.labels, ALL)
    tallies = {(measure, name): (tally(), tally()) for measure in MEASURES for name in models}
    means: dict[Any, list[bool]] = {each: [] for each in tallies}
    spans: dict[Any, list[tuple[float, float]]] = {each: [] for each in tallies}
    random = np.random.default_rng(seed)
    for number in range(draws):
        pair = random.choice(len(collection.tops), 2, replace=False)
        every, names = DocumentDraws.of_runs([collection.tops[run] for run in pair], collection.people)
        said = {
            model: np.array([labels[topic].get(document, np.nan) for topic, document in names])
            for model, labels in collection.labels.items()
        }
        said[ALL] = np.stack([said[model] for model in collection.several[ALL]])
        certain = np.ones(len(every.grade))
        judged_all = every.judged(certain > 0, certain, None)
        values = {measure: [measure(run) for run in judged_all] for measure in MEASURES}
        truths = {measure: b - a for measure, (a, b) in values.items()}
        again, size = number % 2 == 0, len(every)
        order = random.integers(0, size, size) if again else random.permutation(size)
        judged = round(share * size)
        alone = {}
        for measure, truth in truths.items():
            low, high = t_interval(truth[order[:judged]][None], 0.95)
            alone[measure] = (high - low) * (1 if again else np.sqrt(1 - judged / size))
        if not all(width[0] > 0 for width in alone.values()):
            continue
        documents, rows = every.of_topics(order)
        probability = documents.probabilities(shape_of(MEASURES[0], 1.0), share)
        drawn = random.random(len(rows)) < probability
        for name in models:
            runs = documents.judged(drawn, probability, said[name][..., rows] if name in said else None)
            for measure in MEASURES:
                made = estimated_difference(measure, runs)
                low, high = _interval(made, runs, these=not again)
                if again and made is not None:
                    spans[measure, name].append((high - low, float(alone[measure][0])))
                    for of_run, truth in zip(made[1], values[measure], strict=True):
                        known = of_run.values[~np.isnan(of_run.values)]
                        ends = interval_of_mean(known, 0.95, labelled=of_run.labelled)
                        means[measure, name].append(bool(ends[0] <= truth.mean() <= ends[1]))
                tallies[measure, name][0 if again else 1].add(
                    np.array([low]), np.array([high]), np.array([truths[measure].mean()]), alone[measure]
                )
    for (measure, name), (like, these) in tallies.items():
        none = f"{100 * np.mean(like.none):.0f} %"
        width, by_people = np.sum(spans[measure, name], axis=0) if spans[measure, name] else (0, 0)
        beside = [f"{width / by_people:.2f}", f"{np.mean(means[measure, name]):.3f}"] if width else ["–", "–"]
        yield [collection.name, str(measure), name, *like.cells, *beside, *these.cells, none]


def _interval(
    made: tuple[np.ndarray, tuple[Estimate, Estimate]] | None,
    runs: tuple[JudgedRun, JudgedRun],
    *,
    these: bool,
) -> tuple[float, float]:
    """The interval that the package gives for the difference of two runs; NaN where it gives none."""
    if made is None:
        return np.nan, np.nan
    apart, both = made
    counted = apart[~np.isnan(apart)]
    if not these:
        low, high = t_interval(counted[None], 0.95)
        return float(low[0]), float(high[0])
    influences = [each.influence for each in both if each.exact]
    if len(influences) < 2 or influences[0] is None or influences[1] is None:
        return np.nan, np.nan
    sample = runs[0].require_sample()
    parts = sample_variance(sample, influences[1] - influences[0])[~np.isnan(apart)] / len(counted) ** 2
    half = reach_of_parts(parts, 0.95)
    return float(counted.mean()) - half, float(counted.mean()) + half
