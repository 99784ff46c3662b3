"""Adaptive strategies: more is asked of the runs that have found most so far, topic by topic.

Move-to-front (Cormack, Palmer and Clarke 1998, doi:10.1145/290941.291009): the run in front is read as long as its documents
are relevant; a document that is not moves it back.
Bandit (Losada, Parapar and Barreiro 2016, doi:10.1145/2851613.2851692): each run is an arm whose documents are relevant
with an unknown rate; the arm with the largest rate drawn from what is known of it is played (Thompson sampling).

Judgments come in batches: within a batch nothing is learned, and a document just chosen counts as not relevant for
move-to-front and not at all for the bandit. Documents of adaptive strategies have no inclusion probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.studies.strategies import Choice, Situation, pool_strategy

PER_TOPIC = 2
"""Documents of each topic in a batch, unless a size is asked for."""

_NEVER = 1 << 62


class TopicLists(NamedTuple):
    """The lists of a topic.

    lists     of each run, the numbers of its documents among the topic's, best rank first
    relevant  of each document: whether it is; None where it is not judged
    free      of each document, whether it may be asked for
    """

    lists: list[list[int]]
    relevant: list[bool | None]
    free: list[bool]


def move_to_front(topic: TopicLists, random: np.random.Generator) -> Iterator[tuple[int, int]]:  # noqa: ARG001 (orders are called alike)
    """Documents that are not judged, each with the run that it was taken from, in the order of move-to-front.

    Runs begin with priority 0. The run with the highest priority (the first of equals) gives its next document; if that is
    not relevant its priority falls by one. Judged documents are gone through again to find the priorities of now.

    Run 0 has x, y, z and run 1 has u, v; x is not relevant and u is: run 1 is in front, and gives v.

    >>> lists = TopicLists([[0, 1, 2], [3, 4]], [False, None, None, True, None], [False, True, True, False, True])
    >>> [document for document, _ in move_to_front(lists, np.random.default_rng(0))]
    [4, 1, 2]
    """
    priority = [0] * len(topic.lists)
    places = [0] * len(topic.lists)
    seen: set[int] = set()
    while any(place < len(listed) for place, listed in zip(places, topic.lists, strict=True)):
        rest = [place < len(listed) for place, listed in zip(places, topic.lists, strict=True)]
        run = max(
            range(len(priority)), key=lambda number: (priority[number] if rest[number] else -_NEVER, -number)
        )
        document = topic.lists[run][places[run]]
        places[run] += 1
        if document in seen:
            continue
        seen.add(document)
        if topic.relevant[document] is None and topic.free[document]:
            yield document, run
        if not topic.relevant[document]:
            priority[run] -= 1


def bandit(topic: TopicLists, random: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Documents that are not judged, each with the run that it was taken from, in the order of a bandit over the runs.

    The rate of a run is drawn from Beta(1 + relevant, 1 + not relevant), counted over its judged documents.
    """
    counts = [
        [sum(topic.relevant[document] is value for document in listed) for value in (True, False)]
        for listed in topic.lists
    ]
    left = [[number for number in listed if topic.free[number]] for listed in topic.lists]
    taken: set[int] = set()
    while True:
        left = [[number for number in listed if number not in taken] for listed in left]
        arms = [run for run, listed in enumerate(left) if listed]
        if not arms:
            return
        rates = random.beta(*(np.array([1 + counts[run][side] for run in arms]) for side in (0, 1)))
        run = arms[int(np.argmax(rates))]
        taken.add(left[run][0])
        yield left[run][0], run


Order = Callable[[TopicLists, np.random.Generator], Iterator[tuple[int, int]]]
ORDERS: dict[str, Order] = {"mtf": move_to_front, "bandit": bandit}


@pool_strategy("adaptive", adaptive=True)
def adaptive(situation: Situation) -> Sequence[Choice]:
    """`adaptive:mtf` or `adaptive:bandit`: as many documents of each topic as of the others, in the order of the strategy."""
    name = situation.parameters or "mtf"
    if name not in ORDERS:
        raise UsageError(f"adaptive is one of {', '.join(ORDERS)}; got adaptive:{name}.")
    topics = range(len(situation.evidence.topics))
    size = PER_TOPIC * len(topics) if situation.size is None else situation.size
    orders = [
        ORDERS[name](
            _lists(situation, topic), np.random.default_rng([situation.seed, situation.batch, topic])
        )
        for topic in topics
    ]
    choices: list[Choice] = []
    while orders and len(choices) < size:  # a document of each topic in turn
        taken = [(topic, next(orders[topic], None)) for topic in topics if len(choices) < size]
        more = [(topic, pick) for topic, pick in taken if pick is not None]
        if not more:
            break
        choices += [_choice(situation, topic, *pick) for topic, pick in more]
    return choices[:size]


def _lists(situation: Situation, topic: int) -> TopicLists:
    evidence, part = situation.evidence, situation.evidence.part(topic)
    ranks, grade = evidence.ranks[:, part], evidence.grade[part]
    lists = [_in_order(of_run) for of_run in ranks]
    relevant = [None if value < 0 else bool(value > 0) for value in grade.tolist()]
    return TopicLists(lists, relevant, situation.free[part].tolist())


def _in_order(ranks: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(ranks, kind="stable")[: int(np.isfinite(ranks).sum())].tolist()
    return order


def _choice(situation: Situation, topic: int, document: int, run: int) -> Choice:
    evidence, part = situation.evidence, situation.evidence.part(topic)
    row = part.start + document
    judged = evidence.grade[part][np.isfinite(evidence.ranks[run, part]) & (evidence.grade[part] >= 0)]
    place = f"rank {int(evidence.ranks[run, row])} of {evidence.names[run]}"
    found = f"which found {int((judged > 0).sum())} relevant of {len(judged)} judged"
    return Choice(row, f"{place}, {found}" if len(judged) else place)
