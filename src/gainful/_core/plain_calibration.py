"""The readable twin of native/calibration.cpp: same names, same arguments, same bits; the oracle of its tests."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy.typing import NDArray

Floats = NDArray[Any]


class _Standing(NamedTuple):
    """Minus the logarithm of the posterior probability, but for a constant; its first and its second derivatives."""

    value: float
    down: float
    up: float
    a: float
    b: float
    c: float


def fit_curve(
    places: Floats,
    labels: Floats,
    weights: Floats,
    *,
    intercept: float,
    slope: float,
    first: float,
    shared: float,
    second: float,
    least_slope: float,
) -> tuple[float, float, float, float, float]:
    """Intercept and slope of the most probable logistic curve, and their covariance: of the first, of both, of the second.

    Two answers that are alike, one "yes" and one "no", leave the curve where it was believed to be at 50 %:

    >>> import numpy as np
    >>> twice, both = np.array([2.0, 2.0]), np.array([1.0, 0.0])
    >>> prior = {"intercept": -2.0, "slope": 1.0, "first": 1.0, "shared": 0.0, "second": 1.0}
    >>> fit_curve(twice, both, np.ones(2), **prior, least_slope=0.05)[:2]
    (-2.0, 1.0)
    """
    if not len(places) == len(labels) == len(weights):
        raise ValueError("every place needs a label and a weight")
    answers = list(zip(places.tolist(), labels.tolist(), weights.tolist(), strict=True))
    believed = (intercept, slope, first, shared, second)
    at = _standing(answers, believed, intercept, slope)
    for free in (True, False):
        for _ in range(100):
            determinant = at.a * at.c - at.b * at.b
            move = (at.c * at.down - at.b * at.up) / determinant if free else at.down / at.a
            turn = (at.a * at.up - at.b * at.down) / determinant if free else 0.0
            if max(abs(move), abs(turn)) < 1e-6:  # the error that it leaves is about its square
                intercept, slope = intercept - move, slope - turn
                break
            # A whole step can lead too far, and the next one back again.
            part, most = 1.0, at.value + 1e-12 * (1 + abs(at.value))
            there = _standing(answers, believed, intercept - move, slope - turn)
            while there.value > most:
                part /= 2
                there = _standing(answers, believed, intercept - part * move, slope - part * turn)
            intercept, slope, at = intercept - part * move, slope - part * turn, there
        if slope >= least_slope:
            break
        slope = least_slope  # and the intercept that goes with it
        at = _standing(answers, believed, intercept, slope)
    determinant = at.a * at.c - at.b * at.b
    return intercept, slope, at.c / determinant, -at.b / determinant, at.a / determinant


def _standing(
    answers: list[tuple[float, float, float]], believed: tuple[float, ...], intercept: float, slope: float
) -> _Standing:
    _, _, first, shared, second = believed
    ahead, along = intercept - believed[0], slope - believed[1]
    value = first * ahead * ahead / 2 + second * along * along / 2 + shared * ahead * along
    down, up = first * ahead + shared * along, shared * ahead + second * along
    a, b, c = first, shared, second
    for place, label, weight in answers:
        logit = intercept + slope * place
        far = math.exp(-abs(logit))
        share = 1 / (1 + far) if logit >= 0 else far / (1 + far)
        surprise, spread = weight * (share - label), weight * (share * (1 - share))
        value += weight * (max(logit, 0.0) + math.log1p(far) - label * logit)
        down += surprise
        up += surprise * place
        a += spread
        b += spread * place
        c += spread * place * place
    return _Standing(value, down, up, a, b, c)
