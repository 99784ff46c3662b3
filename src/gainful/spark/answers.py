"""What a worker hands back: a row for each topic of each run, and rows for what it noticed on the way.

what       run          topic  holds
topic      its name     yes    values of the measures, and what the notes are made of
empty      –            yes    the same for a run that does not have the topic
extra      its name     yes    a topic of the run that is not judged; the first ones of each partition
extras     its name     –      how many of them there are
rows       its name     –      how many rows, and the digest of their content
judgments  –            –      likewise for the judgments
any other  its name, –  yes    a fault of that kind, of the run or of the judgments: the first one, and how many
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.formats.judgments import Judgments
from gainful.judging import JudgedRun
from gainful.judging.notes import TOP, ties_astride
from gainful.judging.transforms import knowing
from gainful.scores.evaluation import values_of
from gainful.scores.users import knowledge_of
from gainful.spark.task import Task

DDL = (
    "what string, run string, topic binary, values array<double>, undefined array<boolean>, retrieved double, "
    "astride array<boolean>, judged double, low double, high double, aspects int, text binary, count bigint"
)
"""The columns, as Spark is told."""


def schema() -> Any:
    """The columns, as Arrow is told."""
    import pyarrow as pa

    lists = {
        "values": pa.list_(pa.float64()),
        "undefined": pa.list_(pa.bool_()),
        "astride": pa.list_(pa.bool_()),
    }
    scalars = {
        "string": pa.string(),
        "binary": pa.binary(),
        "double": pa.float64(),
        "int": pa.int32(),
        "bigint": pa.int64(),
    }
    columns = (column.split() for column in DDL.split(", "))
    return pa.schema([(name, lists.get(name) or scalars[kind]) for name, kind in columns])


def batch(length: int, **columns: Any) -> Any:
    """Rows with these columns, an array or one value for all rows; the others are null."""
    import pyarrow as pa

    def filled(field: Any) -> Any:
        given = columns.get(field.name)
        if isinstance(given, pa.Array):
            return given
        if isinstance(given, list | np.ndarray):
            return pa.array(given, type=field.type)
        return pa.repeat(pa.scalar(given, type=field.type), length)

    return pa.RecordBatch.from_arrays([filled(field) for field in schema()], schema=schema())


def lists(matrix: NDArray[Any], null: NDArray[np.bool_] | None = None) -> Any:
    """A list for each row of a matrix; null where that is said."""
    import pyarrow as pa

    rows, width = matrix.shape
    flat = pa.array(np.ascontiguousarray(matrix).ravel(), mask=None if null is None else np.ravel(null))
    return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1) * width, pa.int32()), flat)


def matrix(column: Any, width: int) -> NDArray[Any]:
    """The lists of a column, all of one width, as a matrix."""
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    made: NDArray[Any] = flat.reshape(-1, width) if width else np.zeros((len(column), 0), flat.dtype)
    return made


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
