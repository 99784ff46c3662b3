"""Orders of systems under several judges: how alike they are, in the data and in every draw of the topics.

The same as `tau_b` and `tau_ap` of gainful.comparisons.correlating.correlation, for many draws and all pairs of judges at once.
No judge is the truth, so tau_ap is the mean of both ways of taking one of the two for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.judges.agreement import Floats, ratio

_NOISE = 1e-12
"""Means that differ by less than this share of the largest are the same, computed along different ways."""


def signs(means: Floats) -> Floats:
    """Who stands above whom: draws × judges × systems become … × systems × systems of −1, 0 and 1.

    >>> signs(np.array([[[0.3, 0.1]]])).tolist()
    [[[[0.0, 1.0], [-1.0, 0.0]]]]
    """
    apart = means[..., :, None] - means[..., None, :]
    apart[np.abs(apart) <= _NOISE * np.abs(means).max(initial=0.0)] = 0
    return np.sign(apart, out=apart)


def tau_b(above: Floats) -> Floats:
    """Kendall's tau-b of each pair of judges: draws × judges × judges; NaN where a judge has all systems equal."""
    flat = above.reshape(*above.shape[:2], -1)
    untied = np.count_nonzero(flat, axis=2).astype(np.float64)
    divisor = np.sqrt(untied[:, :, None] * untied[:, None, :])
    return ratio(flat @ flat.transpose(0, 2, 1), divisor)


def tau_ap(above: Floats) -> Floats:
    """AP correlation of each pair of judges, the mean of both ways; NaN where a judge has all systems equal."""
    draws, judges, systems, _ = above.shape
    higher = above > 0  # [..., j, i]: j stands above i
    first = higher.sum(axis=2)
    tied = (above == 0).sum(axis=2)
    inverse = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, systems + 1))])  # Σ 1/k up to k
    # The rank of a system less one is first, first + 1, … with equal chance among those that tie.
    weight = np.where(first > 0, inverse[first + tied - 1] - inverse[np.maximum(first - 1, 0)], 0) / tied
    weighed = (higher * weight[:, :, None, :]).reshape(draws, judges, -1)
    one_way = weighed @ above.reshape(draws, judges, -1).transpose(0, 2, 1)
    made = (one_way + one_way.transpose(0, 2, 1)) / (2 * max(systems - 1, 1))
    flat = np.asarray(~above.any(axis=(2, 3)))
    made[flat[:, :, None] | flat[:, None, :]] = np.nan
    return np.asarray(made)


def unanimous(above: Floats) -> NDArray[np.bool_]:
    """Pairs of systems that all judges put in the same order, none of them equal: draws × systems × systems."""
    return np.asarray(np.abs(above.sum(axis=1)) == above.shape[1])
