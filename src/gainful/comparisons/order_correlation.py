"""Rank correlation of two orders of the same systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.list_overlap import persistence
from gainful.errors import NothingInCommon


def tau_b(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Kendall's tau-b: agreeing pairs less disagreeing ones, with ties in either taken out of the divisor.

        τb = (C − D) / √((C + D + ties in x only) (C + D + ties in y only))

    3 1 2 against 3 2 1: two pairs agree, one does not.

    >>> tau_b(np.array([3.0, 1.0, 2.0]), np.array([3.0, 2.0, 1.0])) == (2 - 1) / 3
    True
    """
    above, below = np.triu_indices(len(x), 1)
    of_x, of_y = np.sign(x[above] - x[below]), np.sign(y[above] - y[below])
    divisor = math.sqrt(float(np.count_nonzero(of_x)) * float(np.count_nonzero(of_y)))
    return float((of_x * of_y).sum()) / divisor if divisor else math.nan


def tau_ap(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """AP correlation (Yilmaz, Aslam & Robertson 2008, doi:10.1145/1390334.1390435): disagreement at the top weighs more.

        τap = 1/(N − 1) · Σ over ranks i ≥ 2 of y of (C(i) − D(i)) / (i − 1)

    x is the truth, y the order that is judged by it; C(i) and D(i) count the systems above rank i of y that x
    puts above and below it. Ties: the expected value over all ways of breaking them.

    The order 1 3 2 of y where x has 1 2 3: (1/1 + (1 − 1)/2) / 2

    >>> tau_ap(np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0]))
    0.5
    """
    size = len(x)
    if size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    total = 0.0
    inverse = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, size + 1))])  # Σ 1/k up to k
    for one in range(size):
        above = y > y[one]
        first = int(above.sum())  # systems above all that tie with this one
        if first == 0:
            continue
        tied = int((y == y[one]).sum())
        agreement = float(np.sign(x[above] - x[one]).sum())
        # Its rank − 1 is first, first + 1, … with equal chance; within the tie, agreement and its reverse cancel.
        total += agreement * float(inverse[first + tied - 1] - inverse[first - 1]) / tied
    return total / (size - 1)


@dataclass(frozen=True, slots=True)
class Orders:
    """How alike two orders of the same systems are."""

    first: str
    second: str
    systems: int
    tau_b: float
    tau_ap: float
    """The first order is the truth."""
    rbo: float
    p: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """By name."""
        made = asdict(self)
        made["notes"] = list(self.notes)
        return made


def correlate_orders(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    names: tuple[str, str] = ("first", "second"),
    p: float = 0.9,
) -> Orders:
    """How alike two orders of systems are, each a mapping from the system to its score; only systems in both count.

    >>> made = correlate_orders({"a": 0.3, "b": 0.2, "c": 0.1}, {"a": 0.5, "b": 0.3, "c": 0.4})
    >>> round(made.tau_b, 4), made.tau_ap
    (0.3333, 0.5)
    """
    common = [name for name in first if name in second]
    if len(common) < 2:
        raise NothingInCommon(
            f"{len(common)} system{'' if len(common) == 1 else 's'} in common; an order needs two at least."
        )
    x, y = (np.array([order[name] for name in common], np.float64) for order in (first, second))
    notes = []
    if alone := (len(first) - len(common)) + (len(second) - len(common)):
        notes.append(f"{alone} system{'' if alone == 1 else 's'} in only one of the two, left out")
    if any(len(np.unique(one)) < len(one) for one in (x, y)):
        notes.append(
            "some systems tie; tau_ap and RBO are averages over all ways of breaking the ties, "
            "tau-b takes them out of what it divides by"
        )
    return Orders(*names, len(common), tau_b(x, y), tau_ap(x, y), order_rbo(x, y, p), p, tuple(notes))


def order_rbo(x: NDArray[np.float64], y: NDArray[np.float64], p: float) -> float:
    """Rank-biased overlap of two orders of the same systems, its expected value over all ways of breaking ties.

        RBO = (1 − p) Σ p^(d−1) · A(d) + p^N        A(d) = expected share of the first d that both have

    >>> order_rbo(np.array([2.0, 1.0]), np.array([1.0, 2.0]), 0.5)  # 0.5 · (0 + 0.5 · 1) + 0.25
    0.5
    """
    persistence(p)
    size = len(x)
    depths = np.arange(1, size + 1)
    agreement = (_within(x) * _within(y)).sum(axis=0) / depths
    return float((1 - p) * (p ** (depths - 1) * agreement).sum() + p**size)


def _within(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance that each system is among the first d, for each d: systems × depths."""
    first = (scores[:, None] < scores).sum(axis=1)
    tied = (scores[:, None] == scores).sum(axis=1)
    depths = np.arange(1, len(scores) + 1)
    return np.asarray(np.clip((depths - first[:, None]) / tied[:, None], 0, 1))
