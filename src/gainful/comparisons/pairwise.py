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
from gainful.statistics import corrections, families, power
from gainful.statistics.blocks import Progress
from gainful.statistics.bootstrap import bootstrap_p
from gainful.statistics.families import Member
from gainful.statistics.flips import Flips, sign_flips
from gainful.statistics.intervals import interval
from gainful.statistics.paired import CLOSED, deviation, differences
from gainful.statistics.weighted import effective, scaled, weighted_deviation, weighted_mean
from gainful.statistics.weighted import t_test as weighted_t
from gainful.summaries import mean

MOST_WORK = 4e10
"""Pairs × flips that are drawn without being asked for: a minute or so."""

CELLS = 1 << 21
"""Differences (pairs × topics) that are held at once."""

Index = NDArray[np.int64]
Weights = NDArray[np.float64] | None
"""How much each topic counts; None where all count alike."""


@dataclass(frozen=True, eq=False)
class PValues:
    """p-values of the pairs of one measure, each by itself, and the flips they come from."""

    p: NDArray[np.float64]
    flips: NDArray[np.int64] | None = None
    exact: bool = False


def p_values(
    rows: NDArray[np.float64],
    first: Index,
    second: Index,
    method: Method,
    comparisons: int,
    progress: Progress | None = None,
    *,
    weights: Weights = None,
) -> PValues:
    """Each pair by itself."""
    if method.test == "signflip":
        rows = scaled(rows, weights)
        flips = Flips(rows.shape[1], method.asked, method.seed)
        more = 0 if method.flips is not None else method.needed(comparisons)
        if len(first) * more > MOST_WORK:
            more = 0
        p, numbers = sign_flips(rows, (first, second), flips, more=more, progress=progress)
        return PValues(p, numbers, flips.exact)
    parts = []
    for some in _chunks(len(first), rows.shape[1]):
        made = differences(rows, first[some], second[some])
        if method.test == "bootstrap":
            parts.append(bootstrap_p(made, resamples=method.resamples, seed=method.seed, progress=progress))
        elif weights is not None:
            parts.append(weighted_t(made, weights))
        else:
            parts.append(CLOSED[method.test](made))
    return PValues(np.concatenate(parts))


def adjusted(
    topics: Sequence[str],
    rows: Mapping[Measure, tuple[NDArray[np.float64], tuple[str, ...]]],
    first: Index,
    second: Index,
    alone: Mapping[Measure, PValues],
    method: Method,
    progress: Progress | None = None,
    *,
    weights: Mapping[Measure, Weights],
) -> dict[Measure, NDArray[np.float64]]:
    """p-values after correction, each measure by itself or all together."""
    groups = [list(rows)] if method.family == "all" else [[measure] for measure in rows]
    made: dict[Measure, NDArray[np.float64]] = {}
    for group in groups:
        if method.shared:
            family = [
                Member(
                    _filled(topics, scaled(rows[measure][0], weights[measure]), rows[measure][1]),
                    first,
                    second,
                )
                for measure in group
            ]
            if method.correction == "tukey":
                parts = families.tukey(family, shuffles=method.asked, seed=method.seed, progress=progress)
            else:
                flips = Flips(family[0].rows.shape[1], method.asked, method.seed)
                parts = families.max_t(family, flips, progress=progress)
        else:
            together = np.concatenate([alone[measure].p for measure in group])
            parts = np.split(corrections.CORRECTIONS[method.correction](together), len(group))
        made |= dict(zip(group, parts, strict=True))
    return made


def described(
    measure: Measure,
    rows: NDArray[np.float64],
    names: Sequence[str],
    first: Index,
    second: Index,
    alone: PValues,
    together: NDArray[np.float64],
    method: Method,
    progress: Progress | None = None,
    *,
    weights: Weights = None,
) -> Iterator[Pair]:
    """Each pair with its interval, effect size, wins and losses, and what more topics would find."""
    means = [mean(row) for row in rows] if weights is None else weighted_mean(rows, weights).tolist()
    several = rows.shape[1] if weights is None else effective(weights)
    for some in _chunks(len(first), rows.shape[1]):
        made = differences(rows, first[some], second[some])
        ends = interval(
            method.interval,
            made,
            method.confidence,
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
        if method.test in ("signflip", "wilcoxon", "sign"):
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
            *ends,
            alone.p[some],
            together[some],
            effect,
            wins,
            losses,
            favours,
            least,
            needed,
        )
        lists = [column.tolist() for column in columns]
        flips = [None] * len(made) if alone.flips is None else alone.flips[some].tolist()
        for one, other, low, high, p, after, size, won, lost, chance, small, enough, drawn in zip(
            *lists, flips, strict=True
        ):
            yield Pair(
                measure=measure,
                a=names[one],
                b=names[other],
                mean_a=means[one],
                mean_b=means[other],
                difference=means[other] - means[one],
                interval=(low, high),
                p_value=p,
                p_adjusted=after,
                effect_size=size,
                favours_b=chance,
                wins=won,
                ties=topics - won - lost,
                losses=lost,
                topics=topics,
                minimum_detectable=small,
                topics_needed=enough,
                flips=drawn,
                exact=alone.exact,
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
