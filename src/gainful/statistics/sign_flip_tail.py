"""Sign-flip p-values far out in the tail, where no affordable number of flips would hit.

With S = Σ ±|dᵢ| under random signs, the two-sided p-value is 2 · P(S ≥ s), s = |Σ d|. Two ways, by how many patterns are
as extreme:

    few    a pattern is as extreme just when the |dᵢ| that it turns negative sum to no more than T = (Σ|d| − s) / 2.
           Only the |dᵢ| ≤ T can be among them; where these are 20 or fewer, such subsets are counted: exact.
    many   Lugannani and Rice's saddlepoint approximation (Robinson 1982, doi:10.1111/j.2517-6161.1982.tb01192.x), with the
           cumulant generating function  K(λ) = Σ log cosh(λ dᵢ)  and λ such that  K′(λ) = s:

               P(S ≥ s) ≈ 1 − Φ(w) + φ(w) · (1/v − 1/w)      w = √(2 (λ s − K(λ)))      v = λ √K″(λ)

           Sums of values on a grid, such as those of P@10, have gaps of h: s − h/2 stands for s, and (2/h) sinh(λ h/2)
           for the λ in v (Daniels 1987, doi:10.2307/1403269).

Against all 2ⁿ patterns the approximation was within an eighth of p; where the |dᵢ| have a few sizes only, or nearly so,
without a common unit, within a factor of three, either way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special

Floats = NDArray[np.float64]

TOLERANCE = 1e-9
"""Of Σ|d|: sums that are closer are equal."""

COUNTED = 20
"""Differences whose subsets are counted: 2 · 2¹⁰ sums."""

_STEPS = 60
_ROWS = 2048
_GRID = 1e-3
"""Of √Σd²: values on a grid finer than this are as good as continuous."""


def tail_p(differences: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The two-sided p-value of each row, and which of them are exact.

    Of 40 equal differences, one of them negative, 1 + 40 patterns are as extreme on either side.

    >>> p, exact = tail_p(np.array([[-1.0] + [1.0] * 39, [-0.5] + [1.0] * 39]))
    >>> (p * 2**40 / 2).round(2).tolist(), exact.tolist()
    ([40.1, 2.0], [False, True])
    """
    parts = [_tail(differences[start : start + _ROWS]) for start in range(0, len(differences), _ROWS)]
    if not parts:
        return np.zeros(0), np.zeros(0, np.bool_)
    return np.concatenate([p for p, _ in parts]), np.concatenate([exact for _, exact in parts])


def _tail(differences: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    sizes = np.abs(differences)
    total = sizes.sum(axis=1)
    observed = np.maximum(np.abs(differences.sum(axis=1)) - TOLERANCE * total, 0)
    room = (total - observed) / 2
    small = (sizes > 0) & (sizes <= room[:, None])
    exact = small.sum(axis=1) <= COUNTED
    p = np.ones(len(sizes))
    different = np.count_nonzero(sizes, axis=1)
    for row in np.flatnonzero(exact):
        p[row] = min(2 * _subsets(sizes[row, small[row]], room[row]) * 0.5 ** int(different[row]), 1)
    if not exact.all():
        p[~exact] = np.maximum(_saddlepoint(sizes[~exact], observed[~exact]), 2 * 0.5 ** different[~exact])
    return p, exact


def _subsets(values: Floats, room: float) -> int:
    """How many subsets sum to no more than the room: a sum of one half of the values, and what fits beside it."""
    left, right = _sums(values[::2]), np.sort(_sums(values[1::2]))
    return int(np.searchsorted(right, room - left, "right").sum())


def _sums(values: Floats) -> Floats:
    """The sum of every subset."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _saddlepoint(sizes: Floats, observed: Floats) -> Floats:
    gap = 2 * _grid(sizes)
    s = np.maximum(observed - gap / 2, 0)
    scale = _solved(sizes, s)
    moved = scale[:, None] * sizes
    generating = (np.logaddexp(moved, -moved) - np.log(2)).sum(axis=1)
    w = np.sqrt(np.maximum(2 * (scale * s - generating), 0))
    step = np.divide(2 * np.sinh(scale * gap / 2), gap, out=scale.copy(), where=gap > 0)
    v = step * np.sqrt(np.square(sizes / np.cosh(np.minimum(moved, 350))).sum(axis=1))
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * (special().ndtr(-w) + density * (1 / v - 1 / w))
    return np.asarray(np.where(w > 1e-4, np.clip(p, 0, 1), 1.0))


def _solved(sizes: Floats, s: Floats) -> Floats:
    """The λ with K′(λ) = s, by Newton's method; K is convex."""
    squares = np.square(sizes).sum(axis=1)
    scale = np.divide(s, squares, out=np.zeros_like(s), where=squares > 0)
    for _ in range(_STEPS):
        bent = np.tanh(scale[:, None] * sizes)
        slope = (sizes * bent).sum(axis=1) - s
        curve = np.square(sizes * np.sqrt(1 - bent**2)).sum(axis=1)
        step = np.divide(slope, curve, out=-scale.copy(), where=curve > 1e-12 * squares)
        step = np.clip(step, -scale, scale / 2)
        scale = scale - step
        if (np.abs(step) <= 1e-9 * scale).all():
            break
    return np.asarray(scale)


def _grid(sizes: Floats) -> Floats:
    """The unit of which all values of a row are multiples (Euclid's algorithm); 0 where it is too fine to matter."""
    least = _GRID * np.sqrt(np.square(sizes).sum(axis=1))
    unit = np.zeros(len(sizes))
    for column in sizes.T:
        larger, smaller = np.maximum(unit, column), np.minimum(unit, column)
        while (open_rows := smaller > least).any():
            rest = np.mod(larger, smaller, out=np.zeros_like(larger), where=open_rows)
            rest = np.where(smaller - rest < least, 0.0, rest)
            larger, smaller = np.where(open_rows, smaller, larger), np.where(open_rows, rest, smaller)
        # A remainder that is neither zero nor a unit worth speaking of: no grid.
        unit = np.where(smaller > TOLERANCE * larger, least / 2, larger)
    return np.where(unit > least, unit, 0.0)
