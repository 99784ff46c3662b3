"""The greatest value that a measure, or the difference of two runs, can have once open documents are judged.

One topic at a time. An open document is one that nobody judged and that may turn out to have any grade from 0 to the
best. The least value is minus the greatest of the opposite.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 50
_CLOSE = 1e-13


def most_of_sum(base: float, worth: Floats) -> float:
    """The base and Σ worth over the open documents that it pays to call relevant; each stands for itself."""
    return base + float(np.maximum(worth, 0.0).sum())


def most_of_ratio(
    judged_worth: Floats, judged_gain: Floats, open_worth: Floats, best: float, ideal: Floats
) -> float:
    """The greatest Σ gain · worth / Σ ideal · gains best first, over gains of open documents from 0 to best.

    judged_worth, judged_gain  what a unit of gain adds above the line, and the gain, of every judged document
    open_worth                 the same of open documents
    ideal                      what a unit of gain adds below the line at rank 1, 2, …, as many as there are documents

    A sum of gains is an integral over thresholds t of what has a gain above t, above the line and below it, for the
    ideal list is the same at every threshold. At each threshold it pays to call relevant the open documents with the
    largest worth, for some number of them; from threshold to threshold that number does not rise, so that such gains
    exist. The ratio c is the greatest when the best of (above − c · below) is 0 (Dinkelbach 1967). Where every choice
    is below zero the greatest is among choices of 0 and best alone, for then the function is convex.

    One relevant document judged at rank 2 of nDCG, rank 1 open: 1, whatever its gain from 1 on.

    >>> discount = 1 / np.log2(np.arange(1, 4) + 1)
    >>> most_of_ratio(discount[1:2], np.ones(1), discount[:1], 3.0, discount)
    1.0
    """
    if best <= 0:
        return 0.0
    worth = np.sort(open_worth)[::-1]
    above = np.concatenate(([0.0], np.cumsum(worth)))
    below = np.concatenate(([0.0], np.cumsum(ideal)))
    base = float(judged_worth @ judged_gain)
    number = len(above)
    total = ideal_totals(judged_gain, best, number, ideal)
    found = float(np.max(np.divide(base + best * above, total, out=np.zeros(number), where=total > 0)))
    if found < 0 or (found == 0 and not (worth > 0).any()):
        return found
    levels = np.unique(np.append(judged_gain[judged_gain > 0], best))
    heights = np.diff(levels, prepend=0.0)
    reached = judged_gain[None, :] >= levels[:, None]
    bases = reached @ judged_worth
    counts = reached.sum(axis=1)[:, None] + np.arange(number)
    lines, rows = below[counts], np.arange(len(levels))
    for _ in range(_STEPS):
        chosen = np.argmax(above - found * lines, axis=1)
        under = float(heights @ lines[rows, chosen])
        value = float(heights @ (bases + above[chosen])) / under if under > 0 else 0.0
        if value <= found + _CLOSE:
            return max(found, value)
        found = value
    return found


def ideal_totals(judged_gain: Floats, best: float, number: int, ideal: Floats) -> Floats:
    """Σ ideal · gains best first, with 0, 1, 2, … documents of the best gain beside the judged ones.

    >>> ideal_totals(np.array([1.0, 0.0]), 2.0, 3, np.array([1.0, 0.5, 0.25, 0.125]))  # 1, 2 + 1/2, 2 + 2/2 + 1/4
    array([1.  , 2.5 , 3.25])
    """
    gains = np.sort(judged_gain[judged_gain > 0])[::-1]
    below = np.concatenate(([0.0], np.cumsum(ideal)))
    if not len(gains):
        return best * below[:number]
    return best * below[:number] + np.correlate(ideal[: number + len(gains) - 1], gains, "valid")


def first_ranks(worth: Floats, here: float, there: float, other: Floats) -> float:
    """The greatest worth of the first relevant document less the other run's, one open document called relevant or none.

    worth, other  what each open document would be worth as the first, in the one run and in the other
    here, there   what the first judged one is worth
    """
    none = here - there
    if not len(worth):
        return none
    return max(none, float((np.maximum(worth, here) - np.maximum(other, there)).max()))


def precision_from_top(judged: Floats, unjudged: Floats) -> Floats:
    """Σ precision at relevant ranks, with the first 0, 1, 2, … of the open documents relevant.

    judged, unjudged  ranks of relevant and of open documents, rising

    Ranks 1 and 4 relevant, rank 2 open: 1/1 + 2/4, then 1/1 + 2/2 + 3/4

    >>> precision_from_top(np.array([1.0, 4.0]), np.array([2.0]))
    array([1.5 , 2.75])
    """
    before = np.searchsorted(judged, unjudged)
    number = np.arange(1.0, len(unjudged) + 1)
    return _grown(judged, (before + number) / unjudged + _inverses_below(judged, before))


def precision_from_bottom(judged: Floats, unjudged: Floats) -> Floats:
    """The same with the last 0, 1, 2, … of them relevant.

    >>> precision_from_bottom(np.array([1.0]), np.array([2.0, 4.0]))  # 1, 1 + 2/4, 1 + 2/2 + 3/4
    array([1.  , 1.5 , 2.75])
    """
    last = unjudged[::-1]
    before = np.searchsorted(judged, last)
    added = np.concatenate(([0.0], np.cumsum(1 / last)[:-1])) if len(last) else last
    return _grown(judged, (before + 1) / last + _inverses_below(judged, before) + added)


def _inverses_below(judged: Floats, before: NDArray[np.int64]) -> Floats:
    """Σ 1/rank over the relevant documents further down."""
    sums = np.concatenate(([0.0], np.cumsum(1 / judged)))
    return np.asarray(sums[-1] - sums[before])


def _grown(judged: Floats, added: Floats) -> Floats:
    start = float((np.arange(1.0, len(judged) + 1) / judged).sum())
    return start + np.concatenate(([0.0], np.cumsum(added)))
