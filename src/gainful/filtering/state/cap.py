"""The cap of the history: which documents stay when it is cut.

The history is cut when it has grown a quarter beyond its cap, and not before that many more documents were seen since
the last cut. These stay:

1. every document that any reader has judged,
2. of each profile its high-scoring tail: with P profiles the cap // P documents that score highest by it now, above
   zero; of equal scores the later ones,
3. if that leaves room under the cap, the documents that arrived last.

So at most the cap stays, and judged documents on top of it. Documents that leave the history stay in the log, can be
explained and judged (which brings them back), and still count among the documents seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from gainful.filtering.state.history_vectors import Shelf
from gainful.filtering.vectors import Floats, Integers, Vector


def next_cut(cap: int, *, seen: int, held: int, last: int) -> int:
    """How many documents will have been seen when the history is cut.

    seen, held  documents seen so far, and those in the history
    last        documents seen when it was last cut; 0 if it never was

    >>> next_cut(1000, seen=0, held=0, last=0), next_cut(1000, seen=1250, held=1000, last=1250)
    (1250, 1500)
    """
    step = max(1, cap // 4)
    return max(seen + cap + step - held, last + step)


def leaving(
    shelf: Shelf, held: int, profiles: Sequence[Vector], judged: Collection[int], cap: int
) -> Integers:
    """The documents that leave, of the first `held` on the shelf."""
    order = np.argsort(shelf.documents[:held])
    documents = shelf.documents[:held][order]
    stays = np.isin(documents, np.array(sorted(judged), np.int64))
    depth = cap // max(1, len(profiles))
    for profile in profiles:
        stays[tail(shelf.scores(profile, held)[order], depth)] = True
    room = cap - int(stays.sum())
    if room > 0:
        stays[np.flatnonzero(~stays)[-room:]] = True
    return documents[~stays]


def tail(scores: Floats, depth: int) -> Integers:
    """Places of the highest scores above zero; of equal ones the last.

    >>> tail(np.array([0.5, 0.0, 0.9, 0.5]), 2)
    array([2, 3])
    """
    above = np.flatnonzero(scores > 0)
    if len(above) <= depth:
        return above
    if depth == 0:
        return above[:0]
    found = scores[above]
    least = np.partition(found, len(found) - depth)[len(found) - depth]
    surely = above[found > least]
    perhaps = above[found == least]
    return np.sort(np.concatenate([surely, perhaps[len(perhaps) - (depth - len(surely)) :]]))
