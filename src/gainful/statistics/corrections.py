"""Corrections: many comparisons invite a lucky winner; these pay for them.

    bonferroni   p · m: the chance of any false find is at most alpha
    holm         the smallest p · m, the next · (m − 1), …, never falling: the same promise, more finds
    bh           p · m / rank, never falling from below: at most alpha of the finds are false, on average
    none         each comparison by itself

Step-down max-T and the randomised Tukey HSD use how the comparisons hang together: see `families`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


def none(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """As they are."""
    return p.copy()


def bonferroni(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Times the number of comparisons.

    >>> bonferroni(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 1.0, 0.09]
    """
    return np.minimum(p * len(p), 1)


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm 1979: 0.01 · 3, then 0.03 · 2, then 0.4 · 1.

    >>> holm(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 0.4, 0.06]
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1)
    return adjusted


def bh(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Benjamini and Hochberg 1995: 0.4 · 3/3, then 0.03 · 3/2, then 0.01 · 3/1.

    >>> bh(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 0.4, 0.045]
    """
    order = np.argsort(-p, kind="stable")
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(p[order] * len(p) / ranks), 1)
    return adjusted


@dataclass(frozen=True, eq=False)
class Correction:
    """A correction for many comparisons.

    title      in words: "Holm"
    function   from p-values to corrected ones; None where flips or shuffles are shared by the whole family, see `families`
    by_number  whether it multiplies the smallest p-value by the number of comparisons
    """

    title: str
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None
    by_number: bool = False

    @property
    def shared(self) -> bool:
        """Whether it draws flips or shuffles for the whole family."""
        return self.function is None

    def times(self, comparisons: int) -> int:
        """By how much the smallest p-value that a test can give is multiplied.

        >>> CORRECTIONS["holm"].times(190), CORRECTIONS["bh"].times(190)  # under bh, where all are as small, once
        (190, 1)
        """
        return comparisons if self.by_number else 1


CORRECTIONS = {
    "holm": Correction("Holm", holm, by_number=True),
    "bonferroni": Correction("Bonferroni", bonferroni, by_number=True),
    "bh": Correction("Benjamini-Hochberg", bh),
    "max-t": Correction("step-down max-T", None),
    "tukey": Correction("randomised Tukey HSD", None),
    "none": Correction("no correction", none),
}
