"""Thirty topics, of which people judged ten and models labelled all; and three runs."""

import numpy as np

RANDOM = np.random.default_rng(4)
TOPICS = [f"q{number}" for number in range(30)]
DOCUMENTS = [f"d{number}" for number in range(12)]
TRUTH = {topic: {document: int(RANDOM.integers(0, 4)) for document in DOCUMENTS} for topic in TOPICS}
LABELS = {
    topic: {
        document: int(np.clip(grade + RANDOM.integers(-1, 2), 0, 3)) for document, grade in graded.items()
    }
    for topic, graded in TRUTH.items()
}
OTHER = {
    topic: {
        document: int(np.clip(grade + RANDOM.integers(-2, 3), 0, 3)) for document, grade in graded.items()
    }
    for topic, graded in TRUTH.items()
}
PEOPLE = {topic: TRUTH[topic] for topic in TOPICS[:10]}


def system(skill, seed):
    """Scores of all documents; the more skill, the more they follow the grades."""
    random = np.random.default_rng(seed)
    return {
        topic: {document: skill * grade + float(random.normal()) for document, grade in graded.items()}
        for topic, graded in TRUTH.items()
    }


RUNS = {"weak": system(0.1, 1), "middle": system(0.5, 2), "strong": system(1.5, 3)}
TWO = {name: RUNS[name] for name in ("weak", "strong")}
