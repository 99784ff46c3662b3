"""How systems are compared; every output states it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gainful.errors import UsageError
from gainful.statistics import bootstrap, families, flips
from gainful.statistics.corrections import CORRECTIONS
from gainful.statistics.intervals import INTERVALS
from gainful.statistics.paired import TESTS

CHOICES: dict[str, tuple[str, ...]] = {
    "test": TESTS,
    "interval": INTERVALS,
    "correction": (*CORRECTIONS, "max-t", "tukey"),
    "family": ("measure", "all"),
}

RESOLUTION = 20
"""The smallest p-value that flips can give must be this many times smaller than alpha after correction."""

_TEST = {
    "signflip": "sign-flip test",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "bootstrap": "bootstrap test",
}
_CORRECTION = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "max-t": "step-down max-T",
    "tukey": "randomised Tukey HSD",
    "none": "no correction",
}
_INTERVAL = {"t": "t", "bca": "BCa bootstrap", "percentile": "percentile bootstrap", "flips": "sign-flip"}


@dataclass(frozen=True, slots=True)
class Method:
    """What is asked of a comparison.

    test        paired test: "signflip", "t", "wilcoxon", "sign" or "bootstrap"
    interval    of the difference, at confidence 1 − alpha: "t", "bca", "percentile" or "flips"
    correction  for many comparisons: "holm", "bonferroni", "bh", "max-t", "tukey" or "none"
    family      what is corrected together: the pairs of one "measure", or "all" pairs and measures
    baseline    compare every system with this one only; None compares all pairs
    alpha       chance of a false find that is accepted
    power       chance of finding a difference, for the smallest detectable one and the topics needed
    flips       sign flips (or shuffles, for tukey); None is 100,000 (10,000 shared ones for max-t and tukey), or more
                where the correction needs them
    resamples   of the bootstrap
    seed        where chance starts
    """

    test: str = "signflip"
    interval: str = "t"
    correction: str = "holm"
    family: str = "measure"
    baseline: str | None = None
    alpha: float = 0.05
    power: float = 0.8
    flips: int | None = None
    resamples: int = bootstrap.DEFAULT
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} must be one of {', '.join(choices)}; got {getattr(self, name)!r}.")
        for name in ("alpha", "power"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} must lie between 0 and 1; got {getattr(self, name):g}.")
        for name in ("flips", "resamples"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} must be 1 or more; got {value}.")
        if self.power <= self.alpha:
            raise UsageError(f"power must be more than alpha; got {self.power:g} and {self.alpha:g}.")
        if self.seed < 0:
            raise UsageError(f"seed must be 0 or more; got {self.seed}.")
        if self.shared and self.test != "signflip":
            raise UsageError(
                f"{self.correction} makes its own randomisation and goes with test signflip, not {self.test}."
            )

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return 1 - self.alpha

    @property
    def shared(self) -> bool:
        """Whether the correction draws flips or shuffles for the whole family."""
        return self.correction in ("max-t", "tukey")

    @property
    def asked(self) -> int:
        """Flips to begin with."""
        if self.flips is not None:
            return self.flips
        return families.DEFAULT if self.shared else flips.DEFAULT

    def needed(self, comparisons: int) -> int:
        """Flips that resolve alpha after the correction of so many comparisons.

        >>> Method().needed(1), Method().needed(100), Method(correction="max-t").needed(100)
        (400, 40000, 400)
        """
        each = 1 if self.shared or self.correction == "none" else comparisons
        return round(RESOLUTION * each / self.alpha)

    def stated(self) -> list[str]:
        """The method in words, apart from what depends on the data."""
        made = [
            self.test_stated,
            f"{_INTERVAL[self.interval]} interval",
            f"alpha {self.alpha:g}",
            f"power {self.power:g}",
        ]
        if self.test == "bootstrap" or self.interval in ("bca", "percentile"):
            made.append(f"{self.resamples:,} resamples")
        return made

    @property
    def test_stated(self) -> str:
        """The test in words."""
        return _TEST[self.test]

    @property
    def correction_stated(self) -> str:
        """The correction in words."""
        return correction_stated(self.correction)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return asdict(self)


def correction_stated(name: str) -> str:
    """A correction in words.

    >>> correction_stated("bh")
    'Benjamini-Hochberg'
    """
    return _CORRECTION[name]
