"""The bootstrap: topics drawn again with replacement, as if the collection had been made anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import blocks, draws
from gainful.statistics._scipy import special
from gainful.statistics.blocks import Progress


def means(
    rows: NDArray[np.float64],
    *,
    resamples: int = draws.RESAMPLES,
    seed: int = draws.SEED,
    progress: Progress | None = None,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The mean of each row over each resample of its columns, all rows on the same resamples: resamples × rows.

    weights  how much each column counts; it is drawn together with its weight: Σ w x / Σ w over the resample

    >>> means(np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 4.0]]), resamples=4, seed=0)[:, 0]
    array([1., 1., 1., 1.])
    """
    if weights is not None:
        drawn = means(np.vstack([rows * weights, weights]), resamples=resamples, seed=seed, progress=progress)
        return drawn[:, :-1] / drawn[:, -1:]
    topics = rows.shape[1]
    numbers, units = blocks.whole_rows(rows, topics)
    found = np.empty((resamples, len(rows)))

    def draw(start: int, stop: int) -> None:
        found[start:stop] = blocks.product(numbers, draws.counts(seed, topics, start, stop)).T

    for _ in blocks.over(
        resamples, blocks.size(max(len(rows), topics)), draw, progress=progress, what="bootstrap"
    ):
        pass
    found *= units
    found /= topics
    return found


def percentile(
    resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle share of the resampled means (resamples × rows), as lower and upper ends."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return low, high


def bca(
    differences: NDArray[np.float64], resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bias-corrected and accelerated interval (Efron 1987, doi:10.1080/01621459.1987.10478410), row by row.

        ends at the quantiles  Φ( z0 + (z0 ± z) / (1 − a (z0 ± z)) )  of the resampled means
        z0 = Φ⁻¹(share of resampled means below the observed one)      a = Σ(d − d̄)³ / (6 (Σ(d − d̄)²)^1.5)

    differences  rows × topics
    resampled    resamples × rows
    """
    scipy = special()
    observed = differences.mean(axis=1)
    centred = differences - observed[:, None]
    spread = (centred**2).sum(axis=1)
    level = scipy.ndtri(1 - (1 - confidence) / 2)
    ends = (observed.copy(), observed.copy())
    for row in np.flatnonzero(np.ptp(differences, axis=1) > 0):
        ordered = np.sort(resampled[:, row])
        below = np.searchsorted(ordered, observed[row], "left") + np.searchsorted(
            ordered, observed[row], "right"
        )
        z0 = scipy.ndtri(below / 2 / len(ordered))
        a = (centred[row] ** 3).sum() / (6 * spread[row] ** 1.5)
        for end, z in zip(ends, (z0 - level, z0 + level), strict=True):
            with np.errstate(invalid="ignore"):  # z0 is infinite where all resampled means are on one side
                share = scipy.ndtr(z0 + z / (1 - a * z))
            end[row] = np.quantile(ordered, share) if np.isfinite(share) else np.nan
    return ends
