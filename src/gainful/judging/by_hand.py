"""Judged runs made by hand: from grades, or from ids for judgments by subtopic, by judge, or as preferences."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gainful.arrays import np
from gainful.judging.aspects import Aspects
from gainful.judging.ranking import Ranking, offsets_of
from gainful.judging.record import JudgedRun

Grades: TypeAlias = Sequence[float | None]
GradesById = Mapping[str, float]
GradesByAspect = Mapping[Any, GradesById | Sequence[GradesById]]


def judged_run(
    grades: Grades | Sequence[Grades],
    judged: Sequence[float] | Sequence[Sequence[float]] | None = None,
    *,
    retrieved: int | Sequence[int] | None = None,
    present: bool | Sequence[bool] = True,
    top: float | None = None,
) -> JudgedRun:
    """Create a judged run from grades, for examples and tests.

    grades     of the documents of one ranked list, None where there is no judgment; or a list of such lists
    judged     every grade in the judgments, or a list for each topic; those retrieved and not named are added
    retrieved  documents retrieved, if there are more than grades were given for
    present    whether the run has the topic
    top        the best grade of the scale, if no document here has it

    >>> judged_run([[1, 0], [None, 2]], judged=[[1, 1, 0], [2]]).retrieved
    array([2., 2.])
    """
    many_topics = any(isinstance(item, Sequence | np.ndarray) for item in grades)
    lists: list[list[float | None]] = [list(topic) for topic in grades] if many_topics else [list(grades)]  # type: ignore[arg-type]
    named: list[list[float]] = [[] for _ in lists]
    if judged is not None:
        named = [list(topic) for topic in judged] if many_topics else [list(judged)]  # type: ignore[arg-type]
    depth = [len(ranked) for ranked in lists]
    if retrieved is not None:
        depth = list(retrieved) if isinstance(retrieved, Sequence) else [retrieved] * len(lists)
    there = list(present) if isinstance(present, Sequence) else [present] * len(lists)

    hits = [[(rank, grade) for rank, grade in enumerate(ranked, 1) if grade is not None] for ranked in lists]
    pools = [
        _completed(pool, [grade for _, grade in of_topic]) for pool, of_topic in zip(named, hits, strict=True)
    ]
    grades_of_pools = np.array([grade for pool in pools for grade in pool], dtype=np.float64)
    return JudgedRun(
        offsets_of([len(of_topic) for of_topic in hits]),
        np.array([rank for of_topic in hits for rank, _ in of_topic], dtype=np.float64),
        np.array([grade for of_topic in hits for _, grade in of_topic], dtype=np.float64),
        pool=Ranking.best_first(offsets_of([len(pool) for pool in pools]), grades_of_pools, top=top),
        retrieved=np.array(depth, dtype=np.float64),
        present=np.array(there, dtype=np.bool_),
    )


def _completed(named: list[float], retrieved: list[float]) -> list[float]:
    """The grades named, and those retrieved that they do not account for."""
    left = list(named)
    added = []
    for grade in retrieved:
        if grade in left:
            left.remove(grade)
        else:
            added.append(grade)
    return named + added


def judged_by(ranked: Sequence[Any], judgments: GradesByAspect | Sequence[GradesByAspect]) -> JudgedRun:
    """A judged run of ids, with their grades by subtopic or by judge.

    ranked     ids of the documents in rank order; or a list of such lists, one for each topic
    judgments  `{subtopic: {id: grade}}`, or one for each topic; a judge who gave partial orders has a list of them

    >>> run = judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 2}})
    >>> run.pairs(1).total()
    array([1., 2.])
    """
    many_topics = not isinstance(judgments, Mapping)
    lists: list[list[str]] = [list(ids) for ids in ranked] if many_topics else [list(ranked)]
    topics: Sequence[GradesByAspect] = judgments if many_topics else [judgments]  # type: ignore[list-item,assignment]
    rows: list[tuple[int, str]] = []
    entries: list[tuple[int, int, int, str, float]] = []
    for topic, of_topic in enumerate(topics):
        for aspect, name in enumerate(sorted(of_topic)):
            parts = of_topic[name]
            for part, grades in enumerate([parts] if isinstance(parts, Mapping) else parts):
                entries += [
                    (topic, aspect, part, document, grade) for document, grade in sorted(grades.items())
                ]
        documents = {document for t, _, _, document, _ in entries if t == topic}
        rows += [(topic, document) for document in sorted(documents)]
    place = {row: number for number, row in enumerate(rows)}
    best = {row: max(grade for t, _, _, d, grade in entries if (t, d) == row) for row in rows}
    hits = [
        [(rank, place[topic, document]) for rank, document in enumerate(ids, 1) if (topic, document) in place]
        for topic, ids in enumerate(lists)
    ]
    grade = np.array([best[row] for row in rows], dtype=np.float64)
    row = np.array([number for of_topic in hits for _, number in of_topic], dtype=np.intp)
    return JudgedRun(
        offsets_of([len(of_topic) for of_topic in hits]),
        np.array([rank for of_topic in hits for rank, _ in of_topic], dtype=np.float64),
        grade[row],
        pool=Ranking.best_first(
            offsets_of([sum(t == topic for t, _ in rows) for topic in range(len(topics))]), grade
        ),
        retrieved=np.array([len(ids) for ids in lists], dtype=np.float64),
        present=np.ones(len(lists), dtype=np.bool_),
        row=row,
        aspects=_aspects(entries, place, len(topics), [len(of_topic) for of_topic in topics]),
    )


def _aspects(
    entries: list[tuple[int, int, int, str, float]],
    place: dict[tuple[int, str], int],
    topics: int,
    counts: list[int],
) -> Aspects:
    sizes = [
        sum((t, a) == (topic, aspect) for t, a, *_ in entries)
        for topic in range(topics)
        for aspect in range(counts[topic])
    ]
    part = np.array([part for _, _, part, _, _ in entries], dtype=np.intp)
    return Aspects(
        offsets_of(counts),
        offsets_of(sizes),
        np.array([place[topic, document] for topic, _, _, document, _ in entries], dtype=np.intp),
        np.array([grade for *_, grade in entries], dtype=np.float64),
        ids=np.arange(len(place)),
        part=part if part.any() else None,
    )
