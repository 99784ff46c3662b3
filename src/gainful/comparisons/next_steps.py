"""What to look at next: the topics that lost most and the documents that cost it, and what would make the result surer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.design_intervals import design_of
from gainful.comparisons.topic_changes import Credit, PairMoved, TopicMoved, credited, moved_between
from gainful.comparisons.unjudged.evidence import gather
from gainful.comparisons.unjudged.reversals import Reversal, ToJudge, reversal
from gainful.comparisons.verdict import Lead
from gainful.errors import GainfulError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.chart_parts import brief
from gainful.presentation.page import Brief
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, cut_to, fixed, listed, rounded, signed, whole

_TOPICS = 5
_DOCUMENTS = 2  # of a topic
_MOST = 0.8  # the share of a topic's loss above which no further document is named
_JUDGE_FIRST = 3  # unjudged documents that are named
_TOP, _DEEPEST = 10, 20  # ranks that are looked at for them: without a cutoff, and at the most
_FOLLOWED = 1_000_000  # documents of two runs, and judgments, up to which unjudged ones are followed
_TITLE = 24  # columns of a title in a sentence
_NAME = 17  # letters of a system's name


@dataclass(frozen=True, slots=True, repr=False)
class NextSteps(Brief):
    """What to look at next, of the lead measure and the two systems that the verdict is about.

    lost           the topics on which B loses most against A, with their queries and the documents that cost most
    lead           who leads by this measure; None where the two are the same, or were not tested
    unjudged       what judging more documents could change; None where the runs are not in memory
    depth          the last rank at which unjudged documents were looked for
    topics_needed  to find the observed difference with the power of the comparison; inf for more than anyone has,
                   None where it is significant
    topics, power  how many topics there are, and that power
    """

    measure: Measure
    a: str
    b: str
    lost: tuple[TopicMoved, ...] = ()
    lead: Lead | None = None
    unjudged: Reversal | None = None
    depth: int = _TOP
    topics_needed: float | None = None
    topics: int = 0
    power: float = 0.8

    @property
    def title(self) -> str:
        """What the table holds, in a line above it."""
        names = brief([self.a, self.b], _NAME)
        return f"What to look at next: {names[self.b]} loses most against {names[self.a]} on"

    def table(self) -> Table:
        """The topics that lost most, each with the documents that cost most: their ranks by A and by B, and the cost."""
        named = any(topic.documents for topic in self.lost)
        heads = ["topic", str(self.measure), *(["document", "rank", "costs"] if named else [])]
        rows = []
        for topic in self.lost:
            query = "" if topic.query is None else f" {shown(topic.query)}"
            head = [f"{shown(topic.topic)}{query}", signed(topic.difference, 3)]
            documents = [_document_cells(credit) for credit in costly(topic)] or [["", "", ""]]
            rows += [[*begin, *cells] for begin, cells in zip([head, ["", ""]], documents, strict=False)]
        return Table(
            heads,
            rows if named else [row[:2] for row in rows],
            [0, 2] if named else 1,
            [0, 2] if named else [0],
        )

    def tables(self) -> list[tuple[str, Table]]:
        """The table under its line; none where no topic lost."""
        return [(self.title, self.table())] if self.lost else []

    def sentences(self) -> list[str]:
        """How many topics, and which judgments, would make the result surer."""
        first = [
            f"{_called(document.document, document.title)} of topic {shown(document.topic)} "
            f"(worth {rounded(abs(document.effect))})"
            for document in self.judge_first
        ]
        to_judge = f"{self.to_judge}; judge first {listed(first)}" if first else self.to_judge
        return [f"{line}." for line in (self.more_topics, to_judge) if line]

    @property
    def more_topics(self) -> str:
        """How many topics it takes to find the difference, without a full stop; "" where that is not the question."""
        if self.topics_needed is None or self.lead is None:
            return ""
        size = f"a difference of {rounded(self.lead.ahead_by)} {self.measure}"
        if math.isinf(self.topics_needed):
            return f"No number of topics would find {size}"
        there = f"there {'is' if self.topics == 1 else 'are'} {self.topics:,}"
        return f"To find {size} with power {self.power:g} takes {whole(self.topics_needed)} topics; {there}"

    @property
    def to_judge(self) -> str:
        """What unjudged documents could change, without a full stop; "" where there are none, or they are not known."""
        lead, unjudged = self.lead, self.unjudged
        if lead is None or unjudged is None or not unjudged.open:
            return ""
        behind = shown(str(lead.behind))
        outcome = "break the tie" if not lead.ahead_by else f"put {behind} ahead"
        documents = f"{counted(unjudged.open, 'unjudged document')} in the top {self.depth:,}"
        if unjudged.needed is None:
            return f"Even if relevant, no choice of the {documents} was found that would {outcome}"
        return f"If relevant, {unjudged.needed:,} of the {documents} would {outcome}"

    @property
    def judge_first(self) -> tuple[ToJudge, ...]:
        """The unjudged documents that move the difference furthest; none where they could not change the verdict."""
        lead, unjudged = self.lead, self.unjudged
        if lead is None or unjudged is None or (unjudged.needed is None and lead.sure):
            return ()
        return (unjudged.first if unjudged.needed is None else unjudged.documents)[:_JUDGE_FIRST]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        needed = self.topics_needed
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "lost": [topic.to_dict() for topic in self.lost],
            "unjudged": None if self.unjudged is None else {"depth": self.depth} | self.unjudged.to_dict(),
            "topics_needed": None if needed is None or math.isinf(needed) else int(needed),
            "sentences": self.sentences(),
        }


def next_steps(comparison: Comparison) -> NextSteps | None:
    """What to look at next of a comparison; None where its two best systems are the same on every topic.

    >>> from gainful.comparisons import ScoreTable, compare_scores
    >>> scores = [[0.1, 0.4, 0.3, 0.2, 0.6, 0.5], [0.2, 0.6, 0.4, 0.1, 0.8, 0.3]]
    >>> steps = next_steps(compare_scores(ScoreTable.of_matrix(scores, systems=["old", "new"], measure="AP")))
    >>> print(steps.title)
    What to look at next: new loses most against old on
    >>> print(steps.table().text())
    topic      AP
    ─────  ──────
    6      −0.200
    4      −0.100
    >>> print(*steps.sentences())
    To find a difference of 0.050 AP with power 0.8 takes 87 topics; there are 6.
    """
    lead = comparison.verdict.leads[0]
    if lead.behind is None or lead.sure is None or lead.same:
        return None
    table, measure = comparison.table, lead.measure
    pair = comparison.pair(measure, lead.leader, lead.behind)
    in_order = comparison.method.baseline is not None or len(table.systems) == 2
    a, b = (pair.a, pair.b) if in_order else (lead.behind, lead.leader)
    changed = moved_between(table, measure, a, b, _TOPICS)
    if table.scores is not None and design_of(table) is None:  # what was drawn stands for other documents too
        with suppress(GainfulError):  # the measure may not be a sum over documents
            (changed,) = credited([changed], table.scores)
    unknown = not (lead.sure or lead.unresolved or not lead.ahead_by or math.isnan(pair.topics_needed))
    depth = min(measure.cutoff or _TOP, _DEEPEST)
    steps = NextSteps(
        measure,
        a,
        b,
        changed.lost,
        lead,
        _unjudged(comparison, changed, depth),
        depth,
        pair.topics_needed if unknown else None,
        pair.topics,
        comparison.method.power,
    )
    return _with_titles(steps, comparison)


def _unjudged(comparison: Comparison, pair: PairMoved, depth: int) -> Reversal | None:
    """The unjudged documents in the top ranks of the two, and which of them would turn the difference."""
    table, measure = comparison.table, pair.measure
    names = (pair.a, pair.b)
    if table.scores is None or any(name not in table.runs for name in names):
        return None
    if design_of(table) is not None:  # those that were not drawn are part of the estimate
        return None
    if measure.needs is not None or measure.diagnostic or measure.less_is_better:
        return None  # found relevant, a document would not be worth more
    retrieved = sum(float(table.scores[name].judged.retrieved.sum()) for name in names)
    if retrieved + len(table.scores.judgments.index) > _FOLLOWED:
        return None
    settings = table.scores.settings
    if settings.unjudged == "condense":
        measure = measure(unjudged="condense")
    _, topics = table.of(pair.measure)
    weights = table.weights_of(topics)
    weights = np.ones(len(topics)) if weights is None else weights
    runs = [table.runs[name] for name in names]
    try:
        evidence = gather(table.scores.judgments, runs, settings, names=names, depth=depth)
        places = [evidence.place[topic] for topic in topics]
        shares = weights / weights.sum()
        return reversal(evidence, measure, 0, 1, places, shares, depth=depth, first=_JUDGE_FIRST)
    except GainfulError:  # there is a verdict all the same; what it depends on is not known
        return None


def _with_titles(steps: NextSteps, comparison: Comparison) -> NextSteps:
    """The steps, with the titles of the documents that are known, all read at once."""
    unjudged = steps.unjudged
    first = () if unjudged is None else (*unjudged.documents[:_JUDGE_FIRST], *unjudged.first)
    documents = {credit.document for topic in steps.lost for credit in topic.documents}
    titles = comparison.table.titles(documents | {document.document for document in first})
    if not titles:
        return steps

    def titled(documents: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(replace(document, title=titles.get(document.document)) for document in documents)

    if unjudged is not None:
        unjudged = replace(unjudged, documents=titled(unjudged.documents), first=titled(unjudged.first))
    lost = tuple(replace(topic, documents=titled(topic.documents)) for topic in steps.lost)
    return replace(steps, lost=lost, unjudged=unjudged)


def costly(topic: TopicMoved) -> list[Credit]:
    """The documents that make up most of a topic's loss, the most costly first."""
    sign = math.copysign(1.0, topic.difference)
    chosen: list[Credit] = []
    for credit in topic.documents:
        covered = math.fsum(part.part for part in chosen) / topic.difference
        if credit.part * sign > 0 and covered < _MOST and len(chosen) < _DOCUMENTS:
            chosen.append(credit)
    return chosen


def _document_cells(credit: Credit) -> list[str]:
    return [credit.called, credit.ranks, fixed(abs(credit.part), 3)]


def _called(document: str, title: str | None) -> str:
    return shown(document) if title is None else f"{shown(document)} “{cut_to(shown(title), _TITLE)}”"
