"""How systems are compared, which every output states; and the p-values that it gives, alone and corrected together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.measures import Measure
from gainful.statistics import corrections, flips, paired_tests, resampling
from gainful.statistics.corrections import CORRECTIONS, Correction, Member
from gainful.statistics.differences import scaled
from gainful.statistics.intervals import INTERVALS
from gainful.statistics.paired_tests import PairedSample, PairedTest, PValues
from gainful.statistics.resampling import Progress

LEAD = "nDCG@10"
"""The default measure of a comparison, in Python and on the command line."""

MATTERS = 0.01
"""Default of the smallest difference that a verdict mentions beside its headline."""

CHOICES: dict[str, Collection[str]] = {
    "interval": INTERVALS,
    "correction": CORRECTIONS,
    "family": ("measure", "all"),
}
"""What may be chosen by name, also what was added from outside."""

RESOLUTION = 20
"""The smallest p-value that flips can give must be this many times smaller than alpha after correction."""

LIMITS: dict[str, tuple[float, float]] = {
    "alpha": (1e-9, 0.999_999),
    "power": (1e-9, 0.999_999),
    "flips": (1, 1_000_000_000),
    "resamples": (1, 1_000_000),
    "seed": (0, 2**64 - 1),
    "matters": (0.0, 1e100),
}
"""The smallest and the largest value of each number: beyond these lie only rounding, or days of work."""


@dataclass(frozen=True, slots=True)
class Method:
    """The statistical methods of a comparison.

    test        Paired test, two-sided, by name, or a Python file that defines one.
    interval    Confidence interval of the difference, at confidence 1 − alpha.
    correction  Correction for multiple comparisons.
    family      Correct the pairs of each measure together, or all pairs and measures.
    baseline    Compare every system with this one only; otherwise all pairs.
    alpha       Significance level.
    power       Power used for the smallest detectable difference and the number of topics needed.
    flips       Number of sign flips, or of permutations for tukey. Default 100,000 (10,000 for more than 20,000 pairs,
                max-t and tukey); smaller p-values are then computed from the tail of the distribution.
    resamples   Bootstrap resamples of the topics.
    seed        Random seed.
    matters     Smallest difference on other measures, or at other ranks, that the verdict mentions; such as 0.02.
    """

    test: str = "signflip"
    interval: str = "t"
    correction: str = "holm"
    family: str = "measure"
    baseline: str | None = None
    alpha: float = 0.05
    power: float = 0.8
    flips: int | None = None
    resamples: int = resampling.RESAMPLES
    seed: int = resampling.SEED
    matters: float = MATTERS

    def __post_init__(self) -> None:
        object.__setattr__(self, "test", paired_tests.get(self.test).name)
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} must be one of {', '.join(choices)}; got {getattr(self, name)!r}.")
        for name in LIMITS:
            check_limits(name, getattr(self, name))
        if self.power <= self.alpha:
            raise UsageError(f"power must be more than alpha; got {self.power:g} and {self.alpha:g}.")
        if self.shared and self.test != "signflip":
            raise UsageError(
                f"{self.correction} makes its own randomisation and goes with test signflip, not {self.test}."
            )

    @property
    def paired_test(self) -> PairedTest:
        """The paired test of this name."""
        return paired_tests.get(self.test)

    @property
    def confidence(self) -> float:
        """Confidence of the intervals: 1 − alpha."""
        return 1 - self.alpha

    @property
    def shared(self) -> bool:
        """Whether the correction draws flips or shuffles for the whole family."""
        return self._correction.shared

    @property
    def asked(self) -> int:
        """Flips asked for, or the default."""
        if self.flips is not None:
            return self.flips
        return corrections.DEFAULT if self.shared else flips.DEFAULT

    def flips_of(self, pairs: int) -> int:
        """Flips to draw for this number of pairs.

        >>> Method().flips_of(190), Method().flips_of(124_750), Method(flips=500).flips_of(190)
        (100000, 10000, 500)
        """
        return flips.FEWER if self.flips is None and pairs > flips.MANY else self.asked

    def needed(self, comparisons: int) -> int:
        """Flips that resolve alpha after correcting this number of comparisons.

        >>> Method().needed(1), Method().needed(100), Method(correction="max-t").needed(100)
        (400, 40000, 400)
        """
        each = 1 if self.shared or self.correction == "none" else comparisons
        return round(RESOLUTION * each / self.alpha)

    def stated(self) -> list[str]:
        """The method in words, apart from what depends on the data."""
        interval = INTERVALS[self.interval]
        parts = [
            self.test_stated,
            f"{interval.title} interval",
            f"alpha {self.alpha:g}",
            f"power {self.power:g}",
        ]
        if self.paired_test.draws == "resamples" or interval.resampled:
            parts.append(f"{self.resamples:,} resamples")
        return parts

    @property
    def test_stated(self) -> str:
        """The test in words."""
        return self.paired_test.title

    @property
    def correction_stated(self) -> str:
        """The correction in words."""
        return self._correction.title

    @property
    def _correction(self) -> Correction:
        return CORRECTIONS[self.correction]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return asdict(self)


def check_limits(name: str, value: float | None) -> None:
    """Raise if a number is outside its limits; None stands for the default.

    >>> check_limits("alpha", 1e-320)
    Traceback (most recent call last):
    gainful.errors.UsageError: alpha must lie between 1e-09 and 0.999999; got 1e-320.
    """
    low, high = LIMITS[name]
    if value is not None and not low <= value <= high:
        small, large = (f"{end:,}" if isinstance(end, int) else f"{end:g}" for end in (low, high))
        raise UsageError(f"{name} must lie between {small} and {large}; got {value!r}.")


CELLS = 1 << 21
"""Differences (pairs × topics) that are in memory at once."""


Index = NDArray[np.intp]


Weights = NDArray[np.float64] | None
"""How much each topic counts; None where all count alike."""


@dataclass(frozen=True, eq=False)
class Tested:
    """The pairs of one measure, each tested by itself: p-values, and the smallest that the test could have given each."""

    p_values: PValues
    smallest: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Adjusted:
    """p-values after correction, and what the smallest possible ones would have become."""

    p: NDArray[np.float64]
    smallest: NDArray[np.float64]


def p_values(
    rows: Mapping[Measure, NDArray[np.float64]],
    first: Index,
    second: Index,
    method: Method,
    comparisons: int,
    progress: Progress | None = None,
    *,
    weights: Mapping[Measure, Weights],
) -> dict[Measure, Tested]:
    """Each pair tested by itself, by each measure, a portion of the pairs at a time."""
    resolve = 0.0 if method.flips is not None or method.shared else 1 / (method.needed(comparisons) + 1)
    samples = [
        (
            measure,
            PairedSample(
                values,
                first[some],
                second[some],
                weights[measure],
                flips=method.flips_of(len(first)),
                resamples=method.resamples,
                seed=method.seed,
                resolve=resolve,
                progress=progress,
            ),
        )
        for measure, values in rows.items()
        for some in pair_portions(len(first), values.shape[1])
    ]
    parts: dict[Measure, list[tuple[PValues, NDArray[np.float64]]]] = {measure: [] for measure in rows}
    answers = method.paired_test.each([sample for _, sample in samples])
    for (measure, sample), answer in zip(samples, answers, strict=True):
        parts[measure].append((answer, method.paired_test.smallest(sample)))
    return {measure: _tested(of_measure) for measure, of_measure in parts.items()}


def _tested(parts: Sequence[tuple[PValues, NDArray[np.float64]]]) -> Tested:
    flips = [part.flips for part, _ in parts if part.flips is not None]
    of_all = PValues(
        np.concatenate([part.p for part, _ in parts]),
        np.concatenate([part.ways for part, _ in parts]),
        np.concatenate(flips) if flips else None,
    )
    return Tested(of_all, np.concatenate([smallest for _, smallest in parts]))


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
    correction = CORRECTIONS[method.correction]
    corrected: dict[Measure, Adjusted] = {}
    for group in groups:
        if correction.of_family is not None:
            family = [
                Member(
                    _filled(topics, scaled(rows[measure][0], weights[measure]), rows[measure][1]),
                    first,
                    second,
                )
                for measure in group
            ]
            parts, least = correction.of_family(family, method.asked, method.seed, progress)
            smallest = [np.full(len(first), least)] * len(group)
        elif correction.function is not None:
            # A correction never falls where a p-value rises: correcting the smallest ones gives the smallest corrected ones.
            p_values_of_all = correction.function(
                np.concatenate([alone[measure].p_values.p for measure in group])
            )
            limits = correction.function(np.concatenate([alone[measure].smallest for measure in group]))
            parts, smallest = np.split(p_values_of_all, len(group)), np.split(limits, len(group))
        corrected |= {
            measure: Adjusted(p, limit) for measure, p, limit in zip(group, parts, smallest, strict=True)
        }
    return corrected


def _filled(
    topics: Sequence[str], values: NDArray[np.float64], counted: Sequence[str]
) -> NDArray[np.float64]:
    """Systems × all topics; one that the measure does not count is the same for every system."""
    if len(counted) == len(topics):
        return values
    place = {topic: number for number, topic in enumerate(topics)}
    filled = np.zeros((len(values), len(topics)))
    filled[:, [place[topic] for topic in counted]] = values
    return filled


def pair_portions(pairs: int, topics: int) -> list[slice]:
    """Pairs in portions whose differences fit into bounded memory."""
    size = max(1, CELLS // topics)
    return [slice(start, start + size) for start in range(0, pairs, size)]
