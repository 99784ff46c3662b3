"""A simulated model's labels for the bundled judgments: mostly the people's grade, sometimes one higher or one lower."""

import random
from pathlib import Path

import numpy as np

import gainful

DATA = Path(__file__).parents[2] / "examples" / "data"
RUNS = {name: str(DATA / f"{name}.run") for name in ("sprinter", "marathon", "plain")}


def bundled():
    """The bundled judgments by topic and document."""
    return gainful.read_qrels(DATA / "qrels.txt").to_dict()


def labelled(grades, *, seed=1, right=0.7, higher=0.2, most=3):
    """Labels for all of these: the grade with this probability, else one higher or one lower."""
    drawn = random.Random(seed)

    def label(grade):
        place = drawn.random()
        if place < right:
            return grade
        return min(most, grade + 1) if place < right + higher else max(0, grade - 1)

    return {
        topic: {document: label(grade) for document, grade in row.items()} for topic, row in grades.items()
    }


def pilot(topics=20):
    """People's judgments of the first topics, and the model's labels for all."""
    everything = bundled()
    return {topic: everything[topic] for topic in list(everything)[:topics]}, labelled(everything)


def written(path, grades):
    """Judgments as a TREC file."""
    path.write_text(
        "".join(f"{t} 0 {d} {g:g}\n" for t, row in grades.items() for d, g in row.items()), encoding="utf-8"
    )
    return str(path)


def values_of(qrels, topics):
    """Systems × topics of nDCG@10, by evaluating each."""
    scores = gainful.evaluate(qrels, RUNS, "nDCG@10")
    return np.array([[scores[name].per_topic[topic]["nDCG@10"] for topic in topics] for name in RUNS])
