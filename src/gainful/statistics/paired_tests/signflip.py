"""The sign-flip test: each topic could as well have favoured the other system; the shape of the differences does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from gainful.statistics.differences import scaled
from gainful.statistics.flips import Flips, sign_flips_of
from gainful.statistics.paired_tests import PairedSample, PValues, paired_test
from gainful.statistics.paired_tests.sign import all_one_way

_ROWS = 100  # rows whose signs are changed together


def _flips(sample: PairedSample) -> Flips:
    return Flips(sample.rows.shape[1], sample.flips, sample.seed)


def _smallest(sample: PairedSample) -> NDArray[np.float64]:
    """The smallest p-value: 2/2ᵐ where m topics differ, and no less than the flips can give."""
    allowed = all_one_way(sample)
    flips = _flips(sample)
    by_tail = flips.smallest > sample.resolve > 0
    return allowed if flips.exact or by_tail else np.maximum(allowed, flips.smallest)


def _together(samples: Sequence[PairedSample]) -> list[PValues]:
    """Neighbours of the same topics, such as the measures of one comparison, meet the same flips: each is made once."""
    answers: list[PValues] = []
    for (flips, resolve), some in groupby(samples, key=lambda sample: (_flips(sample), sample.resolve)):
        alike = list(some)
        step = max(1, _ROWS // max(len(sample.rows) for sample in alike))
        for at in range(0, len(alike), step):
            families = [
                (scaled(sample.rows, sample.weights), (sample.first, sample.second))
                for sample in alike[at : at + step]
            ]
            answers += sign_flips_of(families, flips, resolve=resolve, progress=alike[at].progress)
    return answers


@paired_test(
    "sign-flip test", smallest=_smallest, draws="flips", patterns=True, weights=True, together=_together
)
def signflip(sample: PairedSample) -> PValues:
    """The sum of differences, against sums with random signs; with weights, of weighted differences."""
    return _together([sample])[0]
