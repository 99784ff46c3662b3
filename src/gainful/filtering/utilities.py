"""Utilities: what a set of deliveries is worth to the reader."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from gainful.errors import UsageError

_EXACT = 2**22  # times any number of documents below 2^31 stays below 2^53, where floats are exact


@dataclass(frozen=True)
class LinearUtility:
    """Every document adds one of four numbers, by whether it is relevant and whether it was delivered.

        utility = credit · R⁺ + cost · N⁺ + missed · R⁻ + avoided · N⁻

    credit  for a relevant document that was delivered (R⁺)
    cost    for a delivered one that is not relevant (N⁺); zero or less as a rule
    missed  for a relevant document that was not delivered (R⁻)
    avoided  for one that is not relevant and was not delivered (N⁻)

    A delivery must be worth more than a miss if the document is relevant, and no more if it is not.

    >>> LinearUtility(2, -1)(relevant=3, other=4)
    2.0
    >>> LinearUtility(1, -1, missed=-2)(relevant=3, other=4, relevant_missed=1)
    -3.0
    """

    credit: float = 2.0
    cost: float = -1.0
    missed: float = 0.0
    avoided: float = 0.0

    def __post_init__(self) -> None:
        for name in ("credit", "cost", "missed", "avoided"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise UsageError(f"utility: {name} must be a finite number; got {value!r}")
            object.__setattr__(self, name, float(value))
        if not self.won > 0:
            raise UsageError(
                f"utility: credit ({self.credit:g}) must be above missed ({self.missed:g}); "
                "otherwise there is nothing to gain by delivering"
            )
        if self.lost > 0:
            raise UsageError(
                f"utility: cost ({self.cost:g}) must not be above avoided ({self.avoided:g}): it is what a delivered "
                "document that is not relevant adds, -1 as a rule; otherwise everything is worth delivering"
            )

    @property
    def won(self) -> float:
        """What delivering a relevant document adds, compared with not delivering it."""
        return self.credit - self.missed

    @property
    def lost(self) -> float:
        """What delivering any other document adds, compared with not delivering it; zero or less."""
        return self.cost - self.avoided

    @cached_property
    def steps(self) -> tuple[float, float]:
        """`won` and `lost` as whole numbers in the same proportion, so that sums of them are exact.

        Read as the decimals that were written: 0.3 and −0.1 are three to minus one. Numbers with too many digits for
        that stay as they are.

        >>> LinearUtility(0.3, -0.1).steps
        (3.0, -1.0)
        """
        read = [Fraction(repr(value)) for value in (self.credit, self.missed, self.cost, self.avoided)]
        won, lost = read[0] - read[1], read[2] - read[3]
        scale = math.lcm(won.denominator, lost.denominator)
        whole = (won * scale, lost * scale)
        shared = math.gcd(int(whole[0]), int(whole[1])) or 1
        if max(abs(step) for step in whole) // shared > _EXACT:
            return self.won, self.lost
        return float(whole[0] / shared), float(whole[1] / shared)

    def __call__(self, relevant: Any, other: Any, relevant_missed: Any = 0.0, other_missed: Any = 0.0) -> Any:
        """The utility of so many documents of each kind; numbers or arrays of them."""
        delivered = self.credit * relevant + self.cost * other
        return delivered + self.missed * relevant_missed + self.avoided * other_missed

    def __str__(self) -> str:
        given = [self.credit, self.cost]
        if self.missed or self.avoided:
            given += [self.missed, self.avoided]
        return ",".join(f"{value:g}" for value in given)


def parse_utility(text: str) -> LinearUtility:
    """The utility that two or four numbers with commas name.

    >>> parse_utility("3,-2"), str(parse_utility("1,-1,-2,0"))
    (LinearUtility(credit=3.0, cost=-2.0, missed=0.0, avoided=0.0), '1,-1,-2,0')
    """
    try:
        numbers = [float(one) for one in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise UsageError(
            f"utility: two numbers are wanted (credit,cost as in 2,-1) or four (and missed,avoided); got {text!r}"
        )
    return LinearUtility(*numbers)
