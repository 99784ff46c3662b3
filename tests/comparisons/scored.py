"""Scores of two systems by hand and of many by chance."""

import numpy as np

from gainful.comparisons import ScoreTable
from gainful.measures import parse

A = np.array([0.3, 0.5, 0.2, 0.8, 0.4, 0.6, 0.1, 0.9])
B = np.array([0.4, 0.5, 0.5, 0.7, 0.6, 0.9, 0.4, 0.9])
TABLE = ScoreTable.of_matrix([A, B], systems=["a", "b"], measure="AP")


def many(systems=6, topics=30, seed=0, measures=("AP", "nDCG@10")):
    random = np.random.default_rng(seed)
    names = [f"s{number}" for number in range(systems)]
    values = (
        random.random((len(measures), systems, topics))
        + random.random(topics)
        + np.arange(systems)[:, None] / 20
    )
    one = ScoreTable.of_matrix(values[0], systems=names)
    return ScoreTable(tuple(map(parse, measures)), one.systems, one.topics, values)
