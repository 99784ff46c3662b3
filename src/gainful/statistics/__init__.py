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
    """scipy.special: the distribution functions."""
    return _scipy("scipy.special")


def stats() -> Any:
    """scipy.stats: what scipy.special does not have."""
    return _scipy("scipy.stats")


def _scipy(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError("comparing systems needs SciPy: pip install scipy") from None
