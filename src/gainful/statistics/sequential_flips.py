"""A sign-flip test that may be looked at again and again while the differences are still being found out.

If two systems are equally good, the labels A and B of each topic could as well be exchanged; an exchange turns the sign of the
topic's difference at every look, so that one set of sign patterns is the joint null distribution of all looks.
Looks spend the significance level bit by bit (Lan and DeMets 1983, doi:10.1093/biomet/70.3.659): after a look at the share t of
the data, patterns of no more than alpha · t² may have crossed a boundary at this look or before (the square keeps most of the
level for later looks: Kim and DeMets 1987, doi:10.1093/biomet/74.1.149). A pattern that crossed counts as a hit ever after:

    p = (patterns that crossed before, or whose |sum| is as large as the observed one now) / patterns

The systems differ if p ≤ alpha · t². Under exchangeable labels this happens, at any look, with a probability of at most alpha,
whatever the differences are and however they hang together from look to look.

Where only bounds of the differences are known, the last look (t = 1) can be foreseen: with a positive sum, the p-value never
rises when a difference does, so that it is largest at the lower bounds and smallest at the upper ones. A test whose outcome
no remaining observation can change may stop, at no cost in level (curtailment: Alling 1963, Journal of the American
Statistical Association 58, 713–720). That is so of one test. After looks, what is foreseen leaves out the looks that would have
come still, and a pattern that one of these alone would have crossed is counted nowhere: where estimates are much further from
the truth than bounds are wide, the level can be exceeded by a few patterns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.statistics import resampling
from gainful.statistics.flips import Flips
from gainful.statistics.sign_flip_tail import TOLERANCE

Floats = NDArray[np.float64]

FLIPS = 50_000
"""Patterns of signs, unless another number is asked for; a p-value of 0.05 is then within 0.002, 19 times of 20."""

_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Look:
    """One look: the share of the data seen, the level spent by then, the p-value, and the side that is better, if one is.

    side  1 where the differences are positive, −1 where they are negative, 0 where the test did not reject
    """

    share: float
    level: float
    p: float
    side: int


class SequentialFlips:
    """The test, look after look; see above.

    Two looks at four topics that all favour B: 2 of 16 patterns are as extreme, p = 2/16 at either.

    >>> test = SequentialFlips(topics=4, alpha=0.2)
    >>> test.look(np.array([0.1, 0.2, 0.1, 0.2]), share=0.5)
    Look(share=0.5, level=0.05, p=0.125, side=0)
    >>> test.look(np.array([0.2, 0.3, 0.1, 0.2]), share=1.0)
    Look(share=1.0, level=0.2, p=0.125, side=1)
    """

    def __init__(self, topics: int, alpha: float, *, flips: int = FLIPS, seed: int = resampling.SEED) -> None:
        if not 0 < alpha < 1:
            raise UsageError(f"alpha must be above 0 and below 1; got {alpha}.")
        self.alpha = alpha
        self.patterns = Flips(topics, flips, seed)
        self.crossed = np.zeros(self.patterns.number, np.bool_)
        self.share = 0.0

    def look(self, differences: Floats, share: float) -> Look:
        """Look at the differences when this share of the data has been seen; shares do not fall."""
        if not self.share <= share <= 1:
            raise UsageError(
                f"the share seen must not fall from {self.share:g}, nor be above 1; got {share:g}."
            )
        self.share = share
        level = self.alpha * share**2
        sums, observed, tolerance = self._sums(differences)
        p = self._p(self.crossed | (sums >= observed - tolerance))
        side = int(np.sign(differences.sum())) if p <= level else 0
        self._cross(sums, level, tolerance)
        return Look(share, level, p, side)

    def last_p(self, differences: Floats) -> float:
        """The p-value that the last look will have if it finds these differences."""
        sums, observed, tolerance = self._sums(differences)
        return self._p(self.crossed | (sums >= observed - tolerance))

    def foreseen(self, low: Floats, high: Floats) -> int | None:
        """What the last look will say, whatever the differences between these bounds are.

        1 or −1 for the side that will be significantly better, 0 if neither can be; None where it is open.
        """
        if low.sum() > 0 and self.last_p(low) <= self.alpha:
            return 1
        if high.sum() < 0 and self.last_p(high) <= self.alpha:
            return -1
        above = high.sum() > 0 and self.last_p(high) <= self.alpha
        below = low.sum() < 0 and self.last_p(low) <= self.alpha
        return None if above or below else 0

    def _sums(self, differences: Floats) -> tuple[Floats, float, float]:
        """|sum| of the differences under each pattern of signs; the observed one; and what is rounding."""
        total = float(differences.sum())
        number = self.patterns.number
        parts = [
            total - 2 * (self.patterns.flipped(start, min(start + _BLOCK, number)) @ differences)
            for start in range(0, number, _BLOCK)
        ]
        return np.abs(np.concatenate(parts)), abs(total), TOLERANCE * float(np.abs(differences).sum())

    def _p(self, hits: NDArray[np.bool_]) -> float:
        return float(self.patterns.p(np.array([hits.sum()]))[0])

    def _cross(self, sums: Floats, level: float, tolerance: float) -> None:
        """Note which patterns would have been rejected at this look: as many as the level allows."""
        of_all = self.patterns.number + (
            not self.patterns.exact
        )  # drawn patterns stand beside the observed one
        room = int(np.floor(level * of_all + 1e-9)) - int(self.crossed.sum())
        left = np.sort(sums[~self.crossed])[::-1]
        if room > 0:
            boundary = left[room] + tolerance if room < len(left) else -1.0
            self.crossed |= sums > boundary
