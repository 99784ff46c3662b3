"""Lists: the top of every system's list, topic by topic, with what each document contributes to each measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gainful.errors import MeasureError
from gainful.explaining.contributions import contributions_by_topic
from gainful.explaining.worked_columns import Cell, Listed, listed_by_place, worked_columns
from gainful.formats import Run
from gainful.formats.ids import shown
from gainful.formats.text_matches import FEW
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import ordered
from gainful.measures import Measure
from gainful.scores import RunScores, Scores

if TYPE_CHECKING:
    from gainful.reports.report_results import Results

DEPTH = 50
"""Documents of each list that are shown, unless said."""

MANY, MOST = 100_000, 250_000
"""Documents that a page lists: beyond MANY lists are shorter, beyond MOST fewer systems have one, unless a depth is asked for."""

_LEAST = 10
_PLACES = 6  # of what documents contribute, and of worked tables
_PARTS = 60_000  # lists × measures that are taken apart
_WORKED = 1_500  # lists × measures whose every step is shown

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class ListedTopic:
    """The lists of one topic.

    documents      every document that is in a list, by name
    grades         of each; None where nobody judged it
    lists          for each system (in the order of the board) the places of its documents in `documents`, best first
    contributions  for each measure and system, what the document at each rank contributes; ranks with 0 are left out
    worked         for each measure and system, the columns of its worked table; empty where there are too many lists
    """

    documents: tuple[str, ...]
    grades: tuple[float | None, ...]
    lists: tuple[tuple[int, ...], ...]
    contributions: Mapping[str, tuple[Mapping[int, float], ...]]
    worked: Mapping[str, tuple[Mapping[str, list[Cell]], ...]]


@dataclass(frozen=True)
class Lists:
    """The lists of every topic, in the order of the topics.

    systems   whose lists are shown
    depth     how far down
    measures  whose parts are known
    titles    of the documents, where they were given: (title, text)
    notes     what is not shown, in sentences
    """

    systems: tuple[str, ...]
    depth: int
    topics: tuple[ListedTopic, ...]
    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()
    titles: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def embedded(self, number: int) -> dict[str, Any]:
        """The lists of one topic for the page's script.

        d  documents    g  their grades    t  their titles and texts, 0 where there are none
        l  for each system the places of its documents in d
        b  for each measure and system, [rank, what the document there contributes, …]
        w  for each measure and system, the columns of the worked table
        """
        topic = self.topics[number]
        fields: dict[str, Any] = {
            "d": list(map(shown, topic.documents)),
            "g": [None if grade is None else _whole(grade) for grade in topic.grades],
            "l": [list(places) for places in topic.lists],
            "b": {
                measure: [
                    [part for rank, value in sorted(contributions.items()) for part in (rank, _short(value))]
                    for contributions in of_systems
                ]
                for measure, of_systems in topic.contributions.items()
            },
        }
        if any(topic.worked.values()):
            fields["w"] = {
                measure: [
                    {name: list(map(_short, cells)) for name, cells in columns.items()}
                    for columns in of_systems
                ]
                for measure, of_systems in topic.worked.items()
            }
        if self.titles:
            titles = (self.titles.get(document) for document in topic.documents)
            fields["t"] = [0 if title is None else [shown(part) for part in title] for title in titles]
        return fields


def lists_of(results: Results) -> Lists:
    """The top of the lists of a report, with the titles of documents where they were given."""
    systems, topics = results.systems, results.of_runs.runs[0].topics
    many, deep = room(len(systems), len(topics), results.shown, DEPTH)
    runs = {run.name: run for run in results.runs}
    shown_lists = lists(results.of_runs, runs, systems[:many], deep, results.progress)
    notes = list(shown_lists.notes)
    if many < len(systems):
        notes.append(f"Lists are shown of the {many} best systems of {len(systems)}.")
    if results.shown is None and deep < DEPTH:
        notes.append(f"Lists are shown down to rank {deep}, as there are many; ask for more with --shown.")
    texts = results.of_runs.texts
    if texts is None or texts.documents is None:
        return replace(shown_lists, notes=tuple(notes))
    wanted = {document for topic in shown_lists.topics for document in topic.documents}
    titles = texts.of_documents(wanted, progress=results.progress)
    if 0 < (lacking := len(wanted) - len(titles)) <= FEW * len(wanted):  # where they are more, texts say so
        notes.append(f"{lacking:,} of {len(wanted):,} documents listed are not among the documents given.")
    return replace(shown_lists, notes=tuple(notes), titles=titles)


def room(systems: int, topics: int, asked: int | None, usual: int) -> tuple[int, int]:
    """How many systems are listed, and how far down: as asked, or as much as a page can hold.

    >>> room(20, 50, None, 50), room(100, 250, None, 50), room(2, 4000, None, 50), room(100, 250, 50, 50)
    ((20, 50), (100, 10), (2, 12), (100, 50))
    """
    if asked is not None:
        return systems, asked
    depth = min(usual, max(_LEAST, MANY // max(1, systems * topics)))
    return max(1, min(systems, max(2, MOST // (topics * depth)))), depth


def lists(
    scores: Scores,
    runs: Mapping[str, Run],
    systems: Sequence[str],
    depth: int,
    progress: Progress | None = None,
) -> Lists:
    """The top of these systems' lists."""
    estimated = (
        scores.judgments.inclusion is not None
    )  # where a document that was drawn stands for others too
    measures = [
        measure
        for measure in scores.measures
        if measure.summary == "mean" and measure.needs is None and not estimated
    ]
    whole = len(systems) * len(scores.runs[0].topics)
    fits = max(0, _PARTS // max(1, whole))
    kept = measures[:fits]
    notes = ["Grades are those of the documents that were drawn and judged."] if estimated else []
    if len(kept) < len(measures):
        named = ", ".join(map(str, kept)) or "no measure"
        notes.append(
            f"What each document contributes is worked out for {named} only: there are {whole:,} lists."
        )
    columns = []
    for number, system in enumerate(systems):
        if progress:
            progress("lists", number, len(systems))
        worked = kept if whole * len(kept) <= _WORKED else []
        columns.append(_of_run(scores, scores[system], runs[system], depth, kept, worked))
    rows = zip(*columns, strict=True)
    topics_listed = tuple(map(_together, rows))
    return Lists(tuple(systems), depth, topics_listed, tuple(kept), tuple(notes))


@dataclass(frozen=True)
class _TopicOfRun:
    """One topic of one run."""

    listed: list[Listed]
    contributions: dict[str, dict[int, float]]
    worked: dict[str, dict[str, list[Cell]]]


def _of_run(
    scores: Scores,
    scored: RunScores,
    run: Run,
    depth: int,
    measures: Sequence[Measure],
    worked: Sequence[Measure],
) -> list[_TopicOfRun]:
    judgments, judged = scores.judgments, scored.judged
    lists_of_run = ordered(run, scores.settings, depth, judgments=judgments)
    of_measures = {str(measure): contributions_by_topic(measure, judged, depth) for measure in measures}
    offsets = judgments.index.offsets.tolist()
    places = {topic: place for place, topic in enumerate(judgments.topics)}
    rows = []
    for number, topic in enumerate(scored.topics):
        of_topic, place = judged.select(number, number + 1), places[topic]
        start, stop = offsets[place : place + 2]
        top = listed_by_place(judgments, start, stop, of_topic, lists_of_run[topic], depth)
        contributions = {measure: of_topics[number] for measure, of_topics in of_measures.items()}
        steps = {str(measure): _steps(measure, of_topic, top) for measure in worked}
        rows.append(_TopicOfRun(top, contributions, steps))
    return rows


def _steps(measure: Measure, judged: JudgedRun, top: Sequence[Listed]) -> dict[str, list[Cell]]:
    """The columns of the worked table, down to the cutoff or as far as the list is shown."""
    try:
        columns = worked_columns(measure, judged, top[: measure.cutoff])
    except MeasureError:
        return {}
    return {name: cells[: len(top[: measure.cutoff])] for name, cells in columns.items()}


def _together(row: Sequence[_TopicOfRun]) -> ListedTopic:
    """One topic of all systems, its documents named once."""
    place: dict[str, int] = {}
    grades: list[float | None] = []
    of_systems = []
    for of_system in row:
        numbers = []
        for document in of_system.listed:
            if document.document not in place:
                place[document.document] = len(place)
                grades.append(document.grade)
            numbers.append(place[document.document])
        of_systems.append(tuple(numbers))
    return ListedTopic(
        tuple(place),
        tuple(grades),
        tuple(of_systems),
        {
            measure: tuple(of_system.contributions[measure] for of_system in row)
            for measure in row[0].contributions
        },
        {measure: tuple(of_system.worked[measure] for of_system in row) for measure in row[0].worked},
    )


def _short(value: Any) -> Any:
    return _whole(round(value, _PLACES)) if isinstance(value, float) else value


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value
