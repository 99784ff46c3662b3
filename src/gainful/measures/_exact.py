"""Shares of whole numbers, exactly: ⌈share · total⌉ with the share read as the decimal that was written."""

from fractions import Fraction

import numpy as np

from gainful.errors import MeasureError
from gainful.judging.ranking import PerTopic, namespace

SMALL = 2**22  # times any number of documents below 2^31 stays below 2^53, where floats are exact
SMALLER = 2**10  # the same for 2^14 documents and 24 bits


def exact(written: float) -> Fraction:
    """The number as it was written: 0.1 is one tenth, not the nearest float to it.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(written))


def needed(part: Fraction, total: PerTopic) -> PerTopic:
    """⌈part · total⌉, without rounding errors.

    In floats, ⌊0.7 · 3 + 0.9⌋, which trec_eval takes for it, is 2: seven tenths of 3 are 3.

    >>> import numpy as np
    >>> needed(Fraction(1, 10), np.array([0.0, 1.0, 10.0, 11.0, 30.0]))
    array([0., 1., 1., 2., 3.])
    """
    above, below = part.numerator, part.denominator
    xp = namespace(total)
    if above < SMALLER or (above < SMALL and xp.finfo(total.dtype).bits == 64):
        return xp.ceil(total * above / below)  # type: ignore[no-any-return]
    if not isinstance(total, np.ndarray):
        raise MeasureError(f"{float(part):g} has too many digits for arrays; round it, or use 64-bit scores")
    return xp.asarray([float(-(-int(count) * above // below)) for count in total])  # type: ignore[no-any-return]
