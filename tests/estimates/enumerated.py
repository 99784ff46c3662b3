"""Every sample that a design can draw from a small pool, with its probability; and scores from each of them."""

from itertools import combinations, product

import numpy as np

from gainful import evaluate

GRADES = {
    "1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 3},
    "2": {"a": 0, "b": 1, "c": 0, "d": 2, "e": 0},
}
LISTS = {"1": "acxbed", "2": "dbeaxc"}  # x could not be drawn
RUN = {
    topic: {document: 9.0 - rank for rank, document in enumerate(ranked)} for topic, ranked in LISTS.items()
}
FULL = {topic: dict(grades) for topic, grades in GRADES.items()}
BY_RANK = {"a": "top", "b": "top", "c": "rest", "d": "rest", "e": "rest"}


def fixed(strata, number):
    """All ways to draw so many documents of each stratum of one topic, with their probability and the design's rows."""
    groups = {name: [document for document in strata if strata[document] == name] for name in strata.values()}
    ways = list(product(*(combinations(groups[name], number[name]) for name in groups)))
    chances = {document: number[strata[document]] / len(groups[strata[document]]) for document in strata}
    return [(frozenset().union(*way), 1 / len(ways)) for way in ways], chances, strata


def independent(chances):
    """All subsets of documents that are drawn each for itself."""
    samples = []
    for taken in product((False, True), repeat=len(chances)):
        drawn = frozenset(document for document, there in zip(chances, taken, strict=True) if there)
        chance = np.prod([p if document in drawn else 1 - p for document, p in chances.items()])
        if chance > 0:
            samples.append((drawn, float(chance)))
    return samples, chances, dict.fromkeys(chances, "")


def scores_of(samples, chances, strata, measures, **options):
    """Scores of every pair of samples of the two topics, and the probability of each.

    A third topic, which the run does not have, says in every case that documents which were not drawn are listed.
    """
    design = [
        (topic, document, chances[document], strata[document]) for topic in GRADES for document in chances
    ]
    design += [("3", "a", 0.5, ""), ("3", "b", 0.5, "")]
    made = []
    for (first, chance), (second, other) in product(samples, repeat=2):
        drawn = {"1": first, "2": second}
        qrels = {
            topic: {
                document: grade if document in drawn[topic] else -1 for document, grade in of_topic.items()
            }
            for topic, of_topic in GRADES.items()
        }
        qrels["3"] = {"a": 1, "b": -1}
        made.append((chance * other, evaluate(qrels, RUN, measures, design=design, **options)))
    return made
