"""Arithmetic of comparisons: arrays in, numbers out; nothing here knows systems, topics or files by name.

resampling ──▶ flips, sign_flip_tail, intervals, corrections, anova    what chance would have made of these differences
paired_tests (one file each), intervals, corrections                   what is asked of a comparison, by name
differences, power                                                     what else follows from scores

Sums are the same to the bit in whatever blocks and on however many cores.
SciPy is slow to import, so it is imported when a function of it is first needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gainful.errors import UsageError


def special() -> Any:
    """The distribution functions: scipy.special, or our own where there is no SciPy."""
    try:
        return import_module("scipy.special")
    except ImportError:
        return import_module("gainful.statistics.plain_distributions")


def stats() -> Any:
    """scipy.stats: what scipy.special does not have."""
    try:
        return import_module("scipy.stats")
    except ImportError:
        raise UsageError("this test needs SciPy: pip install scipy") from None
