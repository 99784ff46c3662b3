"""Scores whose rows stayed on the cluster: the values of every topic are here, the documents behind them are not."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments
from gainful.formats.qrels_by import Details
from gainful.formats.types import By
from gainful.judging import JudgedRun
from gainful.judging import notes as notice
from gainful.judging.notes import Note
from gainful.scores import RunScores, Scores
from gainful.spark.worker_messages import lists

FAR = "{} stayed on the cluster: only the values of each topic came back; evaluate those topics with gainful.evaluate for that."


class FarRecord(JudgedRun):
    """What is known here of a judged run: which topics it has, and how many documents of each."""

    __slots__ = ()

    def __init__(self, retrieved: NDArray[np.float64], present: NDArray[np.bool_]) -> None:
        self.retrieved = retrieved
        self.present = present
        self.knowledge = self.aspects = self.anywhere = None

    def __len__(self) -> int:
        return len(self.retrieved)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} topics>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UsageError(FAR.format("the judged documents"))


class FarJudgments(Judgments):
    """What is known here of judgments: their topics, how many there are, and what stands for their content."""

    def __init__(
        self, topics: tuple[str, ...], count: int, digest: str, path: str | None, by: By | None
    ) -> None:
        self.topics = topics
        self.count = count
        self.path = path
        self.details = None if by is None else Details(by, [], [], None, [], [], digest)
        self.content = digest

    @property
    def digest(self) -> str:
        """Stands for the content; the same rows in another order or container have the same."""
        return self.content

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"Judgments({len(self.topics)} topics, {self.count} judgments)"

    def __getattr__(self, name: str) -> Any:
        if name != "index":
            raise AttributeError(name)
        raise UsageError(FAR.format("the judgments"))


@dataclass(frozen=True, eq=False, repr=False)
class FarRunScores(RunScores):
    """Topics × measures for one run, with the counts that notes are made of."""

    extras: int = 0
    """Topics that are not judged; the first of them are named in `extra`."""
    astride: dict[int, int] = field(default_factory=dict)
    """For a cutoff, in how many topics tied scores straddle it."""
    judged_share: float = 0.0

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers."""
        from gainful.scores.users import MEAN

        if self.user not in (None, MEAN):
            return []  # what holds for all users is said once
        return notice.about_topics(
            len(self.topics),
            self.settings,
            missing=self.missing,
            extra=self.extra,
            extras=self.extras,
            astride=self.astride,
        )


@dataclass(frozen=True, eq=False, repr=False)
class FarScores(Scores):
    """Runs × topics × measures, with the settings they were made with."""

    grades: tuple[float, float] = (0.0, 0.0)
    """The lowest and the highest grade judged."""
    one_subtopic: bool = False

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers."""
        notes = notice.about_grades(*self.grades)
        if self.one_subtopic and any(measure.needs == "subtopics" for measure in self.measures):
            notes += notice.ONE_SUBTOPIC
        notes += [note.about(shown(run.name)) for run in self.runs for note in run.notes]
        depths = {
            shown(run.name): notice.median(run.judged.retrieved[run.judged.present]) for run in self.runs
        }
        shares = {shown(run.name): run.judged_share for run in self.runs if isinstance(run, FarRunScores)}
        return notes + (notice.about_unlike(depths, shares) if len(self.runs) > 1 else [])


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
        """A DataFrame of topic, measure and value for the topics that count; run comes first where there are several."""
        import pyarrow as pa
        from pyspark.sql import functions as F

        several = len(self.scores) > 1
        tables = [_wide(run) for run in self.scores]
        frame = self.session.createDataFrame(pa.concat_tables(tables))
        names = F.array(*(F.lit(str(measure)) for measure in self.scores.measures))
        long = frame.select("run", "topic", F.posexplode("values").alias("place", "value"))
        named = long.where("value is not null").withColumn("measure", F.element_at(names, F.col("place") + 1))
        return named.select(*(["run"] if several else []), "topic", "measure", "value")

    def __repr__(self) -> str:
        return f"Spark{self.scores!r}"

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()


def _wide(run: RunScores) -> Any:
    """A row for each topic that counts, a list of values in it; null where a measure leaves the topic out."""
    import pyarrow as pa

    evaluated = run.evaluated
    topics = [shown(topic) for topic, there in zip(run.topics, evaluated, strict=True) if there]
    left_out = np.array([~run._counted(number) for number in range(len(run.measures))])
    values = lists(run.values.T[evaluated], left_out.T[evaluated])
    names = pa.array([shown(run.name)] * len(topics), pa.string())
    return pa.table({"run": names, "topic": pa.array(topics, pa.string()), "values": values})
