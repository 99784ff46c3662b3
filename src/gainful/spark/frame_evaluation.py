"""evaluate, on Spark DataFrames: the rows stay on the cluster, one row of values for each topic comes back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from gainful._core import Fault
from gainful.errors import UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.types import By
from gainful.formats.user_knowledge import read_expected, read_known
from gainful.judging.notes import Note
from gainful.judging.record import pool_of
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.measures import Measure
from gainful.measures._needs import check_needs, needed
from gainful.scores import DEFAULT, RunScores, Scores
from gainful.scores.evaluation import Asked, asked_for
from gainful.spark.collected_scores import FarJudgments, Gathered, Gathering, cutoffs_of
from gainful.spark.frames import ORDER, RUN, Shaped, asked_of_spark, functions, shaped_judgments, shaped_run
from gainful.spark.worker import Worker
from gainful.spark.worker_messages import DDL, KEY, ONLY_RUN, BroadcastJudgments, Task, error_of, lists

BROADCAST = 500_000
"""Judgments of at most so many rows are sent to every worker; more are joined to the runs by topic."""


@dataclass(frozen=True, eq=False)
class SparkScores:
    """What an evaluation on Spark gives: a DataFrame of values, and the scores as on one machine.

    scores   runs × topics × measures, as `gainful.evaluate` gives them; the documents behind them stay on the cluster
    session  the Spark session that was used
    """

    scores: Scores
    session: Any

    @property
    def summary(self) -> dict[str, dict[str, float]]:
        """`{run: {measure: value}}` over the topics that count."""
        return {run.name: run.mean for run in self.scores}

    @property
    def mean(self) -> dict[str, float]:
        """Of the only run: each measure over the topics that count."""
        return self.scores.mean

    @property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers."""
        return self.scores.notes

    @cached_property
    def per_topic(self) -> Any:
        """A DataFrame of topic, measure and value for the topics that count; with a column run if there are several runs."""
        import pyarrow as pa
        from pyspark.sql import functions as F

        many_runs = len(self.scores) > 1
        tables = [_wide(run) for run in self.scores]
        frame = self.session.createDataFrame(pa.concat_tables(tables))
        names = F.array(*(F.lit(str(measure)) for measure in self.scores.measures))
        long = frame.select("run", "topic", F.posexplode("values").alias("place", "value"))
        named = long.where("value is not null").withColumn("measure", F.element_at(names, F.col("place") + 1))
        return named.select(*(["run"] if many_runs else []), "topic", "measure", "value")

    def __repr__(self) -> str:
        return f"Spark{self.scores!r}"

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()


def _wide(run: RunScores) -> Any:
    """A row for each topic that counts, a list of values in it; null where a measure leaves the topic out."""
    import pyarrow as pa

    evaluated = run.evaluated
    topics = [shown(topic) for topic, there in zip(run.topics, evaluated, strict=True) if there]
    left_out = np.array([~run.counts(number) for number in range(len(run.measures))])
    values = lists(run.values.T[evaluated], left_out.T[evaluated])
    names = pa.array([shown(run.name)] * len(topics), pa.string())
    return pa.table({"run": names, "topic": pa.array(topics, pa.string()), "values": values})


def evaluate(
    judgments: Any,
    run: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    topics: str | os.PathLike[str] | Iterable[str] | None = None,
    known: Any = None,
    expected: Any = None,
    by: By | None = None,
    columns: Mapping[str, str] | None = None,
    broadcast: int = BROADCAST,
    partitions: int | None = None,
    **conventions: Unpack[Conventions],
) -> SparkScores:
    """Score runs against judgments, both of them Spark DataFrames; the numbers are those of `gainful.evaluate` to the last bit.

    judgments   columns topic, document, grade; with subtopic or judge for measures that need them
    run         columns topic, document, score; a column run if there are several runs; or {name: DataFrame}
    measures    as text (`"nDCG@10, AP"`) or as objects; all of them, and all runs, are one pass
    columns     names of columns that are not known by themselves: {"topic": "q", "document": "d", "order": "position"}
    broadcast   judgments of at most so many rows are sent to every worker; 0 always joins them by topic
    partitions  how many parts rows are divided into; by default Spark's own setting

    Ids are text, bytes or whole numbers. Rows of a DataFrame have no order: ties="input" and duplicates="first" need
    a column order. The other keywords are those of `gainful.evaluate`.
    """
    settings = settings_of(evaluate, conventions)
    asked = asked_for(measures, settings.rel)
    return Evaluation(
        asked, settings, known=known, expected=expected, by=by, columns=columns, partitions=partitions
    ).scores(judgments, run, topics=topics, broadcast=broadcast)


class Evaluation:
    """Measures and settings, ready to be asked of DataFrames.

    path, paths, tags  where judgments and runs come from, and what the files of runs call them; for messages and output
    """

    def __init__(
        self,
        asked: Asked,
        settings: Settings,
        *,
        known: Any = None,
        expected: Any = None,
        by: By | None = None,
        columns: Mapping[str, str] | None = None,
        partitions: int | None = None,
        path: str | None = None,
        paths: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.asked, self.settings, self.partitions = asked, settings, partitions
        self.columns, self.path, self.paths, self.tags = columns or {}, path, paths or {}, tags or {}
        self.by = by or (needed(asked) if asked.needs else None)
        self.known = None if known is None else read_known(known).users
        self.expected = None if expected is None else read_expected(expected)

    def scores(self, judgments: Any, run: Any, *, topics: Any, broadcast: int) -> SparkScores:
        """The scores of runs."""
        rows = shaped_run(run, self.columns)
        judged = shaped_judgments(judgments, self.by, self.columns)
        self._check(judged, rows)
        count, top = self._counted(judged)
        task = Task(
            shipped(self.asked),
            self.settings,
            by=self.by,
            parts=judged.parts,
            top=top,
            many_runs=rows.many_runs,
            anywhere="anywhere" in self.asked.needs,
            cutoffs=cutoffs_of(self.asked, self.settings),
            known=self.known,
            expected=self.expected,
        )
        here: list[Any] = []
        if count <= broadcast:
            task, here = self._broadcast(judged, task)
        frame = _marked(rows.frame, judged.frame) if task.anywhere else rows.frame
        gathered = self._gathered(self._arranged(frame, judged, task), task, here)
        names = (
            [ONLY_RUN] if not rows.many_runs else list(run) if isinstance(run, Mapping) else gathered.runs()
        )
        if not gathered.runs() and not gathered.faults():
            raise explain(Fault("empty", 0, 0, b"", 1), "a run", "run", unit="row")
        gathering = Gathering(
            gathered,
            self.asked,
            self.settings,
            names={str(name): self.paths.get(str(name)) for name in names},
            tags=self.tags,
            path=self.path,
            by=self.by,
            cutoffs=task.cutoffs,
            users=self._users(),
        )
        return SparkScores(gathering.scores(topics), rows.frame.sparkSession)

    def _users(self) -> tuple[str | None, ...]:
        return (None,) if self.known is None or len(self.known) == 1 else tuple(self.known)

    def _check(self, judged: Shaped, rows: Shaped) -> None:
        said = {name for name in ("known", "expected") if getattr(self, name) is not None}
        self.settings.need_an_order("evaluating with Spark")
        if self.asked.needs:
            check_needs(self.asked, FarJudgments((), 0, "", None, self.by), said)
        needs = {
            "ties": self.settings.ties in ("input", "reverse"),
            "duplicates": self.settings.duplicates == "first",
        }
        for name, wanted in needs.items():
            for what, shaped in (("the run", rows), ("the judgments", judged)):
                if wanted and not shaped.ordered and not (name == "ties" and shaped is judged):
                    raise UsageError(
                        f"{name}={getattr(self.settings, name)!r} goes by the order of rows, and rows of a DataFrame have none; "
                        f"add a column {ORDER} to {what}, or name the one that is meant: columns={{'{ORDER}': …}}."
                    )

    def _counted(self, judged: Shaped) -> tuple[int, float]:
        """How many judgments there are, and their best grade."""
        F = functions()
        frame = judged.frame
        if self.settings.duplicates == "first":
            ids = [name for name in frame.columns if name not in ("value", ORDER)]
            frame = frame.groupBy(*ids).agg(
                F.min_by("value", ORDER).alias("value"), F.count("*").alias("rows")
            )
            count = F.sum("rows")
        else:
            count = F.count("*")
        (totals,) = asked_of_spark(lambda: frame.agg(count, F.max("value")).collect())
        if not totals[0]:
            raise explain(Fault("empty", 0, 0, b"", 1), self._said(), "qrels", unit="row")
        return totals[0], max(0.0, totals[1] if totals[1] is not None else 0.0)

    def _said(self) -> str:
        return "judgments" if self.path is None else shown(self.path)

    def _broadcast(self, judged: Shaped, task: Task) -> tuple[Task, list[Any]]:
        """The task with the judgments to broadcast, and the judgments here, for topics that a run lacks."""
        frame = judged.frame.orderBy(ORDER).drop(ORDER) if self._by_order else judged.frame.drop(ORDER)
        table = asked_of_spark(frame.toArrow)
        worker = Worker(task)
        judgments = worker.judgments_of(table)
        if judgments is None:
            raise error_of(worker.faults, {}, self.by)
        here = [*worker.empties(judgments), *worker.noticed()]
        return replace(task, broadcast=BroadcastJudgments(table), top=pool_of(judgments).top), here

    def _arranged(self, frame: Any, judged: Shaped, task: Task) -> Any:
        """The rows of each topic in one partition, with its judgments unless these are broadcast.

        They are sorted by a number that stands for the topic, which takes a fraction of the time that ids take; two
        topics of one number come to the same chunk.
        """
        F = functions()
        if task.broadcast is None:
            frame = judged.frame.withColumn("kind", F.lit(0).cast("tinyint")).unionByName(
                frame.withColumn("kind", F.lit(1).cast("tinyint")), allowMissingColumns=True
            )
        apart = [RUN, KEY] if task.broadcast is not None and task.many_runs else [KEY]
        order = [*apart, ORDER] if self._by_order else apart
        frame = frame if self._by_order else frame.drop(ORDER)
        count = [] if self.partitions is None else [self.partitions]
        keyed = frame.withColumn(KEY, F.xxhash64("topic"))
        return keyed.repartition(*count, *apart).sortWithinPartitions(*order)

    @property
    def _by_order(self) -> bool:
        return self.settings.by_order_of_rows

    def _gathered(self, frame: Any, task: Task, here: list[Any]) -> Gathered:
        import pyarrow as pa

        def answers(batches: Any) -> Any:
            return Worker(task).answers(batches)

        table = asked_of_spark(frame.mapInArrow(answers, DDL).toArrow)
        if here:
            local = pa.Table.from_batches(here)
            table = pa.concat_tables([table.cast(local.schema), local])
        return Gathered(table)


def shipped(measures: Iterable[Measure]) -> bytes:
    """Measures as bytes: those of Gainful by name, others with their functions, so that workers need not have them."""
    from pyspark import cloudpickle

    raw: bytes = cloudpickle.dumps(
        [
            measure
            if measure.definition.module.startswith("gainful.measures.")
            else (measure.definition, dict(measure._given), measure.summary, measure.unjudged)
            for measure in measures
        ]
    )
    return raw


def _marked(rows: Any, judgments: Any) -> Any:
    """The rows with a column that says whether a document is judged for any topic."""
    F = functions()
    judged = judgments.select("document").distinct().withColumn("anywhere", F.lit(True))
    return rows.join(judged, "document", "left").withColumn("anywhere", F.coalesce("anywhere", F.lit(False)))
