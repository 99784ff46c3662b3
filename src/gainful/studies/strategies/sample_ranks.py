"""Samples by rank: the better the best rank of a document, the larger the share that is drawn.

The documents of a topic whose best rank lies in a band are a stratum. Of its N documents n are drawn, each set of n being
equally likely (simple random sampling without replacement), so that each has the probability n / N.
The n documents with the least permanent random numbers are taken: a later batch, with a larger n, holds the earlier ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.studies.strategies import Choice, Floats, Situation, pool_strategy, share_or_count

DEFAULT = "1-10=50%,11-30=20%,31-100=5%"
_BAND = re.compile(r"\s*(\d+)-(\d+)\s*=\s*([0-9.]+%)\s*")


class Band(NamedTuple):
    """Ranks from first to last, and the share of their documents that a batch draws."""

    first: int
    last: int
    share: float

    @property
    def label(self) -> str:
        """As the pool names it."""
        return f"ranks {self.first}-{self.last}"


def bands_of(text: str) -> list[Band]:
    """The bands that a text names.

    >>> bands_of("1-10=100%,11-100=10%")
    [Band(first=1, last=10, share=1.0), Band(first=11, last=100, share=0.1)]
    """
    bands: list[Band] = []
    for part in (text or DEFAULT).split(","):
        match = _BAND.fullmatch(part)
        if match is None or not 0 < int(match[1]) <= int(match[2]):
            raise UsageError(f"a band of ranks is written 1-10=50%; got {part!r}.")
        bands.append(Band(int(match[1]), int(match[2]), share_or_count(match[3], "a band's share")[0]))
    for before, band in pairwise(bands):
        if band.first <= before.last:
            raise UsageError(
                f"{band.label} overlaps {before.label}, or stands before it; give bands in order."
            )
    return bands


def _strata(situation: Situation) -> Iterator[tuple[Band, NDArray[np.int64], int]]:
    """Each stratum: its band, its rows by their random numbers, and how many of them are drawn by now.

    Documents that were judged before the study are in no stratum: their grades are known for certain.
    """
    candidate = (situation.evidence.grade < 0) | situation.asked
    for band in bands_of(situation.parameters):
        within = candidate & (situation.best_rank >= band.first) & (situation.best_rank <= band.last)
        for topic in range(len(situation.evidence.topics)):
            part = situation.evidence.part(topic)
            rows = part.start + np.flatnonzero(within[part])
            rows = rows[np.argsort(situation.uniform[rows], kind="stable")]
            drawn = min(len(rows), math.ceil(situation.batch * band.share * len(rows) - 1e-9))
            if len(rows):
                yield band, rows, drawn


def probabilities(situation: Situation) -> Floats:
    """Of every row: the number drawn from its stratum by now, as a share of the stratum."""
    chance = np.zeros(len(situation.evidence.grade))
    for _, rows, drawn in _strata(situation):
        chance[rows] = drawn / len(rows)
    return chance


@pool_strategy("sample:ranks", probabilities=probabilities)
def sample_ranks(situation: Situation) -> Sequence[Choice]:
    """`sample:ranks:1-10=50%,11-100=10%`: of each topic this share of the documents whose best rank is in the band."""
    return [
        Choice(int(row), f"drawn from {band.label}", band.label)
        for band, rows, drawn in _strata(situation)
        for row in rows[:drawn]
        if situation.free[row]
    ]
