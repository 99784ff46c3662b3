"""Values of the measures for some topics, and what the notes are made of, as rows that a worker hands back."""

from __future__ import annotations

from typing import Any

import numpy as np

from gainful.formats.judgments import Judgments
from gainful.judging import JudgedRun
from gainful.judging.notes import TOP, ties_astride
from gainful.judging.transforms import knowing
from gainful.scores.scoring import values_of
from gainful.scores.users import knowledge_of
from gainful.spark.rows import batch, lists
from gainful.spark.task import Task


def answer(
    task: Task, what: str, run: str | None, judgments: Judgments, judged: JudgedRun, where: np.ndarray
) -> Any:
    """A batch of rows, one for each of the topics that are asked for; values of several users stand side by side."""
    chosen = np.flatnonzero(where)
    each = (values_of(one, task.measures) for one in _seen_by_users(task, judgments, judged))
    values, undefined = zip(*each, strict=True)
    pool, top = judged.pool, judged.cut(TOP)
    begins = pool.offsets[:-1]
    astride = np.array([ties_astride(judged, k) for k in task.cutoffs], bool).reshape(-1, len(judged))
    return batch(
        len(chosen),
        what=what,
        run=run,
        topic=[judgments.index.topics[place] for place in chosen],
        values=lists(np.concatenate(values).T[chosen]),
        undefined=lists(np.concatenate(undefined).T[chosen]),
        retrieved=judged.retrieved[chosen],
        astride=lists(astride.T[chosen]),
        judged=top.total(where=top.grade >= 0)[chosen],
        low=np.minimum.reduceat(np.where(pool.grade >= 0, pool.grade, np.inf), begins)[chosen],
        high=pool.grade[begins][chosen],
        aspects=None if judged.aspects is None else np.diff(judged.aspects.topics)[chosen].astype(np.int32),
    )


def _seen_by_users(task: Task, judgments: Judgments, judged: JudgedRun) -> list[JudgedRun]:
    if task.known is None and task.expected is None:
        return [judged]
    return [knowing(judged, one) for one in knowledge_of(judgments, task.known, task.expected).values()]
