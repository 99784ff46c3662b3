"""Crossings: where one mean curve overtakes another, in points and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from gainful.curves import Curve
from gainful.formats.ids import shown

Floats = NDArray[np.float64]

_OFTEN = 2  # crossings of two curves that are told one by one
_LEAST = 0.01  # of the highest value: curves that are nearer to each other are taken as one


@dataclass(frozen=True, slots=True)
class Crossing:
    """From x on, `after` is above `before`; y is where they meet."""

    before: str
    after: str
    x: float
    y: float


def crossings(curves: Sequence[Curve]) -> tuple[Crossing, ...]:
    """Of every two curves over the same points, in the order of x.

    >>> falls = Curve("falls", None, "rank", "P", np.array([[1, 0.9], [2, 0.5], [3, 0.1]]))
    >>> rises = Curve("rises", None, "rank", "P", np.array([[1, 0.1], [2, 0.5], [3, 0.9]]))
    >>> crossings([falls, rises])
    (Crossing(before='falls', after='rises', x=3.0, y=0.9),)
    """
    found = [one for a, b in combinations(curves, 2) for one in _of_two(a, b)]
    return tuple(sorted(found, key=lambda one: one.x))


def told(curves: Sequence[Curve], found: Sequence[Crossing], x: str) -> list[str]:
    """What can be said of each pair of curves that cross; x is the name of the axis."""
    made = []
    for a, b in combinations(curves, 2):
        names = {a.run, b.run}
        some = [one for one in found if {one.before, one.after} == names]
        if not some:
            continue
        first = some[0]
        before, after = shown(first.before), shown(first.after)
        if len(some) == 1:
            made.append(f"{before} is ahead of {after} at first; from {x} {first.x:g} on, {after} is.")
        elif len(some) <= _OFTEN:
            made.append(
                f"{after} is ahead of {before} from {x} {first.x:g} up to {x} {some[1].x:g}, and behind elsewhere."
            )
        else:
            made.append(
                f"{before} and {after} cross {len(some)} times between {x} {first.x:g} and {some[-1].x:g}."
            )
    return made


def _of_two(a: Curve, b: Curve) -> list[Crossing]:
    """Where one passes the other; stretches in which they are hardly apart are passed over."""
    if len(a) != len(b) or not np.array_equal(a.points[:, 0], b.points[:, 0]):
        return []
    apart = b.values - a.values
    least = _LEAST * max(float(np.nanmax(np.abs(curve.values), initial=0.0)) for curve in (a, b))
    stretches: list[tuple[bool, int]] = []  # who is ahead, and from which place on
    for start, stop in _stretches(np.sign(apart)):
        if np.nanmax(np.abs(apart[start:stop])) >= max(least, 1e-12):
            ahead = bool(apart[start] > 0)
            if not stretches or stretches[-1][0] != ahead:
                stretches.append((ahead, start))
    made = []
    for _, (ahead, start) in pairwise(stretches):
        winner, loser = (b, a) if ahead else (a, b)
        x, y = winner.points[start]
        made.append(Crossing(loser.run, winner.run, float(x), float(y)))
    return made


def _stretches(signs: Floats) -> list[tuple[int, int]]:
    """First and last place of neighbours of one sign; places without a sign are left out."""
    turns = [0, *(np.flatnonzero(np.diff(signs)) + 1).tolist(), len(signs)]
    return [(start, stop) for start, stop in pairwise(turns) if stop > start and abs(signs[start]) == 1]
