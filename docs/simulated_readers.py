"""Pairs of systems whose curves are known: populations of topics, for make_readers.py."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.readers import reader_sweeps
from gainful.scores import Scores, evaluate

POPULATION, DEPTH = 1_500, 60

Floats = NDArray[np.float64]
Random = np.random.Generator
Values = dict[str, Floats]
"""By sweep: what readers get of two systems, 2 × points × topics."""


class System(NamedTuple):
    """How likely a document is relevant at rank 1 of an easy topic, and after how many ranks a third of it is left."""

    rate: float
    decay: float


def crossing(random: Random) -> tuple[System, System]:
    """One that finds much at the top and soon nothing, and one that goes on finding."""
    return (
        System(random.uniform(1.1, 1.5), random.uniform(4, 8)),
        System(random.uniform(0.6, 0.9), random.uniform(20, 30)),
    )


def better(random: Random) -> tuple[System, System]:
    """One that finds more than the other everywhere."""
    decay = random.uniform(8, 20)
    return System(random.uniform(1.0, 1.3), decay), System(random.uniform(0.5, 0.8), decay)


def equal(random: Random) -> tuple[System, System]:
    """Two that find as much."""
    one = System(random.uniform(0.7, 1.4), random.uniform(5, 25))
    return one, one


def population(random: Random, pair: tuple[System, System], *, hard: bool = False) -> Values:
    """All the topics there are: easy and hard ones, with few and many relevant documents, liked more by one system or the other.

    hard  most topics give hardly anything, a few give much
    """
    ease = random.beta(0.5, 2.5, POPULATION) if hard else random.beta(1.2, 2.0, POPULATION)
    relevant = np.clip(np.exp(random.normal(2.6, 0.9, POPULATION)).round(), 1, 100).astype(int)
    qrels = {str(topic): {f"r{n}": 1 for n in range(many)} for topic, many in enumerate(relevant.tolist())}
    runs = {name: _run(random, system, ease, relevant) for name, system in zip("ab", pair, strict=True)}
    return _values(evaluate(qrels, runs, "NumRel"))


def _run(
    random: Random, system: System, ease: Floats, relevant: NDArray[np.int64]
) -> dict[str, dict[str, float]]:
    liked = ease * np.exp(random.normal(0, 0.35, POPULATION)) * np.minimum(1, relevant / 15)
    chance = liked[:, None] * system.rate * np.exp(-np.arange(DEPTH) / system.decay)
    hits = random.random((POPULATION, DEPTH)) < np.minimum(chance, 0.97)
    hits &= np.cumsum(hits, axis=1) <= relevant[:, None]
    found = np.cumsum(hits, axis=1)
    return {
        str(topic): {
            f"r{found[topic, rank] - 1}" if hits[topic, rank] else f"x{rank}": -float(rank)
            for rank in range(DEPTH)
        }
        for topic in range(POPULATION)
    }


def _values(scores: Scores) -> Values:
    ways = {
        "rank": reader_sweeps.by_rank(scores, "P", None),
        "recall": reader_sweeps.by_recall(scores),
        "patience": reader_sweeps.by_patience(),
    }
    return {by: np.stack([way.got(run)[0] for run in scores]) for by, way in ways.items()}


KINDS: dict[str, tuple[Callable[[Random], tuple[System, System]], bool]] = {
    "crossing": (crossing, False),
    "crossing, hard topics": (crossing, True),
    "one better": (better, False),
    "equal": (equal, False),
    "equal, hard topics": (equal, True),
}


def everything(random: Random, name: str) -> tuple[Values, Values]:
    """All topics of a pair of systems of this kind, and the true difference at each point; by sweep."""
    kind, hard = KINDS[name]
    values = population(random, kind(random), hard=hard)
    if kind is equal:  # every topic once more with the systems exchanged: the truth is nothing, exactly
        values = {by: np.concatenate([one, one[::-1]], axis=2) for by, one in values.items()}
    return values, {by: one[0].mean(axis=1) - one[1].mean(axis=1) for by, one in values.items()}
