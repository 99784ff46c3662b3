"""Assignment: who judges which document, and in which order.

A topic belongs to one assessor, so that its documents are graded by one measure; topics are spread so that all have about
the same number of documents. A share of the documents goes to a second assessor as well, for agreement.
Each assessor sees one topic after the other, in random order, and the documents of a topic in random order, so that neither
rank nor run can be guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gainful.studies.study_folder import Pair
from gainful.studies.study_records import Assignment, Pooled


def assigned(
    pool: Sequence[Pooled],
    before: Sequence[Assignment],
    assessors: Sequence[str],
    *,
    overlap: float,
    seed: int,
    calibration: Sequence[Pair] = (),
) -> tuple[Assignment, ...]:
    """The assignments before, and those of every pooled document that has none.

    overlap      share of the new documents that a second assessor judges too
    calibration  documents with known grades that every assessor judges first

    >>> pool = [Pooled(topic="1", document=name, batch=1, reason="") for name in "xyz"]
    >>> [(row.assessor, row.document) for row in assigned(pool, [], ["ann"], overlap=0, seed=1)]
    [('ann', 'z'), ('ann', 'x'), ('ann', 'y')]
    """
    placed = {row.pair for row in before}
    new = [row for row in pool if row.pair not in placed]
    random = np.random.default_rng([seed, max((row.batch for row in new), default=0), len(before)])
    owners = _owners(new, before, assessors)
    first = [
        Assignment(assessor=name, topic=topic, document=document, batch=1, calibration=True)
        for name in assessors
        for topic, document in calibration
        if not before
    ]
    more = [_assignment(owners[row.topic], row) for row in new] + _second(
        new, owners, assessors, overlap, random
    )
    return (*before, *first, *_mixed(more, assessors, random))


def _assignment(assessor: str, row: Pooled) -> Assignment:
    return Assignment(assessor=assessor, topic=row.topic, document=row.document, batch=row.batch)


def _owners(new: Sequence[Pooled], before: Sequence[Assignment], assessors: Sequence[str]) -> dict[str, str]:
    """The assessor of each topic: the one that has it already, or else the one with the fewest documents."""
    owners: dict[str, str] = {}
    for row in before:
        if not row.calibration:
            owners.setdefault(row.topic, row.assessor)
    load = Counter(dict.fromkeys(assessors, 0)) + Counter(row.assessor for row in before)
    sizes = Counter(row.topic for row in new)
    for topic, size in sizes.items():
        if topic in owners:
            load[owners[topic]] += size
    for topic, size in sorted(sizes.items(), key=lambda item: -item[1]):
        if topic not in owners:
            owners[topic] = min(assessors, key=lambda name: load[name])
            load[owners[topic]] += size
    return owners


def _second(
    new: Sequence[Pooled],
    owners: dict[str, str],
    assessors: Sequence[str],
    overlap: float,
    random: np.random.Generator,
) -> list[Assignment]:
    """The documents that a second assessor judges too, drawn at random, spread over the other assessors in turn."""
    if len(assessors) < 2 or not overlap:
        return []
    chosen = sorted(random.permutation(len(new))[: round(overlap * len(new))].tolist())
    second = []
    for turn, place in enumerate(chosen):
        others = [name for name in assessors if name != owners[new[place].topic]]
        second.append(_assignment(others[turn % len(others)], new[place]))
    return second


def _mixed(
    rows: Sequence[Assignment], assessors: Sequence[str], random: np.random.Generator
) -> list[Assignment]:
    """The rows by assessor, the topics of each in random order, and the documents of each topic too."""
    mixed: list[Assignment] = []
    for name in assessors:
        mine: dict[str, list[Assignment]] = {}
        for row in rows:
            if row.assessor == name:
                mine.setdefault(row.topic, []).append(row)
        topics = list(mine)
        for number in random.permutation(len(topics)):
            documents = mine[topics[number]]
            mixed += [documents[place] for place in random.permutation(len(documents))]
    return mixed
