"""The numbers of a comparison: each pair tested by itself, corrected together, and described."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.measures import Measure
from gainful.statistics import corrections, power
from gainful.statistics.corrections import CORRECTIONS, Member
from gainful.statistics.differences import (
    deviation,
    differences,
    effective,
    scaled,
    weighted_deviation,
    weighted_mean,
)
from gainful.statistics.flips import Flips
from gainful.statistics.intervals import interval
from gainful.statistics.paired_tests import PairedSample, PValues
from gainful.statistics.resampling import Progress
from gainful.summaries import mean

CELLS = 1 << 21
"""Differences (pairs × topics) that are held at once."""

Index = NDArray[np.int64]
Weights = NDArray[np.float64] | None
"""How much each topic counts; None where all count alike."""


@dataclass(frozen=True, eq=False)
class Tested:
    """The pairs of one measure, each tested by itself: p-values, and the smallest that the test could have given each."""

    found: PValues
    smallest: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Adjusted:
    """p-values after correction, and what the smallest possible ones would have become."""

    p: NDArray[np.float64]
    smallest: NDArray[np.float64]


def p_values(
    rows: NDArray[np.float64],
    first: Index,
    second: Index,
    method: Method,
    comparisons: int,
    progress: Progress | None = None,
    *,
    weights: Weights = None,
) -> Tested:
    """Each pair tested by itself, a portion of the pairs at a time."""
    resolve = 0.0 if method.flips is not None or method.shared else 1 / (method.needed(comparisons) + 1)
    parts, smallest = [], []
    for some in _chunks(len(first), rows.shape[1]):
        sample = PairedSample(
            rows,
            first[some],
            second[some],
            weights,
            flips=method.flips_of(len(first)),
            resamples=method.resamples,
            seed=method.seed,
            resolve=resolve,
            progress=progress,
        )
        parts.append(method.paired_test(sample))
        smallest.append(method.paired_test.smallest(sample))
    flips = [part.flips for part in parts if part.flips is not None]
    found = PValues(
        np.concatenate([part.p for part in parts]),
        np.concatenate([part.ways for part in parts]),
        np.concatenate(flips) if flips else None,
    )
    return Tested(found, np.concatenate(smallest))


def adjusted(
    topics: Sequence[str],
    rows: Mapping[Measure, tuple[NDArray[np.float64], tuple[str, ...]]],
    first: Index,
    second: Index,
    alone: Mapping[Measure, Tested],
    method: Method,
    progress: Progress | None = None,
    *,
    weights: Mapping[Measure, Weights],
) -> dict[Measure, Adjusted]:
    """p-values after correction, each measure by itself or all together."""
    groups = [list(rows)] if method.family == "all" else [[measure] for measure in rows]
    correct = CORRECTIONS[method.correction].function
    made: dict[Measure, Adjusted] = {}
    for group in groups:
        if correct is None:
            family = [
                Member(
                    _filled(topics, scaled(rows[measure][0], weights[measure]), rows[measure][1]),
                    first,
                    second,
                )
                for measure in group
            ]
            parts, least = _shared(family, method, progress)
            smallest = [np.full(len(first), least)] * len(group)
        else:
            # A correction never falls where a p-value rises: correcting the smallest ones gives the smallest corrected ones.
            found = correct(np.concatenate([alone[measure].found.p for measure in group]))
            limits = correct(np.concatenate([alone[measure].smallest for measure in group]))
            parts, smallest = np.split(found, len(group)), np.split(limits, len(group))
        made |= {
            measure: Adjusted(p, limit) for measure, p, limit in zip(group, parts, smallest, strict=True)
        }
    return made


def _shared(
    family: Sequence[Member], method: Method, progress: Progress | None
) -> tuple[list[NDArray[np.float64]], float]:
    """p-values from flips or shuffles that the family shares, and the smallest possible one."""
    systems, topics = family[0].rows.shape
    flips = Flips(topics, method.asked, method.seed)
    if method.correction == "tukey":
        # The two that lie furthest apart may stand in any two places, topic by topic; the same two in all is what was seen.
        least = 1 / (systems * (systems - 1)) ** min(topics - 1, 100)
        made = corrections.tukey(family, shuffles=method.asked, seed=method.seed, progress=progress)
        return made, max(least, 1 / (method.asked + 1))
    return corrections.max_t(family, flips, progress=progress), flips.smallest


def described(
    measure: Measure,
    rows: NDArray[np.float64],
    names: Sequence[str],
    first: Index,
    second: Index,
    alone: Tested,
    together: Adjusted,
    method: Method,
    progress: Progress | None = None,
    *,
    weights: Weights = None,
) -> Iterator[Pair]:
    """Each pair with its interval, effect size, wins and losses, and what more topics would find."""
    means = np.array([mean(row) for row in rows]) if weights is None else weighted_mean(rows, weights)
    several = rows.shape[1] if weights is None else effective(weights)
    for some in _chunks(len(first), rows.shape[1]):
        made = differences(rows, first[some], second[some])
        apart = means[second[some]] - means[first[some]]
        ends = interval(
            method.interval,
            made,
            method.confidence,
            estimates=apart,
            resamples=method.resamples,
            flips=method.asked,
            seed=method.seed,
            progress=progress,
            weights=weights,
        )
        topics = made.shape[1]
        spread = deviation(made) if weights is None else weighted_deviation(made, weights)
        middle = made.mean(axis=1) if weights is None else weighted_mean(made, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            effect = middle / spread
        least = power.detectable(several, alpha=method.alpha, target=method.power) * spread
        needed = power.topics_needed(effect, alpha=method.alpha, target=method.power)
        if weights is not None:  # as many more as their unequal weights take away
            needed = np.ceil(needed * topics / several)
        if method.paired_test.patterns:
            # So few topics have so few patterns that no difference is found at this alpha: p is at least 2 / 2ⁿ.
            fewest = math.ceil(1 - math.log2(method.alpha))
            least = least if topics >= fewest else np.full_like(least, np.nan)
            needed = np.where(np.isnan(needed), needed, np.maximum(needed, fewest))
        wins, losses = (made > 0).sum(axis=1), (made < 0).sum(axis=1)
        favours = _favours(made, weights)
        if measure.less_is_better:
            wins, losses, favours = losses, wins, 1 - favours
        columns = (
            first[some],
            second[some],
            means[first[some]],
            means[second[some]],
            apart,
            *ends,
            alone.found.p[some],
            alone.found.ways[some],
            together.p[some],
            together.smallest[some],
            effect,
            wins,
            losses,
            favours,
            least,
            needed,
        )
        lists = [column.tolist() for column in columns]
        drawn = alone.found.flips
        lists.append([None] * len(made) if drawn is None else drawn[some].tolist())
        for row in zip(*lists, strict=True):
            one, other, mean_a, mean_b, difference, low, high, p, way, after, limit, *others = row
            size, won, lost, chance, small, enough, flipped = others
            yield Pair(
                measure=measure,
                a=names[one],
                b=names[other],
                mean_a=mean_a,
                mean_b=mean_b,
                difference=difference,
                interval=(low, high),
                p_value=p,
                p_value_method=way,
                p_adjusted=after,
                smallest_p_adjusted=limit,
                effect_size=size,
                favours_b=chance,
                wins=won,
                ties=topics - won - lost,
                losses=lost,
                topics=topics,
                minimum_detectable=small,
                topics_needed=enough,
                flips=flipped,
                effective_topics=float(several),
            )


def _favours(differences: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """The chance that a topic favours the second of a pair, ties counting half."""
    half_wins = (differences > 0) + (differences == 0) / 2
    return np.asarray(
        half_wins.sum(axis=1) / half_wins.shape[1] if weights is None else weighted_mean(half_wins, weights)
    )


def _filled(
    topics: Sequence[str], values: NDArray[np.float64], counted: Sequence[str]
) -> NDArray[np.float64]:
    """Systems × all topics; one that the measure does not count is the same for every system."""
    if len(counted) == len(topics):
        return values
    place = {topic: number for number, topic in enumerate(topics)}
    made = np.zeros((len(values), len(topics)))
    made[:, [place[topic] for topic in counted]] = values
    return made


def _chunks(pairs: int, topics: int) -> list[slice]:
    """Pairs in portions whose differences fit into bounded memory."""
    size = max(1, CELLS // topics)
    return [slice(start, start + size) for start in range(0, pairs, size)]
