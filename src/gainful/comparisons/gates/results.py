"""What a gate says, and how it came to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gainful.comparisons.pair import percent, signed, stated_p
from gainful.comparisons.tables import ScoreTable
from gainful.formats.ids import shown

PASS, FAIL, UNSURE = "pass", "fail", "cannot tell"


@dataclass(frozen=True, slots=True)
class Regressed:
    """A topic on which the candidate is worse."""

    topic: str
    baseline: float
    candidate: float

    @property
    def difference(self) -> float:
        """Candidate − baseline."""
        return self.candidate - self.baseline


@dataclass(frozen=True, slots=True)
class Check:
    """One measure at the gate.

    lower, upper   one-sided bounds of the true difference, each at confidence 1 − alpha; infinite where topics are too few
    p_value        of "the candidate loses the margin or more"
    topics_needed  to pass with the stated power if the true difference were 0; inf for more than anyone has
    regressed      the topics that lost most, worst first
    """

    measure: str
    margin: float
    verdict: str
    mean_baseline: float
    mean_candidate: float
    difference: float
    lower: float
    upper: float
    p_value: float
    topics: int
    topics_needed: float
    wins: int
    ties: int
    losses: int
    regressed: tuple[Regressed, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        made = {name: getattr(self, name) for name in self.__slots__ if name != "regressed"}
        made["topics_needed"] = int(self.topics_needed) if math.isfinite(self.topics_needed) else None
        made["regressed"] = [
            {
                "topic": shown(one.topic),
                "baseline": one.baseline,
                "candidate": one.candidate,
                "difference": one.difference,
            }
            for one in self.regressed
        ]
        return made


@dataclass(frozen=True, eq=False)
class Gate:
    """What the gate says, and how it came to it."""

    baseline: str
    candidate: str
    checks: tuple[Check, ...]
    alpha: float
    power: float
    flips: int
    seed: int
    allow_inconclusive: bool
    table: ScoreTable
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the candidate may pass."""
        accepted = (PASS, UNSURE) if self.allow_inconclusive else (PASS,)
        return all(check.verdict in accepted for check in self.checks)

    @property
    def verdict(self) -> str:
        """The worst of the verdicts."""
        found = [check.verdict for check in self.checks]
        return next((verdict for verdict in (FAIL, UNSURE) if verdict in found), PASS)

    def sentence(self, check: Check) -> str:
        """One measure's answer in words."""
        sure = f"{percent(1 - self.alpha)} % sure"
        candidate, baseline = shown(self.candidate), shown(self.baseline)
        change = f"{check.measure} {check.mean_baseline:.4f} → {check.mean_candidate:.4f} ({signed(check.difference)})"
        if check.verdict == PASS:
            return (
                f"pass: {change}; {sure} that {candidate} is no more than {check.margin:g} below {baseline} "
                f"(lower bound {signed(check.lower)}, p {stated_p(check.p_value)}, {check.topics:,} topics)."
            )
        if check.verdict == FAIL:
            return (
                f"fail: {change}; {sure} that {candidate} is more than {check.margin:g} below {baseline} "
                f"(upper bound {signed(check.upper)}, {check.topics:,} topics)."
            )
        return (
            f"cannot tell: {change}; the true difference may lie anywhere from {signed(check.lower)} to {signed(check.upper)}, "
            f"and {signed(-check.margin)} is in it ({check.topics:,} topics). {self._outlook(check)}"
        )

    def _outlook(self, check: Check) -> str:
        """How many topics would settle it."""
        if check.margin == 0:
            return "With margin 0 no number of topics would show that the two are equal; allow a loss that would not matter."
        if not math.isfinite(check.topics_needed):
            return "No collection has enough topics for this margin."
        return (
            f"If the two were equal, {check.topics_needed:,.0f} topics would pass with power {self.power:g}."
        )

    def stated(self) -> str:
        """How it was done, in a line."""
        allowed = "cannot tell counts as pass" if self.allow_inconclusive else "cannot tell counts as fail"
        exact = 2 ** max(check.topics for check in self.checks) <= self.flips
        flips = "all flips" if exact else f"{self.flips:,} flips"
        return (
            f"one-sided sign-flip test against the margin · alpha {self.alpha:g} · {flips} · seed {self.seed} · "
            f"all measures must pass · {allowed}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": self.table.settings,
            "qrels": self.table.qrels,
            "systems": [system.to_dict() for system in self.table.systems],
            "statistics": {
                "test": "signflip, one-sided",
                "alpha": self.alpha,
                "power": self.power,
                "flips": self.flips,
                "seed": self.seed,
                "allow_inconclusive": self.allow_inconclusive,
            },
            "verdict": self.verdict,
            "passed": self.passed,
            "checks": [check.to_dict() for check in self.checks],
            "notes": list(self.notes),
        }
