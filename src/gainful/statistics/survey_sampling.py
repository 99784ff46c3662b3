"""Totals and variances from samples with known inclusion probabilities; arrays in, arrays out.

    total      Σ y / π over the documents drawn: unbiased for Σ y over all of them (Horvitz & Thompson 1952)
    variance   of such a total, from the sample itself, document by document
    concave    Σ of falling weights over an estimated number of documents, and how it changes with that number
    proportional, effect_sizes, shares_by_effect  probabilities with which documents are drawn

Horvitz & Thompson 1952, doi:10.1080/01621459.1952.10483446; Särndal, Swensson & Wretman 1992, Model Assisted Survey
Sampling, doi:10.1007/978-1-4612-4378-6, sections 2.8, 3.7 and 5.5.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
_FLOOR = 0.1


def variance_parts(
    y: Floats, probability: Floats, stratum: Integers, size: Floats, drawn: NDArray[np.bool_]
) -> Floats:
    """What each document adds to the estimated variance of Σ y / π.

        drawn independently            y² · (1 − π) / π²
        n of N in a stratum, n ≥ 2     N² · (1 − n/N) / (n · (n − 1)) · (y − ȳ)²,  ȳ the mean of y in the sample
        one of N                       y² / π², which on average is (Σ y)² more than it is: no sample of one knows its spread

    y            of each document; for a total of y, or what linearises another estimate
    probability  π, above 0
    stratum      number of its stratum
    size         N of each stratum; NaN where its documents were drawn independently
    drawn        whether it was drawn; the others add nothing

    Two of four drawn, y = 1 and 3:  16 · (1 − 2/4) / 2 · (1 + 1)

    >>> alone = np.zeros(2, int)
    >>> variance_parts(np.array([1.0, 3.0]), np.array([0.5, 0.5]), alone, np.array([4.0]), np.ones(2, bool)).sum()
    np.float64(8.0)
    >>> variance_parts(np.array([1.0, 3.0]), np.array([0.5, 0.5]), alone, np.array([np.nan]), np.ones(2, bool))
    array([ 2., 18.])
    """
    parts = np.where(drawn, y * y * (1 - probability) / probability**2, 0.0)
    fixed = drawn & np.isfinite(size[stratum]) & (probability < 1)
    if not fixed.any():
        return parts
    codes = stratum[fixed]
    number = np.bincount(codes, minlength=len(size)).astype(np.float64)
    mean = np.bincount(codes, y[fixed], minlength=len(size)) / np.maximum(number, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = size**2 * (1 - number / size) / (number * (number - 1))
    several = number[codes] >= 2
    alone = (y[fixed] / probability[fixed]) ** 2
    parts[fixed] = np.where(
        several, np.where(several, factor[codes], 0.0) * (y[fixed] - mean[codes]) ** 2, alone
    )
    return parts


def pair_factor(stratum: Integers, size: Floats, drawn: NDArray[np.bool_]) -> Floats:
    """π_j · π_k / π_jk for two documents of one stratum, by stratum: 1 where they were drawn independently.

        n of N:  π_jk = n/N · (n − 1)/(N − 1),  so that the factor is (n · (N − 1)) / (N · (n − 1))

    >>> pair_factor(np.zeros(2, int), np.array([4.0]), np.ones(2, bool))  # (2 · 3) / (4 · 1)
    array([1.5])
    """
    number = np.bincount(stratum[drawn], minlength=len(size)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = number * (size - 1) / (size * (number - 1))
    return np.where(np.isfinite(size) & (number > 1), factor, 1.0)


def concave(number: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Σ of the weights at ranks 1 to `number`, a part of the last one where it is no whole number; and the last weight.

    number  estimated numbers of documents
    weight  falling, at ranks 1, 2, …; 0 after its end

    >>> concave(np.array([0.0, 2.0, 2.5]), np.array([1.0, 0.5, 0.2]))
    (array([0. , 1.5, 1.6]), array([0. , 0.5, 0.2]))
    """
    sums = np.concatenate(([0.0], np.cumsum(weight)))
    last = np.ceil(number).astype(np.intp) - 1
    there = (last >= 0) & (last < len(weight))
    slope = (
        np.where(there, weight[np.clip(last, 0, max(len(weight) - 1, 0))], 0.0)
        if len(weight)
        else 0.0 * number
    )
    return np.interp(number, np.arange(len(sums)), sums), slope


def effect_sizes(weight: Floats) -> Floats:
    """How much each document can change the difference between runs: the spread of its weight + a tenth of its greatest weight.

    weight  runs × documents

    The tenth is for documents at equal ranks: they change no difference of gains, but what an ideal list would gain.

    >>> effect_sizes(np.array([[1.0, 0.5], [0.5, 0.5]])).round(2)
    array([0.6 , 0.05])
    """
    return np.asarray(np.ptp(weight, axis=0) + _FLOOR * weight.max(axis=0))


def proportional(size: Floats, number: float) -> Floats:
    """Probabilities in proportion to the sizes, at most 1, that add up to the number.

    >>> proportional(np.array([4.0, 1.0, 1.0, 2.0]), 2.0)  # the first is certain, the others share what is left
    array([1.  , 0.25, 0.25, 0.5 ])
    """
    positive = size > 0
    if number >= positive.sum():
        return positive.astype(np.float64)
    certain = np.zeros(len(size), np.bool_)
    while True:
        chance = size * ((number - certain.sum()) / size[~certain].sum())
        more = (chance >= 1) & ~certain
        if not more.any():
            return np.where(certain, 1.0, chance)
        certain |= more


def shares_by_effect(size: Floats, offsets: Integers, share: float) -> Floats:
    """Probabilities in proportion to the sizes that draw this share of each topic's documents, on average.

    offsets  documents of topic t are at offsets[t] to offsets[t + 1]; those without any size are not counted

    >>> shares_by_effect(np.array([4.0, 1.0, 1.0, 2.0, 1.0, 3.0]), np.array([0, 4, 6]), 0.5)
    array([1.  , 0.25, 0.25, 0.5 , 0.25, 0.75])
    """
    topics = [size[start:stop] for start, stop in pairwise(offsets.tolist())]
    return np.concatenate([proportional(part, share * int((part > 0).sum())) for part in topics])
