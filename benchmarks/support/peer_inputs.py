"""A collection in the forms that tools take.

It is {"judgments": {topic: {document: grade}}, "run": {topic: [[document, score], ...]}}.
"""

import math

CUTOFFS = (1, 3, 10)


def lists(collection):
    """For each topic of the run that is judged: labels and scores in the order given, unjudged documents labelled 0."""
    for topic, rows in collection["run"].items():
        grades = collection["judgments"].get(topic)
        if grades is not None:
            yield [grades.get(document, 0) for document, _ in rows], [score for _, score in rows]


def ranked(collection):
    """For each topic of the run that is judged: documents best first, and the relevant ones."""
    for topic, rows in collection["run"].items():
        grades = collection["judgments"].get(topic)
        if grades is not None:
            documents = [document for document, _ in sorted(rows, key=lambda row: -row[1])]
            yield documents, [document for document, grade in grades.items() if grade >= 1]


def of_every_topic(collection):
    """For each judged topic: documents best first, none where the run lacks it, and the judgments."""
    for topic, grades in collection["judgments"].items():
        rows = collection["run"].get(topic, [])
        yield [document for document, _ in sorted(rows, key=lambda row: -row[1])], grades


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def dictionaries(collection):
    return collection["judgments"], {topic: dict(rows) for topic, rows in collection["run"].items()}


def joined(collection):
    labels, scores, sizes = [], [], []
    for of_topic, its_scores in lists(collection):
        labels += of_topic
        scores += its_scores
        sizes.append(len(of_topic))
    return labels, scores, sizes
