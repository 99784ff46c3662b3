"""explain and explain_difference: one topic's value of a measure worked out rank by rank, for one run or for two."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from gainful.errors import NothingInCommon, UsageError
from gainful.explaining.tracing import as_read
from gainful.explaining.worked_columns import (
    Cell,
    Parts,
    columns_of,
    listed,
    not_listed,
    parts_of,
    variants_of,
)
from gainful.formats import Judgments, Run, read_qrels
from gainful.formats.ids import check_judged, shown
from gainful.formats.runs import read_again, runs_of
from gainful.formats.texts import Texts
from gainful.formats.user_knowledge import read_known
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.measures import Measure, parse
from gainful.presentation.text_style import fixed, signed
from gainful.scores import Scores, evaluate
from gainful.scores.evaluation import needed


class WorkedTables(ABC):
    """Worked tables in each format; an explanation or a difference says what they hold."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""

    @abstractmethod
    def _page(self, form: str, *, places: int, fold: bool) -> str: ...

    @property
    @abstractmethod
    def explained(self) -> tuple[Explanation, ...]:
        """The explanation of each run."""

    def chart(self) -> Any:
        """An Altair chart: precision by recall with its ranks, gain by rank below that of the ideal list, or the value so far."""
        from gainful.explaining.explanation_chart import explanation_spec
        from gainful.presentation.chart_files import altair_chart

        return altair_chart(explanation_spec(self.explained))

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the chart to a file: .svg, .png, .pdf, .html or .json."""
        from gainful.explaining.explanation_chart import explanation_spec
        from gainful.presentation.chart_files import check_suffix, save

        check_suffix(path)
        save(explanation_spec(self.explained), path, overwrite=overwrite)

    def text(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables for the terminal, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("text", places=places, fold=fold)

    def markdown(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in Markdown, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("markdown", places=places, fold=fold)

    def html(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in HTML, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("html", places=places, fold=fold)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.html()


@dataclass(frozen=True)
class Row:
    """One rank: the document there and what is known of it; None below the end of the list."""

    rank: int
    document: str | None
    grade: float | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Explanation(WorkedTables):
    """How a measure's value came about, for one topic of one run.

    columns   names of the cells: values of the measure's parameters and of the names in its code at each rank, and
              what each document contributes
    rows      rank by rank, down to the cutoff or the end of the list
    parts     what each document contributes; the contributions sum to the value
    variants  the value under the other gains, discounts and ideals that have names
    missed    judged documents that are not in the rows, best first
    below     documents of the list below the cutoff, and how many of them are judged
    query     the text of the topic, where it is known
    titles    of the documents, of those that are known
    texts     where these come from; None where there are none
    """

    run: str
    topic: str
    measure: Measure
    parts: Parts
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    variants: Mapping[str, float]
    missed: tuple[tuple[str, float], ...]
    below: tuple[int, int]
    settings: Settings
    query: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Texts | None = None

    def __repr__(self) -> str:
        value = f"{self.measure} = {fixed(self.value)}"
        return f"<Explanation: {value}, topic {shown(self.topic)}, {shown(self.run)}>"

    @property
    def value(self) -> float:
        """The value of the measure, as `evaluate` gives it."""
        return self.parts.value

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """The explanation itself, of one run."""
        return (self,)

    def column(self, name: str) -> list[Cell]:
        """The cells of a column, from rank 1 on."""
        place = self.columns.index(name)
        return [row.cells[place] for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import explanation_dict

        return explanation_dict(self)

    def _page(self, form: str, *, places: int, fold: bool) -> str:
        from gainful.explaining.explanation_tables import explanation_page

        return explanation_page(self, form, places=places, fold=fold)


@dataclass(frozen=True)
class Moved:
    """One document in two lists: its rank and what it contributes to the value in each.

    A rank is None where the list does not have the document (or has it below the cutoff); it contributes 0 then.
    """

    document: str
    grade: float | None
    baseline_rank: int | None
    candidate_rank: int | None
    baseline_contributes: float
    candidate_contributes: float

    @property
    def difference(self) -> float:
        """How much of the difference, candidate minus baseline, is this document's."""
        return self.candidate_contributes - self.baseline_contributes


@dataclass(frozen=True, eq=False)
class Difference(WorkedTables):
    """The candidate's value minus the baseline's, taken apart by documents.

    start      what the runs differ by before any document; 0 but for rare measures
    documents  those with the largest part first; their parts and start sum to the difference
    """

    baseline: Explanation
    candidate: Explanation
    start: float
    documents: tuple[Moved, ...]

    def __repr__(self) -> str:
        runs = f"{shown(self.candidate.run)} minus {shown(self.baseline.run)}"
        value = f"{self.baseline.measure} {signed(self.value)}"
        return f"<Difference: {value}, topic {shown(self.baseline.topic)}, {runs}>"

    @property
    def value(self) -> float:
        """The candidate's value minus the baseline's."""
        return self.candidate.value - self.baseline.value

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """The explanations of both runs, the baseline first."""
        return self.baseline, self.candidate

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import difference_dict

        return difference_dict(self)

    def _page(self, form: str, *, places: int, fold: bool) -> str:
        from gainful.explaining.explanation_tables import difference_page

        return difference_page(self, form, places=places, fold=fold)


def explain(
    qrels: Any,
    run: Any,
    topic: str | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
    **conventions: Unpack[Conventions],
) -> Explanation:
    """Explain how a measure is computed for one topic, document by document.

    qrels, run  as for `evaluate`
    topic       its id; may be left out if there is only one
    measure     as text ("nDCG@10") or as an object
    worst       instead of a topic: the one with the lowest value
    known       documents that the user knew, as for `evaluate`
    expected    number of relevant documents that the user expected, as for `evaluate`
    queries     texts of queries, as for `evaluate`
    documents   titles and texts of documents, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, rel, depth, drop_self, scores) are the fields of
    `gainful.Settings`.

    >>> print(explain({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, "q", "AP").text())
    AP = 0.8333 · topic q · run
    ...
    """
    settings = settings_of(explain, conventions)
    more: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    [explanation] = with_texts(explanations(qrels, [run], topic, measure, settings, worst=worst, **more))
    return explanation


def explain_difference(
    qrels: Any,
    baseline: Any,
    candidate: Any,
    topic: str | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
    **conventions: Unpack[Conventions],
) -> Difference:
    """Which documents make a candidate better or worse than a baseline on one topic, and how much each.

    qrels                as for `evaluate`
    baseline, candidate  two runs; differences are candidate minus baseline
    topic                its id; may be left out if there is only one
    measure              as text ("nDCG@10") or as an object
    worst                instead of a topic: the one on which the candidate loses most
    known                documents that the user knew, as for `evaluate`
    expected             number of relevant documents that the user expected, as for `evaluate`
    queries              texts of queries, as for `evaluate`
    documents            titles and texts of documents, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, rel, depth, drop_self, scores) are the fields of
    `gainful.Settings`.

    >>> ranked = explain_difference({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, {"q": {"a": 2.0, "b": 1.0}}, "q", "RR")
    >>> ranked.value, [(moved.document, moved.difference) for moved in ranked.documents]
    (0.5, [('a', 0.5), ('b', 0.0)])
    """
    settings = settings_of(explain_difference, conventions)
    runs = [baseline, candidate]
    more: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    return difference(*with_texts(explanations(qrels, runs, topic, measure, settings, worst=worst, **more)))


def explanations(
    qrels: Any,
    runs: Sequence[Any],
    topic: str | None,
    measure: str | Measure,
    settings: Settings,
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
) -> list[Explanation]:
    """The explanation of each run; texts of the topic and its documents are not read yet."""
    measure = parse(measure) if isinstance(measure, str) else measure
    measure.require()
    judged = read_qrels(qrels, by=needed([measure]), duplicates=settings.duplicates)
    if worst and topic is not None:
        raise UsageError("a topic and the worst topic are asked for; choose one of them.")
    if topic is None and not worst:
        topic = _only_topic(judged.topics)
    if topic is not None:
        topic = str(topic)
        check_judged(topic, judged.topics)
    held = [read_again(run) for given in runs for run in runs_of(given)]
    if len(held) != len(runs):
        raise UsageError("an explanation is of one run; several were given.")
    if known is not None and len(read_known(known).users) > 1:
        raise UsageError("an explanation is for one user; give the known documents of one user.")
    if len({run.name for run in held}) < len(held):
        held = [run.renamed(f"{run.name}#{number}") for number, run in enumerate(held, 1)]
    beside: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    scores = evaluate(judged, held, [measure], **beside, **settings.to_dict())
    topic = _worst_topic(scores) if topic is None else topic
    place = judged.topics.index(topic)
    return [
        _explained(judged, run, topic, scores, scored.judged.select(place, place + 1))
        for run, scored in zip(held, scores, strict=True)
    ]


def _only_topic(topics: Sequence[str]) -> str:
    if len(topics) == 1:
        return topics[0]
    named = ", ".join(f"'{shown(topic)}'" for topic in topics[:3]) + (", …" if len(topics) > 3 else "")
    raise UsageError(
        f"the judgments have {len(topics):,} topics ({named}); choose one (--topic ID, topic=… in Python), "
        "or the worst (--worst, worst=True)."
    )


def _worst_topic(scores: Scores) -> str:
    """The topic with the lowest value; of two runs, that on which the second loses most against the first."""
    [measure], first, last = scores.measures, scores.runs[0], scores.runs[-1]
    values = last.values[0] - (first.values[0] if last is not first else 0.0)
    values = -values if measure.less_is_better else values
    counts = first.evaluated & last.evaluated & ~(first.nothing_to_find[0] & last.nothing_to_find[0])
    if not counts.any():
        raise NothingInCommon(f"{measure}: no topic has anything to measure, so none is the worst.")
    return first.topics[int(np.argmin(np.where(counts, values, np.inf)))]


def _explained(judgments: Judgments, run: Run, topic: str, scores: Scores, judged: JudgedRun) -> Explanation:
    measure, settings = scores.measures[0], scores.settings
    working, judged = as_read(measure, judged)
    places = ordered(run, settings, judgments=judgments, topics=[topic])[topic]
    everything = listed(judgments, topic, judged, places)
    parts = parts_of(working, judged)
    cutoff = measure.cutoff or len(everything)
    shown_list = everything[:cutoff]
    columns = columns_of(working, judged, parts, shown_list)
    depth = max((len(cells) for cells in columns.values()), default=0)
    rows = tuple(
        Row(
            rank,
            shown_list[rank - 1].document if rank <= len(shown_list) else None,
            shown_list[rank - 1].grade if rank <= len(shown_list) else None,
            tuple(cells[rank - 1] if rank <= len(cells) else None for cells in columns.values()),
        )
        for rank in range(1, max(depth, len(shown_list)) + 1)
    )
    rest = everything[cutoff:]
    return Explanation(
        run=run.name,
        topic=topic,
        measure=measure,
        parts=parts,
        columns=tuple(columns),
        rows=rows,
        variants=variants_of(measure, judged),
        missed=tuple(not_listed(judgments, topic, shown_list)),
        below=(len(rest), sum(place.grade is not None for place in rest)),
        settings=settings,
        texts=scores.texts,
    )


def with_texts(explained: Sequence[Explanation]) -> list[Explanation]:
    """The explanations with the text of their topic and the titles of their documents, all read at once."""
    texts = explained[0].texts
    if texts is None:
        return list(explained)
    topic = explained[0].topic
    query = texts.of_queries([topic]).get(topic)
    listed_documents = {row.document for each in explained for row in each.rows if row.document is not None}
    titles = texts.titles(listed_documents | {document for each in explained for document, _ in each.missed})
    return [replace(each, query=query, titles=titles) for each in explained]


def difference(baseline: Explanation, candidate: Explanation) -> Difference:
    """Candidate minus baseline, of two explanations of the same measure and topic."""
    if (baseline.measure, baseline.topic) != (candidate.measure, candidate.topic):
        raise UsageError("only explanations of the same measure and topic can be compared.")
    before, after = _ranks_and_contributions(baseline), _ranks_and_contributions(candidate)
    grades = {
        row.document: row.grade
        for explanation in (baseline, candidate)
        for row in explanation.rows
        if row.document is not None
    }
    documents = []
    for document, grade in grades.items():
        baseline_rank, baseline_contributes = before.get(document, (None, 0.0))
        candidate_rank, candidate_contributes = after.get(document, (None, 0.0))
        documents.append(
            Moved(document, grade, baseline_rank, candidate_rank, baseline_contributes, candidate_contributes)
        )
    documents.sort(key=lambda moved: -abs(moved.difference))
    start = candidate.parts.start - baseline.parts.start
    return Difference(baseline, candidate, start, tuple(documents))


def _ranks_and_contributions(explained: Explanation) -> dict[str, tuple[int | None, float]]:
    contributions = explained.parts.contributions.tolist()
    return {
        row.document: (row.rank, contributions[row.rank - 1])
        for row in explained.rows
        if row.document is not None
    }
