"""What moved, and how hard topics are, as sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.comparison_tables import evaluated
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_changes import PairMoved, TopicMoved, credited, moved, titled
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import Brief, OutputSection
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, signed
from gainful.scores.model_scores import people_alone


def moved_section(comparison: Comparison, *, places: int = 4, rows: int = 5) -> OutputSection:
    """The topics that gained and lost most between the systems compared; and documents, where there are runs.

    rows  topics that are listed
    """
    pairs = moved(comparison, number=rows)
    notes: tuple[str, ...] = ()
    if comparison.table.scores is not None:
        pairs = titled(credited(pairs, comparison.table.scores), comparison.table)
    else:
        notes = ("--moved lists documents only if judgments and runs are given, not for saved scores",)
    return of_moved(pairs, comparison.table, places=places, notes=notes)


def of_moved(
    pairs: Sequence[PairMoved], table: ScoreTable, *, places: int = 4, notes: tuple[str, ...] = ()
) -> OutputSection:
    """Topics that gained and lost, with the documents behind them."""
    with_documents = any(topic.documents for pair in pairs for topic in (*pair.gained, *pair.lost))
    closing = "differences are B − A" + evaluated(table)
    closing += "" if table.scores is None else people_alone(table.scores)
    if with_documents:
        closing = "contributions of documents sum to the difference, with the rest · " + closing
    return OutputSection(
        "What moved",
        [(_title(pair), _grid(pair, with_documents, places)) for pair in pairs],
        [pair.sentence() for pair in pairs],
        closing,
        [row for pair in pairs for row in _rows(pair)],
        {"moved": [pair.to_dict() for pair in pairs]},
        notes,
    )


def of_topics(
    spreads: Sequence[TopicSpread],
    table: ScoreTable,
    *,
    places: int = 4,
    groups: Mapping[str, str] = MappingProxyType({}),
) -> OutputSection:
    """Difficulty and spread of every topic, the hardest first."""
    queries = table.queries
    heads = [
        *("measure", "topic", *(["query"] if queries else []), *(["group"] if groups else [])),
        *("median", "spread", "least", "most", "best"),
    ]
    body = [
        [
            str(topic.measure),
            shown(topic.topic),
            *([shown(queries.get(topic.topic, ""))] if queries else []),
            *([shown(groups.get(topic.topic, "–"))] if groups else []),
            *(f"{value:.{places}f}" for value in (topic.median, topic.spread, topic.least, topic.most)),
            shown(topic.best),
        ]
        for topic in spreads
    ]
    rows = [
        topic.to_dict() | ({"group": shown(groups.get(topic.topic, ""))} if groups else {})
        for topic in spreads
    ]
    grid = Table(heads, body, heads.index("median"), [2] if queries else ())
    systems = len(table.systems)
    closing = f"over {systems} systems; spread is their standard deviation on the topic" + evaluated(table)
    return OutputSection("Topics", [("hardest first", grid)], [], closing, rows, {"topics": rows})


def _title(pair: PairMoved) -> str:
    return f"{pair.measure}, A {shown(pair.a)}, B {shown(pair.b)}: B − A {signed(pair.difference)}"


def _grid(pair: PairMoved, with_documents: bool, places: int) -> Table:
    """A line for each topic; below it the documents behind it, with their ranks, and what each contributes."""
    body = []
    for name, topics in (("gained", pair.gained), ("lost", pair.lost)):
        for topic in topics:
            head = [name, _named(topic.topic, topic.query), f"{topic.a:.{places}f}", f"{topic.b:.{places}f}"]
            body.append([*head, signed(topic.difference, places), *([""] if with_documents else [])])
            body += _document_rows(topic, places) if with_documents else []
    heads = ["", "topic, and its documents" if with_documents else "topic", "A", "B", "B − A"]
    return Table([*heads, *(["grade"] if with_documents else [])], body, 2, [1])


def _document_rows(topic: TopicMoved, places: int) -> list[list[str]]:
    rows = [
        [
            "",
            f"· {_named(credit.document, credit.title)}",
            *(UNDEFINED if rank is None else f"rank {rank:,}" for rank in (credit.rank_a, credit.rank_b)),
            signed(credit.part, places),
            UNDEFINED if credit.grade is None else f"{credit.grade:g}",
        ]
        for credit in topic.documents
    ]
    return [*rows, ["", "· (others)", "", "", signed(topic.rest, places), ""]] if topic.rest else rows


def _named(id_: str, text: str | None) -> str:
    """An id as people see it, and the text that it stands for where that is known."""
    return f"{shown(id_)} {shown(text)}" if text else shown(id_)


def _rows(pair: PairMoved) -> list[dict[str, Any]]:
    rows = []
    for name, topics in (("gained", pair.gained), ("lost", pair.lost)):
        for topic in topics:
            head: dict[str, Any] = {
                "measure": str(pair.measure),
                "a": shown(pair.a),
                "b": shown(pair.b),
                "moved": name,
                "topic": shown(topic.topic),
                "value_a": topic.a,
                "value_b": topic.b,
                "difference": topic.difference,
            }
            nothing = dict.fromkeys(("document", "grade", "rank_a", "rank_b", "part"))
            rest = [nothing | {"part": topic.rest}] if topic.rest else []
            documents = [
                nothing | {key: credit.to_dict()[key] for key in nothing} for credit in topic.documents
            ]
            documents += rest
            rows += [head | document for document in documents or [nothing]]
    return rows


@dataclass(frozen=True, slots=True, repr=False)
class TopicSpread(Brief):
    """One topic over all systems.

    median, spread  of the systems' values; spread is their standard deviation (n − 1)
    best            the system with the best value, the first of several
    """

    measure: Measure
    topic: str
    median: float
    spread: float
    least: float
    most: float
    best: str

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "measure": str(self.measure),
            "topic": shown(self.topic),
            "best": shown(self.best),
        }


def difficulty(table: ScoreTable) -> tuple[TopicSpread, ...]:
    """Every topic of every measure, the hardest first: that with the worst median over systems.

    >>> table = ScoreTable.of_matrix([[0.1, 0.8], [0.2, 0.6], [0.6, 0.7]], systems=["a", "b", "c"], measure="AP")
    >>> [(one.topic, one.median, one.best) for one in difficulty(table)]
    [('1', 0.2, 'c'), ('2', 0.7, 'a')]
    """
    spreads: list[TopicSpread] = []
    for measure in table.measures:
        rows, topics = table.of(measure)
        spread = rows.std(axis=0, ddof=1) if len(rows) > 1 else np.full(len(topics), np.nan)
        best = rows.argmin(axis=0) if measure.less_is_better else rows.argmax(axis=0)
        middle, least, most = np.median(rows, axis=0), rows.min(axis=0), rows.max(axis=0)
        of_measure = [
            TopicSpread(
                measure,
                topic,
                float(middle[at]),
                float(spread[at]),
                float(least[at]),
                float(most[at]),
                table.names[best[at]],
            )
            for at, topic in enumerate(topics)
        ]
        spreads += sorted(
            of_measure, key=lambda topic_spread: topic_spread.median, reverse=measure.less_is_better
        )
    return tuple(spreads)
