"""Topics: how hard each was, how much of it is judged, and what each system made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed, percent, signed
from gainful.reports.pair_section import PairSection
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


class TopicRow(NamedTuple):
    """A row of the table.

    number      of the topic among all
    hard        median over systems, lowest, highest
    values      of each system
    difference  B − A of the two systems that are compared first; NaN where there are none
    """

    number: int
    topic: Topic
    hard: tuple[float, float, float]
    values: list[float]
    difference: float


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

    @property
    def notes(self) -> list[str]:
        """What is not shown, and where texts come from, in sentences."""
        texts = self.results.of_runs.texts
        found = [] if texts is None else [f"{note[:1].upper()}{note[1:]}." for note in texts.notes]
        return [*self.lists.notes, *found]

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

    @property
    def queries(self) -> Mapping[str, str]:
        """Texts of the topics, of those that are known."""
        return self.results.of_runs.queries

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        """The two systems, A and B, that are compared first; None where there is no comparison."""
        pairs = self.results.section(PairSection)
        return None if pairs is None else pairs.chosen

    @property
    def difference(self) -> str:
        """What the column of differences is called: B − A; "" where there is none."""
        return "" if self.pair is None else f"{shown(self.pair[1])} − {shown(self.pair[0])}"

    @cached_property
    def rows(self) -> list[TopicRow]:
        """Each topic by the first measure; where two systems are compared, the largest loss of the second first."""
        first = self.measures[0]
        by_system = self.values_of(first)
        differences = np.full(len(self.topics), np.nan)
        if self.pair is not None:
            a, b = (by_system[self.systems.index(system)] for system in self.pair)
            differences = b - a
        rows = [
            TopicRow(*row)
            for row in zip(
                range(len(self.topics)),
                self.topics,
                self.difficulty(first),
                by_system.T.tolist(),
                differences.tolist(),
                strict=True,
            )
        ]
        if self.pair is None:
            return rows
        worse = -1 if first.less_is_better else 1
        return sorted(rows, key=lambda row: (math.isnan(row.difference), worse * row.difference))

    @cached_property
    def highest(self) -> float:
        """The end of the line that shows difficulty."""
        return max([1.0, *(row.hard[2] for row in self.rows if not math.isnan(row.hard[2]))])

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output; what has no value is null."""
        return {
            "systems": list(map(shown, self.systems)),
            "topics": [
                {
                    "id": shown(topic.id),
                    **({"query": shown(self.queries[topic.id])} if topic.id in self.queries else {}),
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
            {"topic": shown(row.topic.id)}
            | ({"query": shown(self.queries.get(row.topic.id, ""))} if self.queries else {})
            | ({self.difference: row.difference} if self.difference else {})
            | {"relevant": row.topic.relevant, "judged": row.topic.judged}
            | dict(zip(heads, row.hard, strict=True))
            for row in self.rows
        ]
        looks: dict[str, Callable[[Any], str]] = dict.fromkeys(heads, partial(fixed, places=places))
        looks |= {"judged": partial(percent, places=0), self.difference: partial(signed, places=places)}
        table = Table.of(rows, looks, 2 if self.queries else 1)
        table = replace(table, cut=[1] if self.queries else ())
        order = "; the largest loss first" if self.difference else ""
        return [ReportTable("topics", "Topics", table, f"Median, lowest and highest over systems{order}.")]

    def page_data(self) -> dict[str, Any]:
        """Values by topic, and whose lists there are."""
        return {
            "topics": [
                [
                    *(shown(topic.id), topic.relevant, topic.judgments, topic.judged),
                    shown(self.queries.get(topic.id, "")),
                ]
                for topic in self.topics
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
