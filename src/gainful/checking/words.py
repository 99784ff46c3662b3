"""Words that findings are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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


def extremes(values: Mapping[str, float], form: str) -> str:
    """Names with their values, the highest first; of many, those at both ends."""
    ordered = sorted(values.items(), key=lambda item: -item[1])
    ends = ordered if len(ordered) <= 2 * NAMED else [*ordered[:NAMED], *ordered[-NAMED:]]
    said = ", ".join(f"{name} {form.format(value)}" for name, value in ends)
    return said if len(ends) == len(ordered) else f"{said} (the first and last five)"
