"""Random judgments and runs with everything in them that makes trouble."""

import random


def judgments(topics=40, documents=120, judged=25, seed=1):
    """Rows of topic, document and grade: grades negative and fractional too, a topic with nothing relevant."""
    chance = random.Random(seed)
    rows = [
        (
            f"q{topic}" if topic % 3 else str(topic),
            f"d{document}",
            float(chance.choice([-1, 0, 0, 0.5, 1, 1, 2, 3])),
        )
        for topic in range(topics)
        for document in chance.sample(range(documents), judged)
    ]
    return [*rows, ("nothing", "d1", 0.0), ("nothing", "d2", -1.0)]


def told_apart(rows, aspects, seed=2):
    """The same rows with a subtopic or a judge in each; some documents in several."""
    chance = random.Random(seed)
    return [
        (topic, aspect, document, max(0.0, grade))
        for topic, document, grade in rows
        for aspect in chance.sample(aspects, chance.choice([1, 1, 2]))
    ]


def run(topics=range(3, 46), documents=140, retrieved=60, seed=3):
    """Rows of topic, document and score: ties, topics that nobody judged; the first topics are missing."""
    chance = random.Random(seed)
    return [
        (
            f"q{topic}" if topic % 3 else str(topic),
            f"d{document}",
            chance.choice([0.1, 0.2, -1.5, chance.random()]),
        )
        for topic in topics
        for document in chance.sample(range(documents), retrieved)
    ]
