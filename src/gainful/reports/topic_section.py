"""Topics: how hard each was, how much of it is judged, and what each system made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.numbers import fixed, percent
from gainful.presentation.table import Table
from gainful.reports.ranked_lists import Lists, lists_of
from gainful.reports.report_results import Results
from gainful.reports.section_registry import ReportTable, Section, report_section

_TOP = 10


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic.

    relevant  documents judged relevant
    judged    share of the systems' top ten that is judged; None where they have nothing
    """

    id: str
    relevant: int
    judgments: int
    judged: float | None


@report_section
@dataclass(frozen=True, eq=False)
class TopicSection(Section):
    """Every judged topic, and the lists of each.

    values  for each measure, systems (in the order of the board) × topics; NaN where a topic does not count
    lists   the top of every system's list, made when the page is
    """

    name, title, order, template = "topics", "Topics", 50, "topics.html"

    topics: tuple[Topic, ...]
    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Mapping[Measure, NDArray[np.float64]]
    results: Results

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of scores."""
        if results.scores is None:
            return None
        scores = results.scores
        runs = [scores[system] for system in results.systems]
        pool = scores.pool
        rel = 1.0 if scores.settings.rel is None else scores.settings.rel
        relevant = pool.total(where=pool.grade >= rel).astype(int).tolist()
        judgments = np.diff(pool.offsets).tolist()
        there = np.sum([np.minimum(run.judged.retrieved, _TOP) for run in runs], axis=0)
        tops = [(run.judged, run.judged.rank <= _TOP) for run in runs]
        known = np.sum([judged.total(where=top & (judged.grade >= 0)) for judged, top in tops], axis=0)
        shares = [
            float(share) if any_ else None for share, any_ in zip(_ratio(known, there), there, strict=True)
        ]
        values = {
            measure: np.array([_counted(run, number) for run in runs])
            for number, measure in enumerate(scores.measures)
        }
        topics = tuple(map(Topic, runs[0].topics, relevant, judgments, shares))
        section = cls(topics, results.systems, scores.measures, values, results)
        if (
            scores.texts is not None and scores.texts.documents is not None
        ):  # a file that is not there is refused whatever the format
            _ = section.lists
        return section

    @cached_property
    def lists(self) -> Lists:
        """The top of each list, with titles where documents were given."""
        return lists_of(self.results)

    def values_of(self, measure: str | Measure) -> NDArray[np.float64]:
        """Systems × topics by one measure."""
        return next(rows for of, rows in self.values.items() if str(of) == str(measure))

    def difficulty(self, measure: str | Measure) -> list[tuple[float, float, float]]:
        """Of each topic the median over systems, the lowest and the highest; NaN where no system counts."""
        rows = self.values_of(measure)
        there = ~np.isnan(rows).all(axis=0)
        columns = np.full((3, rows.shape[1]), np.nan)
        if there.any():
            some = rows[:, there]
            columns[:, there] = np.nanmedian(some, axis=0), np.nanmin(some, axis=0), np.nanmax(some, axis=0)
        return [(row[0], row[1], row[2]) for row in columns.T.tolist()]

    @cached_property
    def rows(self) -> list[tuple[Topic, tuple[float, float, float], list[float]]]:
        """Each topic, its difficulty and the value of each system by the first measure."""
        first = self.measures[0]
        values = self.values_of(first).T.tolist()
        return list(zip(self.topics, self.difficulty(first), values, strict=True))

    @property
    def highest(self) -> float:
        """The end of the line that shows difficulty."""
        return max([1.0, *(hard[2] for _, hard, _ in self.rows if not math.isnan(hard[2]))])

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output; what has no value is null."""
        return {
            "systems": list(map(shown, self.systems)),
            "topics": [
                {
                    "id": shown(topic.id),
                    "relevant": topic.relevant,
                    "judgments": topic.judgments,
                    "judged_share": topic.judged,
                }
                for topic in self.topics
            ],
            "values": {str(measure): rows.tolist() for measure, rows in self.values.items()},
        }

    def tables(self, places: int) -> list[ReportTable]:
        """Every topic: what there was to find, and the first measure over systems."""
        measure = self.measures[0]
        heads = [f"{measure} {word}" for word in ("median", "lowest", "highest")]
        rows = [
            {"topic": shown(topic.id), "relevant": topic.relevant, "judged": topic.judged}
            | dict(zip(heads, hard, strict=True))
            for topic, hard, _ in self.rows
        ]
        looks: dict[str, Callable[[Any], str]] = dict.fromkeys(heads, partial(fixed, places=places))
        table = Table.of(rows, looks | {"judged": partial(percent, places=0)})
        return [ReportTable("topics", "Topics", table, "Median, lowest and highest over systems.")]

    def page_data(self) -> dict[str, Any]:
        """Values by topic, and whose lists there are."""
        return {
            "topics": [
                [shown(topic.id), topic.relevant, topic.judgments, topic.judged] for topic in self.topics
            ],
            "values": {str(measure): rows.tolist() for measure, rows in self.values.items()},
            "listed": list(map(shown, self.lists.systems)),
            "depth": self.lists.depth,
            "worked": list(map(str, self.lists.measures)),
        }

    def page_parts(self) -> dict[str, Any]:
        """The lists of each topic, read when it is opened."""
        return {f"list-{number}": self.lists.embedded(number) for number in range(len(self.topics))}


def _ratio(above: Any, below: Any) -> Any:
    return np.divide(above, below, out=np.zeros(len(below)), where=below > 0)


def _counted(run: Any, number: int) -> NDArray[np.float64]:
    """A measure's values, NaN where a topic does not count."""
    out = ~run.evaluated
    if run.settings.undefined == "skip":
        out = out | run.nothing_to_find[number]
    return np.where(out, np.nan, run.values[number])
