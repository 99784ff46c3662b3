"""Words that findings are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown

NAMED = 5
"""Examples that a finding has at most."""


def some_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """The first ids, as people see them."""
    return tuple(shown(one) for one, _ in zip(ids, range(NAMED), strict=False))


def some_grades(grades: NDArray[np.float64]) -> tuple[str, ...]:
    """The lowest grades, each once."""
    return tuple(f"{grade:g}" for grade in np.unique(grades)[:NAMED])


def first_ids(ids: Sequence[str]) -> str:
    """A few ids in a sentence, and how many more there are."""
    more = f" and {len(ids) - 3:,} more" if len(ids) > 3 else ""
    return ", ".join(f"'{shown(one)}'" for one in ids[:3]) + more
