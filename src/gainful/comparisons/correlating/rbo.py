"""Rank-biased overlap: how alike two ranked lists are to a reader who goes on from each rank with chance p.

    RBO = (1 − p) Σ p^(d−1) · |first d of A ∩ first d of B| / d        over all depths d

Lists end, so that the sum is known only in part (Webber, Moffat & Zobel 2010, doi:10.1145/1852102.1852106):

    least         nothing below the ends is shared
    most          as much as could be is
    extrapolated  the lists go on agreeing as they did where they end
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class Overlap:
    """Rank-biased overlap of two lists, and what is known of it."""

    least: float
    most: float
    extrapolated: float


def rbo(first: Sequence[Hashable], second: Sequence[Hashable], *, p: float = 0.9) -> Overlap:
    """Rank-biased overlap of two lists, which may differ in length and in what they hold.

    >>> made = rbo(["a", "b"], ["b", "a"], p=0.5)  # of Σ 0.5^d · 2/d from d = 2 on, the rest being known
    >>> round(made.least, 4) == round(2 * (math.log(2) - 0.5), 4), made.most, made.extrapolated
    (True, 0.5, 0.5)
    """
    persistence(p)
    shared = shared_by_depth(first, second)
    short, long = sorted((len(first), len(second)))
    if short == 0:
        # Nothing is known of an empty list; two of them agree on nothing at all.
        return Overlap(0.0, 1.0 if long else 0.0, 0.0)
    depth = np.arange(1, long + 1)
    weight = p**depth / depth
    known = float((shared * weight).sum())
    at_end, at_short = float(shared[-1]), float(shared[short - 1])
    beyond = -math.log1p(-p) - float(weight.sum())  # Σ p^d / d over d > long
    extended = np.where(depth > short, at_short * (depth - short) / short, 0.0)
    end = (at_end - at_short) / long + at_short / short
    return Overlap(
        least=(1 - p) / p * (known + at_end * beyond),
        most=_most(shared, short, p),
        extrapolated=(1 - p) / p * (known + float((extended * weight).sum())) + end * p**long,
    )


def shared_by_depth(first: Sequence[Hashable], second: Sequence[Hashable]) -> NDArray[np.float64]:
    """How many of the first d both lists have, for each d down to the end of the longer.

    >>> shared_by_depth("abc", "bxad").tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    rank = {item: number for number, item in enumerate(second)}
    if len(rank) < len(second) or len(set(first)) < len(first):
        raise DataError("a ranked list holds an item twice; remove one of them.")
    deeper = [max(number, rank[item]) for number, item in enumerate(first) if item in rank]
    return np.cumsum(np.bincount(np.array(deeper, np.int64), minlength=max(len(first), len(second)))).astype(
        float
    )


def persistence(p: float) -> float:
    """The chance p, if it is one."""
    if not 0 < p < 1:
        raise UsageError(f"p must lie between 0 and 1; got {p:g}.")
    return p


def _most(shared: NDArray[np.float64], short: int, p: float) -> float:
    """With every unseen place filled by what the other list has or will have."""
    long = len(shared)
    full = int(long + short - shared[-1])  # from here on the lists could agree wholly
    depth = np.arange(1, max(full, long) + 1)
    seen = np.concatenate([shared, np.full(len(depth) - long, shared[-1])])
    could = np.minimum(seen + np.maximum(depth - short, 0) + np.maximum(depth - long, 0), depth)
    return float((1 - p) * (p ** (depth - 1) * could / depth).sum() + p ** len(depth))
