"""How narrow intervals could be with labels, if people had judged all topics and it were known what the labels are worth.

    python docs/make_models_bound.py [--data FOLDER]

Judged collections, nDCG@10, people judging 30 % of the topics, topics like these: the median width over all pairs of systems,
as a share of that by people alone. In each column the slope of people's differences on the prediction is the one that fits
all topics best, which nobody knows who has judged 30 % of them.

nDCG@10    by the labels; those of several models are put together by the weights that fit all topics best
measures   a prediction by twenty measures of the labels, whose weights for each topic are learned from all other topics
documents  nDCG@10 by the gain that a document's labels let expect, learned for each topic from all other topics

The table replaces the part of docs/models.md between the marks.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from make_models import BEST, COLLECTIONS, DEPTH, HERE, SHARE, Collection, least_width, replaced

from gainful.estimates.model_gains import expected_of
from gainful.presentation.table import Table
from gainful.statistics import prediction_powered

BY_LABELS = [
    *(f"nDCG@{cutoff}" for cutoff in (1, 3, 5, 10, 20, 50)),
    *(f"DCG@{cutoff}" for cutoff in (3, 10, 20)),
    *(f"P(rel={grade})@{cutoff}" for grade in (1, 2, 3) for cutoff in (5, 10, 20)),
    *("RR(rel=2)", "AP(rel=2)"),
]


def bounds(collection: Collection) -> Iterator[list[str]]:
    """A row for the best prompt, for all prompts of its model, and for all judges."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    first, second = np.triu_indices(len(people), 1)
    truly = people[second] - people[first]
    differ = np.ptp(truly, axis=1) > 0
    judged = round(SHARE * truly.shape[1])

    def width(predictions: list[np.ndarray]) -> str:
        apart = np.array([values[second] - values[first] for values in predictions])
        return f"{least_width(truly[differ], apart[:, differ], judged):.2f}"

    for title, names in {BEST: [BEST], **collection.several}.items():
        measures = from_other_topics(people, collection, names)
        documents = by_expected_gains(collection, names)
        yield [
            collection.name,
            title,
            width([collection.by_model(name) for name in names]),
            width([measures]),
            width([documents]),
        ]


def from_other_topics(people: np.ndarray, collection: Collection, names: list[str]) -> np.ndarray:
    """Runs × topics: what measures of labels predict, by weights from the other topics (ridge regression)."""
    values = np.array(
        [collection.values(collection.as_grades(name), measure) for name in names for measure in BY_LABELS]
    )
    values = values[values.std(axis=(1, 2)) > 0]
    values = values / values.std(axis=(1, 2), keepdims=True)
    centred = values - values.mean(axis=1, keepdims=True)
    there, _ = prediction_powered.combined(people - people.mean(axis=0), centred, centred[:, :, :0])
    return there


def by_expected_gains(collection: Collection, names: list[str]) -> np.ndarray:
    """Runs × topics: nDCG of the gains that labels let expect, learned from the documents of all other topics."""
    pairs = [(topic, document) for topic, graded in collection.people.items() for document in graded]
    topics = list(collection.people)
    place = np.array([topics.index(topic) for topic, _ in pairs])
    gain = np.array([collection.people[topic][document] for topic, document in pairs])
    labels = np.array(
        [
            [collection.labels[name][topic].get(document, np.nan) for topic, document in pairs]
            for name in names
        ]
    )
    expected = np.maximum(expected_of(labels, place, np.ones(len(pairs), bool), np.maximum(gain, 0)), 0)
    graded: dict[str, dict[str, float]] = {}
    for (topic, document), value in zip(pairs, expected.tolist(), strict=True):
        graded.setdefault(topic, {})[document] = value
    return collection.values(graded, f"nDCG@{DEPTH}")


def main() -> None:
    """Look at all collections and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="../shared/data/judging", type=Path)
    asked = parser.parse_args()
    rows = []
    for name in COLLECTIONS:
        with tempfile.TemporaryDirectory() as unpacked:
            rows += bounds(Collection(asked.data / name, Path(unpacked), seed=1))
    heads = ["collection", "labels", f"nDCG@{DEPTH}", "measures", "documents"]
    replaced(HERE / "models.md", "bounds", Table(heads, rows, names=2).markdown())


if __name__ == "__main__":
    main()
