"""Two-way analysis of variance: how much of the spread of scores is due to systems, topics and the rest.

    score = mean + system + topic + residual          one score for each system and topic

The residual holds what a system does on some topics and not on others, and everything else. From the mean squares:

    σ²res = MSres      σ²s = (MSs − MSres) / topics      σ²t = (MSt − MSres) / systems

An estimate below zero is taken as zero. How far the ranking of systems would survive n other topics:

    Eρ² = σ²s / (σ²s + σ²res / n)              of their order (relative scores)
    Φ   = σ²s / (σ²s + (σ²t + σ²res) / n)      of the scores themselves

1 is "just the same again". (Generalisability theory; Bodoff & Li, SIGIR 2007.)
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import NothingInCommon, UsageError
from gainful.statistics._scipy import special


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
            return f"{names}: systems differ no more than chance would have it; this ranking says nothing about other topics."
        return (
            f"{names}: Eρ² {self.e_rho2:.3f}, Φ {self.phi:.3f}. "
            f"For {self.target:g}, the order of systems needs {_topics(self.topics_for_e_rho2)} "
            f"and the scores themselves {_topics(self.topics_for_phi)}."
        )


def components(rows: NDArray[np.float64], *, measure: str = "", target: float = 0.95) -> Components:
    """Variance components of systems × topics.

    Scores 1 2 3 of one system and 3 4 5 of another: the systems differ by 2 on every topic, nothing is left over.

    >>> made = components(np.array([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]))
    >>> [source.component for source in made.sources], made.e_rho2, made.phi  # Φ = 2/(2 + 1/3)
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
    freedom: NDArray[np.int64],
    squares: NDArray[np.float64],
    ms: NDArray[np.float64],
    sigma: NDArray[np.float64],
) -> tuple[Source, Source, Source]:
    made = []
    for number, name in enumerate(("system", "topic", "residual")):
        f = p = math.nan
        if name != "residual" and ms[number] + ms[2] > 0:
            f = float(ms[number] / ms[2]) if ms[2] > 0 else math.inf
            p = float(special().fdtrc(freedom[number], freedom[2], f)) if math.isfinite(f) else 0.0
        share = float(sigma[number] / sigma.sum()) if sigma.sum() > 0 else math.nan
        made.append(
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
    return made[0], made[1], made[2]


def _ratio(kept: float, lost: float) -> float:
    return float(kept / (kept + lost)) if kept > 0 else 0.0


def _needed(kept: float, lost: float, target: float) -> float:
    """The smallest n with kept / (kept + lost/n) ≥ target."""
    if kept <= 0:
        return math.inf
    exact = target / (1 - target) * lost / kept
    return max(1.0, float(math.ceil(exact - 1e-9)))


def _feldt(
    ms: NDArray[np.float64], freedom: NDArray[np.int64], confidence: float = 0.95
) -> tuple[float, float]:
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
