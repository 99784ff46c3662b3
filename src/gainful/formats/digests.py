"""Digests of parts add up to that of the whole: each is a sum of what stands for a row, whatever the order."""

from collections.abc import Iterable

_MODULUS = 1 << 128


def summed(digests: Iterable[str | bytes]) -> str:
    """The digest of rows that were read in parts.

    >>> summed(["ff", "01"])
    '00000000000000000000000000000100'
    """
    return f"{sum(int(digest, 16) for digest in digests) % _MODULUS:032x}"
