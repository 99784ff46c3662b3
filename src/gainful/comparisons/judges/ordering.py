"""Whether the order of systems survives a change of judge, by one measure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gainful.comparisons.direction import lower_is_better
from gainful.comparisons.judges import orders
from gainful.comparisons.judges.agreement import Floats
from gainful.comparisons.judges.estimates import Chance, Estimate, estimate
from gainful.comparisons.judges.results import OrderPair, Orders, SystemPair
from gainful.statistics import blocks, draws
from gainful.statistics.blocks import Progress
from gainful.summaries import mean

_CELLS = 1 << 20  # numbers that a block of draws may hold
_EQUAL = "a judge has all systems equal"


def orders_of(
    measure: str,
    systems: Sequence[str],
    judges: Sequence[str],
    values: Floats,
    chance: Chance,
    progress: Progress | None = None,
) -> Orders:
    """The orders by one measure; values are judges × systems × topics."""
    better = -1.0 if lower_is_better(measure) else 1.0
    means = np.array([[mean(row) for row in of_judge] for of_judge in values])
    above = orders.signs(better * means[None])
    found = {"tau_b": orders.tau_b(above)[0], "tau_ap": orders.tau_ap(above)[0]}
    drawn, unanimous = _drawn(better * values, chance, progress)
    one, two = np.triu_indices(len(judges), 1)

    def tau(name: str, first: Sequence[int], second: Sequence[int]) -> Estimate:
        """Of one pair of judges, or the mean of several."""
        rows = None if drawn is None else drawn[name][:, first, second].mean(axis=1)
        return estimate(float(found[name][first, second].mean()), rows, chance, _EQUAL, centred=True)

    return Orders(
        measure,
        len(systems),
        values.shape[2],
        tau("tau_b", one.tolist(), two.tolist()),
        tau("tau_ap", one.tolist(), two.tolist()),
        tuple(
            OrderPair(
                measure,
                judges[first],
                judges[second],
                tau("tau_b", [first], [second]),
                tau("tau_ap", [first], [second]),
                _swaps(above[0, first], above[0, second], systems),
            )
            for first, second in zip(one.tolist(), two.tolist(), strict=True)
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
    numbers, units = blocks.whole_rows(values.reshape(-1, topics), topics)
    taus = {name: np.empty((chance.resamples, judges, judges)) for name in ("tau_b", "tau_ap")}

    def draw(start: int, stop: int) -> Floats:
        sums = blocks.product(numbers, draws.counts(chance.seed, topics, start, stop)) * units[:, None]
        above = orders.signs((sums / topics).T.reshape(-1, judges, systems))
        taus["tau_b"][start:stop], taus["tau_ap"][start:stop] = orders.tau_b(above), orders.tau_ap(above)
        return np.asarray(orders.unanimous(above).sum(axis=0), np.float64)

    block = max(1, min(512, _CELLS // (judges * systems**2)))
    agreed = np.zeros((systems, systems))
    for in_block in blocks.over(chance.resamples, block, draw, progress=progress, what="orders"):
        agreed += in_block
    return taus, agreed / chance.resamples
