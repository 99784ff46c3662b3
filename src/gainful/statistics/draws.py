"""Random numbers, as a function of a random seed and a position; and the defaults of all resampling.

Pattern number i of a seed is the same whoever asks for it, in whatever blocks and on however many threads:
the stream is set to the place where the pattern begins before it is read.

>>> whole = chosen(7, 5, 0, 6)
>>> bool((whole[4:] == chosen(7, 5, 4, 6)).all())
True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SEED = 0
"""Random seed of every test, interval and band, unless another is asked for."""

RESAMPLES = 10_000
"""Bootstrap resamples of every test, interval and rank, unless another number is asked for."""

BAND_RESAMPLES = 2_000
"""Bootstrap resamples of every band along a curve, each of which holds all points of it; the confidence of a 95 % band is then
within 1 %, 19 times of 20."""

_FLIPS, _RESAMPLES, _ORDERS = 1, 2, 3


def chosen(seed: int, topics: int, start: int, stop: int) -> NDArray[np.float64]:
    """Patterns of topics, each topic in or out with even chance: a row of 0 and 1 for each pattern."""
    words = -(-topics // 64)
    raw = _raw(seed, _FLIPS, start * words, (stop - start) * words).astype("<u8", copy=False)
    bits = np.unpackbits(
        raw.view(np.uint8).reshape(stop - start, -1), axis=1, count=topics, bitorder="little"
    )
    return bits.astype(np.float64)


def every(topics: int, start: int, stop: int) -> NDArray[np.float64]:
    """Patterns start to stop of all 2^topics; the first has no topic in it.

    >>> every(2, 0, 4).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    numbers = np.arange(start, stop, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(topics)) & 1).astype(np.float64)


def counts(seed: int, topics: int, start: int, stop: int) -> NDArray[np.float64]:
    """Resamples of the topics with replacement: how often each topic is in each of them.

    >>> counts(3, 10, 0, 4).sum(axis=1).tolist()
    [10.0, 10.0, 10.0, 10.0]
    """
    number = stop - start
    words = -(-topics // 2)
    raw = _raw(seed, _RESAMPLES, start * words, number * words)
    halves = np.stack([raw >> np.uint64(32), raw & np.uint64(0xFFFFFFFF)], axis=1)
    drawn = (halves.reshape(number, -1)[:, :topics] * np.uint64(topics)) >> np.uint64(32)
    places = drawn.astype(np.int64) + topics * np.arange(number)[:, None]
    return np.bincount(places.ravel(), minlength=number * topics).reshape(number, topics).astype(np.float64)


def orders(seed: int, topics: int, systems: int, start: int, stop: int) -> NDArray[np.int64]:
    """For each pattern and topic, the systems in random order.

    >>> orders(1, 2, 3, 0, 5).sum(axis=2).tolist() == [[0 + 1 + 2] * 2] * 5
    True
    """
    size = topics * systems
    keys = _raw(seed, _ORDERS, start * size, (stop - start) * size).reshape(-1, topics, systems)
    # The lowest bits of each random key hold the system, so that sorting the keys shuffles the systems.
    mask = np.uint64((1 << max(systems - 1, 1).bit_length()) - 1)
    keys &= ~mask
    keys |= np.arange(systems, dtype=np.uint64)
    keys.sort(axis=2)
    keys &= mask
    return keys.view(np.int64)


def _raw(seed: int, purpose: int, start: int, number: int) -> NDArray[np.uint64]:
    stream = np.random.PCG64(np.random.SeedSequence([seed, purpose]))
    stream.advance(start)
    raw: NDArray[np.uint64] = stream.random_raw(number)
    return raw
