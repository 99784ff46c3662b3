"""Analysis of variance: of systems × topics, and of the groups that topics fall into.

`components`: how much of the spread of scores is due to systems, topics and the rest.

    score = mean + system + topic + residual          one score for each system and topic

The residual holds what a system does on some topics and not on others, and everything else. From the mean squares:

    σ²res = MSres      σ²s = (MSs − MSres) / topics      σ²t = (MSt − MSres) / systems

An estimate below zero is taken as zero. How far the ranking of systems would survive n other topics:

    Eρ² = σ²s / (σ²s + σ²res / n)              of their order (relative scores)
    Φ   = σ²s / (σ²s + (σ²t + σ²res) / n)      of the scores themselves

1 means that the ranking would be the same. (Generalisability theory; Bodoff & Li, SIGIR 2007.)

`interactions`: whether the difference between two systems differs from group to group of topics.

    W = Σ_g (d̄_g − d̃)² / v_g     v_g the squared error of the group's mean, d̃ = Σ d̄_g/v_g / Σ 1/v_g

With equal weights v_g = s_g²/n_g and W is the statistic of Welch 1951 but for a factor. The p-value is found by permutation:
topics are assigned to groups at random, the sizes of groups kept, and p is the share of assignments with a W as large.
Where groups do not matter at all that is exact; where the means are equal and the variances are not, it holds closely
(Pauly, Brunner & Konietschke 2015, doi:10.1111/rssb.12073), which a plain F test would not.

A variance counts as no less than a hundredth of that of all topics, and that of a group of one topic as that of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import NothingInCommon, UsageError
from gainful.statistics import resampling, special
from gainful.statistics.resampling import Progress

Floats = NDArray[np.float64]

DEALS = 10_000
"""Default number of random assignments of topics to groups: a p-value of 0.05 is then within 0.0044, 19 times of 20."""

LEAST = 0.01
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Source:
    """One line of the analysis: a source of variance."""

    name: str
    freedom: int
    sum_of_squares: float
    mean_square: float
    f: float
    p_value: float
    component: float
    share: float
    """Of the sum of the three components."""


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components of one measure, and what they say about the ranking."""

    measure: str
    systems: int
    topics: int
    sources: tuple[Source, Source, Source]
    e_rho2: float
    e_rho2_interval: tuple[float, float]
    """95 % interval by Feldt 1965."""
    phi: float
    target: float
    topics_for_e_rho2: float
    """Topics with which Eρ² would reach the target; inf where systems do not differ."""
    topics_for_phi: float

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return asdict(self)

    def sentence(self) -> str:
        """What it means, in a line."""
        names = f"{self.systems} systems × {self.topics} topics"
        if self.e_rho2 == 0:
            return f"{names}: systems do not differ more than by chance; this ranking does not generalise to other topics."
        return (
            f"{names}: Eρ² {self.e_rho2:.3f}, Φ {self.phi:.3f}. "
            f"For {self.target:g}, the order of systems needs {_topics(self.topics_for_e_rho2)} "
            f"and the scores themselves {_topics(self.topics_for_phi)}."
        )


def components(rows: Floats, *, measure: str = "", target: float = 0.95) -> Components:
    """Variance components of systems × topics.

    Scores 1 2 3 of one system and 3 4 5 of another: the systems differ by 2 on every topic, nothing is left over.

    >>> analysis = components(np.array([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]))
    >>> [source.component for source in analysis.sources], analysis.e_rho2, analysis.phi  # Φ = 2/(2 + 1/3)
    ([2.0, 1.0, 0.0], 1.0, 0.8571428571428571)
    """
    systems, topics = rows.shape
    if systems < 2 or topics < 2:
        raise NothingInCommon(
            f"variance components need two systems and two topics at least; there are {systems} and {topics}."
        )
    if not 0 < target < 1:
        raise UsageError(f"target must lie between 0 and 1; got {target:g}.")
    mean = rows.mean()
    by_system, by_topic = rows.mean(axis=1) - mean, rows.mean(axis=0) - mean
    rest = rows - mean - by_system[:, None] - by_topic
    squares = np.array([topics * (by_system**2).sum(), systems * (by_topic**2).sum(), (rest**2).sum()])
    squares[squares < 1e-24 * np.square(rows).sum()] = 0  # rounding
    freedom = np.array([systems - 1, topics - 1, (systems - 1) * (topics - 1)])
    ms = squares / freedom
    sigma = np.array([max(ms[0] - ms[2], 0) / topics, max(ms[1] - ms[2], 0) / systems, ms[2]])
    return Components(
        measure=measure,
        systems=systems,
        topics=topics,
        sources=_sources(freedom, squares, ms, sigma),
        e_rho2=_ratio(sigma[0], sigma[2] / topics),
        e_rho2_interval=_feldt(ms, freedom),
        phi=_ratio(sigma[0], (sigma[1] + sigma[2]) / topics),
        target=target,
        topics_for_e_rho2=_needed(sigma[0], sigma[2], target),
        topics_for_phi=_needed(sigma[0], sigma[1] + sigma[2], target),
    )


def _sources(
    freedom: NDArray[np.intp],
    squares: Floats,
    ms: Floats,
    sigma: Floats,
) -> tuple[Source, Source, Source]:
    sources = []
    for number, name in enumerate(("system", "topic", "residual")):
        f = p = math.nan
        if name != "residual" and ms[number] + ms[2] > 0:
            f = float(ms[number] / ms[2]) if ms[2] > 0 else math.inf
            p = float(special().fdtrc(freedom[number], freedom[2], f)) if math.isfinite(f) else 0.0
        share = float(sigma[number] / sigma.sum()) if sigma.sum() > 0 else math.nan
        sources.append(
            Source(
                name,
                int(freedom[number]),
                float(squares[number]),
                float(ms[number]),
                f,
                p,
                float(sigma[number]),
                share,
            )
        )
    return sources[0], sources[1], sources[2]


def _ratio(kept: float, lost: float) -> float:
    return float(kept / (kept + lost)) if kept > 0 else 0.0


def _needed(kept: float, lost: float, target: float) -> float:
    """The smallest n with kept / (kept + lost/n) ≥ target."""
    if kept <= 0:
        return math.inf
    exact = target / (1 - target) * lost / kept
    return max(1.0, float(math.ceil(exact - 1e-9)))


def _feldt(ms: Floats, freedom: NDArray[np.intp], confidence: float = 0.95) -> tuple[float, float]:
    if ms[0] <= 0:
        return 0.0, 0.0
    tail = (1 - confidence) / 2
    unexplained = ms[2] / ms[0]
    ends = [1 - unexplained * float(special().fdtri(freedom[0], freedom[2], 1 - t)) for t in (tail, 1 - tail)]
    return max(float(ends[0]), 0.0), max(float(ends[1]), 0.0)


def _topics(number: float) -> str:
    if math.isinf(number):
        return "more topics than there are"
    return f"{number:,.0f} topic{'' if number == 1 else 's'}"


def interactions(
    differences: Floats,
    groups: Sequence[int],
    *,
    weights: Floats | None = None,
    deals: int = DEALS,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
) -> Floats:
    """The p-value of each row of differences: the share of random assignments of topics to groups that differ as much.

    differences  pairs × topics
    groups       the number of each topic's group, from 0

    Two groups of two: of the six assignments the observed one and its mirror image are the most extreme, p near 2/6.

    >>> d = np.array([[0.0, 0.1, 0.8, 0.9]])
    >>> round(float(interactions(d, [0, 0, 1, 1], deals=2000)[0]), 1)
    0.3
    """
    number = np.asarray(groups)
    number_of_groups = int(number.max()) + 1
    topics = differences.shape[1]
    whole = np.ones(topics) if weights is None else weights / weights.max()
    apart = differences - differences.mean(axis=1, keepdims=True)  # W is the same, and rounding loses less
    apart[np.ptp(differences, axis=1) == 0] = 0
    columns = np.concatenate([apart * whole, (apart * whole) ** 2, apart * whole**2])
    overall = (apart**2).sum(axis=1) / max(topics - 1, 1)
    sums = np.stack([whole, whole**2, whole**3])

    def statistic(labels: NDArray[np.intp]) -> Floats:
        """Of deals × topics: deals × pairs."""
        means, errors = [], []
        for group in range(number_of_groups):
            chosen = (labels == group).astype(np.float64)
            mean, error = _mean_and_error(resampling.product(columns, chosen).T, (chosen @ sums.T), overall)
            means.append(mean)
            errors.append(error)
        return _spread(np.stack(means), np.stack(errors))

    observed = statistic(number[None])[0] * (1 - TOLERANCE)

    def count(start: int, stop: int) -> NDArray[np.intp]:
        orders = resampling.orders(seed, 1, topics, start, stop)[:, 0]
        return np.asarray(np.count_nonzero(statistic(number[orders]) >= observed, axis=0))

    hits = np.zeros(len(differences), np.intp)
    block = resampling.block_size(max(3 * len(differences), topics))
    for in_block in resampling.over_blocks(deals, block, count, progress=progress, what="groups"):
        hits += in_block
    return (hits + 1) / (deals + 1)


def _mean_and_error(totals: Floats, sums: Floats, overall: Floats) -> tuple[Floats, Floats]:
    """Each pair's mean in a group and its squared error, of Σwd, Σw²d², Σw²d and of Σw, Σw², Σw³; deals × pairs."""
    first, squared, crossed = np.split(totals, 3, axis=1)
    weight, squares, cubes = (sums[:, place, None] for place in range(3))
    mean = first / weight
    apart = np.maximum(squared - 2 * mean * crossed + mean**2 * squares, 0)
    left = squares - 2 * cubes / weight + squares**2 / weight**2
    variance = np.divide(apart, left, out=np.full_like(apart, -1.0), where=left > 1e-12 * squares)
    variance = np.where(variance < 0, overall, np.maximum(variance, LEAST * overall))
    return mean, variance * squares / weight**2


def _spread(means: Floats, errors: Floats) -> Floats:
    """W, of groups × deals × pairs; 0 where there is no spread at all."""
    counts = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0)
    total = counts.sum(axis=0)
    middle = np.divide((counts * means).sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
    return np.asarray((counts * (means - middle) ** 2).sum(axis=0))
