"""Levels along an axis from 0 to 1, and from which grade on a document is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gainful.errors import UsageError
from gainful.measures._exact import exact
from gainful.scores import Scores

MOST = 100_000
"""Levels of a curve; more cannot be told apart."""


def shares_of(levels: int | Sequence[float]) -> list[Fraction]:
    """So many levels evenly from 0 to 1, or those given, each read as the decimal that is written.

    >>> shares_of(3), shares_of([0.1])
    ([Fraction(0, 1), Fraction(1, 2), Fraction(1, 1)], [Fraction(1, 10)])
    """
    if isinstance(levels, int):
        if not 2 <= levels <= MOST:
            raise UsageError(f"levels must be 2 to {MOST:,}, or a list of them; got {levels:,}.")
        return [Fraction(point, levels - 1) for point in range(levels)]
    shares = [exact(level) for level in levels if 0 <= level <= 1]
    if not shares or len(shares) < len(levels) or sorted(set(shares)) != shares:
        raise UsageError("levels must lie between 0 and 1, each larger than the one before.")
    return shares


def level_of_relevance(scores: Scores, rel: float | None) -> float:
    """The lowest grade that is relevant: as said here, as the scores were made with, or 1."""
    if rel is not None:
        return rel
    return 1 if scores.settings.rel is None else scores.settings.rel
