"""Verdict: who wins and how surely, who is first on what, and what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from gainful.comparisons.next_steps import NextSteps, costly
from gainful.comparisons.topic_changes import Credit, TopicMoved
from gainful.comparisons.verdict import Lead, Verdict, judging, lead_on, untested_lead, verdict_of
from gainful.formats.ids import shown
from gainful.judging.notes import grouped
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed, p_value, percent
from gainful.reports.report_results import Results
from gainful.reports.score_section import ScoreSection
from gainful.reports.section_registry import ReportTable, Section, report_section
from gainful.reports.topic_section import TopicSection
from gainful.summaries import in_words

_FEW = 25  # topics
_THIN = 0.8  # share of the top ten that is judged


@report_section
@dataclass(frozen=True)
class VerdictSection(Section):
    """The conclusions of the page.

    verdict       who wins, in at most two sentences, and who leads on each measure
    steps         what to look at next: topics and documents that lost most, and what would make the result surer
    caveats       what would make a careful reader hesitate
    not_compared  why systems were not compared, in a sentence; "" where they were
    alpha         significance level of the tests; None where nothing was compared
    baseline      the system that each other is compared with; None where all pairs are
    """

    name, title, order, template = "verdict", "Verdict", 10, "verdict.html"

    verdict: Verdict
    steps: NextSteps | None
    caveats: tuple[str, ...]
    not_compared: str
    alpha: float | None
    baseline: str | None

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the scores and the comparison, and of what was found for readers."""
        board, topics = results.section(ScoreSection), results.section(TopicSection)
        if board is None or topics is None:
            return None
        scores, comparison = results.of_runs, results.comparison
        verdict = verdict_of(comparison, _leads(results, board), results.readers, topics=board.topics)
        notes = grouped([*scores.notes, *(() if comparison is None else comparison.notes)])
        names = {shown(run.name) for run in scores}
        return cls(
            verdict=verdict,
            steps=None if comparison is None else comparison.next_steps,
            caveats=(
                *(_sentence(note, names) for note in notes),
                *_few(topics),
                *([] if results.estimated else _thin(topics)),
                *results.unjudged,
            ),
            not_compared=results.not_compared,
            alpha=None if comparison is None else results.method.alpha,
            baseline=results.method.baseline,
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        steps = None if self.steps is None else self.steps.to_dict()
        return self.verdict.to_dict() | {"next": steps, "caveats": list(map(str, self.caveats))}

    @property
    def headline(self) -> str:
        """Who wins, in a sentence."""
        return self.verdict.headline

    @property
    def leads(self) -> tuple[Lead, ...]:
        """Who leads on each measure."""
        return self.verdict.leads

    @property
    def lost(self) -> list[tuple[TopicMoved, list[Credit]]]:
        """The topics that lost most, each with the documents that cost most."""
        return [] if self.steps is None else [(topic, costly(topic)) for topic in self.steps.lost]

    def sentences(self) -> list[str]:
        """The verdict, then what would make a careful reader hesitate."""
        alone = [self.not_compared] if self.not_compared else []
        surer = [] if self.steps is None else self.steps.sentences()
        return [*self.verdict.sentences, *alone, *surer, *self.caveats]

    def tables(self, places: int) -> list[ReportTable]:
        """Who leads on what; the column of values is headed by how topics are summed up, where that is one way for all."""
        if self.leads[0].behind is None:
            return []
        summaries = {
            in_words("mean" if lead.sure is not None else lead.measure.summary) for lead in self.leads
        }  # what was tested is a mean
        value = summaries.pop() if len(summaries) == 1 else "value"
        rows = [
            {
                "measure": str(lead.measure),
                "first": shown(lead.leader),
                value: lead.mean,
                "next": None if lead.behind is None else shown(lead.behind),
                "ahead by": lead.ahead_by,
                "p": lead.p,
                "difference": lead.words,
            }
            for lead in self.leads
        ]
        number = partial(fixed, places=places)
        looks: dict[str, Callable[[Any], str]] = {value: number, "ahead by": number, "p": p_value}
        return [ReportTable("leaders", "Leaders by measure", Table.of(rows, looks, 2))]


def _leads(results: Results, board: ScoreSection) -> list[Lead]:
    """Who leads on each measure, the lead measure first; one that is no mean over topics is not tested."""
    comparison = results.comparison
    compared = () if comparison is None else comparison.table.measures
    leads = []
    for measure in judging([measure for measure in board.measures if measure not in results.bounded]):
        if comparison is not None and measure in compared:
            leads.append(lead_on(comparison, measure))
        else:
            leads.append(
                untested_lead(measure, {line.system: line.cells[measure].mean for line in board.lines})
            )
    return leads


def _few(topics: TopicSection) -> list[str]:
    number = len(topics.topics)
    if number >= _FEW:
        return []
    topics_say = "one topic says" if number == 1 else f"{number} topics say"
    return [f"Few topics: {topics_say} little about others; only large differences can be found."]


def _thin(topics: TopicSection) -> list[str]:
    known = [topic.judged for topic in topics.topics if topic.judged is not None]
    if not known:
        return ["Nothing was retrieved for any judged topic."]
    share = math.fsum(known) / len(known)
    if share >= _THIN:
        return []
    return [
        f"Few judgments: {percent(share, 0)} of the documents in the top ten are judged, and the others count as not relevant."
    ]


def _sentence(note: str, names: Collection[str] = ()) -> str:
    """A note as a sentence; a name that begins it stays as it is.

    >>> _sentence("the runs differ in depth: a 100, b 10")
    'The runs differ in depth: a 100, b 10.'
    >>> _sentence("a and b are the same run", ["a", "b"])
    'a and b are the same run.'
    """
    whole = note if note.endswith((".", "?", "!")) else f"{note}."
    head = whole.split(" ", 1)[0]
    return whole[:1].upper() + whole[1:] if head.islower() and head.isalpha() and head not in names else whole
