"""Small collections whose judgments are known, for tests of studies."""

from dataclasses import replace

import numpy as np

from gainful.studies.candidates import candidates_of, pairs_of
from gainful.studies.pooling import situation_of

Grades = dict[tuple[str, str], float]
Lists = dict[str, dict[str, float]]


def collection(
    topics: int = 12, documents: int = 30, better: float = 1.0, seed: int = 1
) -> tuple[Lists, Lists, Grades]:
    """Two runs of which the second ranks relevant documents the higher, the larger `better`; and all grades."""
    random = np.random.default_rng(seed)
    a: Lists = {}
    b: Lists = {}
    grades: Grades = {}
    for number in range(topics):
        topic = str(number + 1)
        grade = random.choice([0, 0, 0, 1, 2, 3], documents)
        names = [f"t{topic}d{place}" for place in range(documents)]
        grades |= {(topic, name): float(value) for name, value in zip(names, grade, strict=True)}
        for run, skill in ((a, 0.3), (b, 0.3 + better)):
            scores = skill * grade + random.normal(size=documents)
            run[topic] = {name: float(score) for name, score in zip(names, scores, strict=True)}
    return a, b, grades


def answered(study, grades: Grades) -> Grades:
    """What a simulated assessor says of the documents of a study."""
    return {row.pair: grades[row.pair] for row in study.pool}


def evidence_of(study, grades: Grades):
    """The candidates of a study with these grades."""
    return candidates_of(study.runs, grades, best=study.best_grade)


def fresh(study, seed: int, batch: int = 1, grades: Grades | None = None):
    """What a strategy would know at a batch of a study that has another seed and no pool yet."""
    evidence = evidence_of(study, grades or {})
    nothing = np.zeros(len(evidence.grade), np.bool_)
    return replace(situation_of(study, evidence=evidence, batch=batch), asked=nothing, seed=seed), pairs_of(
        evidence
    )
