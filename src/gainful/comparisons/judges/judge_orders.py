"""Orders of systems under several judges: how alike they are, in the data and in every draw of the topics.

`tau_b` and `tau_ap` here are those of gainful.comparisons.correlations, for many draws and all pairs of judges at once.
No judge is the truth, so tau_ap is the mean of both ways of taking one of the two for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.judges.agreement_coefficients import Floats, ratio
from gainful.comparisons.judges.judge_results import OrderPair, Orders, SystemPair
from gainful.comparisons.judges.topic_estimates import Chance, Estimate, estimate
from gainful.measures import Measure
from gainful.statistics import resampling
from gainful.statistics.resampling import Progress
from gainful.summaries import mean

_NOISE = 1e-12
"""Means that differ by less than this share of the largest are the same, computed along different ways."""


def signs(means: Floats) -> Floats:
    """Which system ranks above which: draws × judges × systems become … × systems × systems of −1, 0 and 1.

    >>> signs(np.array([[[0.3, 0.1]]])).tolist()
    [[[[0.0, 1.0], [-1.0, 0.0]]]]
    """
    apart = means[..., :, None] - means[..., None, :]
    apart[np.abs(apart) <= _NOISE * np.abs(means).max(initial=0.0)] = 0
    return np.sign(apart, out=apart)


def tau_b(above: Floats) -> Floats:
    """Kendall's tau-b of each pair of judges: draws × judges × judges; NaN where a judge scores all systems equally."""
    flat = above.reshape(*above.shape[:2], -1)
    untied = np.count_nonzero(flat, axis=2).astype(np.float64)
    divisor = np.sqrt(untied[:, :, None] * untied[:, None, :])
    return ratio(flat @ flat.transpose(0, 2, 1), divisor)


def tau_ap(above: Floats) -> Floats:
    """AP correlation of each pair of judges, the mean of both ways; NaN where a judge scores all systems equally."""
    draws, judges, systems, _ = above.shape
    higher = above > 0  # [..., j, i]: j stands above i
    first = higher.sum(axis=2)
    tied = (above == 0).sum(axis=2)
    inverse = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, systems + 1))])  # Σ 1/k up to k
    # The rank of a system less one is first, first + 1, … with equal chance among those that tie.
    weight = np.where(first > 0, inverse[first + tied - 1] - inverse[np.maximum(first - 1, 0)], 0) / tied
    weighed = (higher * weight[:, :, None, :]).reshape(draws, judges, -1)
    one_way = weighed @ above.reshape(draws, judges, -1).transpose(0, 2, 1)
    taus = (one_way + one_way.transpose(0, 2, 1)) / (2 * max(systems - 1, 1))
    flat = np.asarray(~above.any(axis=(2, 3)))
    taus[flat[:, :, None] | flat[:, None, :]] = np.nan
    return np.asarray(taus)


def unanimous_pairs(above: Floats) -> NDArray[np.bool_]:
    """Pairs of systems that all judges put in the same order, none of them equal: draws × systems × systems."""
    return np.asarray(np.abs(above.sum(axis=1)) == above.shape[1])


_CELLS = 1 << 20  # numbers that a block of draws may hold
_EQUAL = "a judge scores all systems equally"


def orders_of(
    measure: Measure,
    systems: Sequence[str],
    judges: Sequence[str],
    values: Floats,
    chance: Chance,
    progress: Progress | None = None,
) -> Orders:
    """The orders by one measure; values are judges × systems × topics."""
    better = -1.0 if measure.less_is_better else 1.0
    means = np.array([[mean(row) for row in of_judge] for of_judge in values])
    above = signs(better * means[None])
    taus = {"tau_b": tau_b(above)[0], "tau_ap": tau_ap(above)[0]}
    drawn, unanimous = _drawn(better * values, chance, progress)
    firsts, seconds = np.triu_indices(len(judges), 1)

    def tau(name: str, first: Sequence[int], second: Sequence[int]) -> Estimate:
        """Of one pair of judges, or the mean of several."""
        rows = None if drawn is None else drawn[name][:, first, second].mean(axis=1)
        return estimate(float(taus[name][first, second].mean()), rows, chance, _EQUAL, centred=True)

    return Orders(
        measure,
        len(systems),
        values.shape[2],
        tau("tau_b", firsts.tolist(), seconds.tolist()),
        tau("tau_ap", firsts.tolist(), seconds.tolist()),
        tuple(
            OrderPair(
                measure,
                judges[first],
                judges[second],
                tau("tau_b", [first], [second]),
                tau("tau_ap", [first], [second]),
                _swaps(above[0, first], above[0, second], systems),
            )
            for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
        ),
        tuple(
            SystemPair(
                measure,
                systems[a],
                systems[b],
                dict(zip(judges, (means[:, b] - means[:, a]).tolist(), strict=True)),
                _preferred(above[0, :, a, b], systems[a], systems[b]),
                bool((above[0, :, a, b] > 0).any() and (above[0, :, a, b] < 0).any()),
                None if unanimous is None else float(unanimous[a, b]),
            )
            for a, b in combinations(range(len(systems)), 2)
        ),
    )


def _swaps(first: Floats, second: Floats, systems: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of systems in opposite orders, the first judge's better one first."""
    return tuple((systems[a], systems[b]) for a, b in np.argwhere((first > 0) & (second < 0)).tolist())


def _preferred(signs: Floats, a: str, b: str) -> str | None:
    return a if (signs > 0).all() else b if (signs < 0).all() else None


def _drawn(
    values: Floats, chance: Chance, progress: Progress | None
) -> tuple[dict[str, Floats] | None, Floats | None]:
    """Both taus of each pair of judges in each draw of the topics, and the share of draws in which all judges agree."""
    judges, systems, topics = values.shape
    if topics < 2:
        return None, None
    numbers, units = resampling.whole_rows(values.reshape(-1, topics), topics)
    taus = {name: np.empty((chance.resamples, judges, judges)) for name in ("tau_b", "tau_ap")}

    def draw(start: int, stop: int) -> Floats:
        sums = (
            resampling.product(numbers, resampling.counts(chance.seed, topics, start, stop)) * units[:, None]
        )
        above = signs((sums / topics).T.reshape(-1, judges, systems))
        taus["tau_b"][start:stop], taus["tau_ap"][start:stop] = tau_b(above), tau_ap(above)
        return np.asarray(unanimous_pairs(above).sum(axis=0), np.float64)

    block = max(1, min(512, _CELLS // (judges * systems**2)))
    agreed = np.zeros((systems, systems))
    for in_block in resampling.over_blocks(chance.resamples, block, draw, progress=progress, what="orders"):
        agreed += in_block
    return taus, agreed / chance.resamples
