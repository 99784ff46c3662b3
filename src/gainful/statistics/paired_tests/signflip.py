"""The sign-flip test: each topic could as well have favoured the other system; the shape of the differences does not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics.differences import scaled
from gainful.statistics.flips import Flips, sign_flips
from gainful.statistics.paired_tests import PairedSample, PValues, paired_test
from gainful.statistics.paired_tests.sign import all_one_way


def _flips(sample: PairedSample) -> Flips:
    return Flips(sample.rows.shape[1], sample.flips, sample.seed)


def _smallest(sample: PairedSample) -> NDArray[np.float64]:
    """The smallest p-value: 2/2ᵐ where m topics differ, and no less than the flips can give."""
    allowed = all_one_way(sample)
    flips = _flips(sample)
    by_tail = flips.smallest > sample.resolve > 0
    return allowed if flips.exact or by_tail else np.maximum(allowed, flips.smallest)


@paired_test("sign-flip test", smallest=_smallest, draws="flips", patterns=True, weights=True)
def signflip(sample: PairedSample) -> PValues:
    """The sum of differences, against sums with random signs; with weights, of weighted differences."""
    return sign_flips(
        scaled(sample.rows, sample.weights),
        (sample.first, sample.second),
        _flips(sample),
        resolve=sample.resolve,
        progress=sample.progress,
    )
