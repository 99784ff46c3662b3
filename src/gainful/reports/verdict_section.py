"""Verdict: which system leads, for which readers, how surely, and what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from gainful.comparisons import Pair
from gainful.formats.ids import shown
from gainful.judging.notes import grouped
from gainful.measures import Measure
from gainful.presentation.numbers import counted, fixed, listed, p_value, percent, stated_p
from gainful.presentation.table import Table
from gainful.reports.pair_section import PairSection
from gainful.reports.report_results import Results
from gainful.reports.score_section import ScoreSection
from gainful.reports.section_registry import ReportTable, Section, report_section
from gainful.reports.topic_section import TopicSection
from gainful.summaries import in_words

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers

_FEW = 25  # topics
_THIN = 0.8  # share of the top ten that is judged


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads on one measure.

    behind      the next best system; None where there is none
    ahead_by    how far the leader is ahead of it, as a better score: never negative
    interval    of that difference
    p           of that pair, corrected; None where it was not tested
    sure        whether the two differ significantly; None where it was not tested
    disputed    whether the test found the other better: it does not look at the mean
    unresolved  whether the test could not have found any difference between the two, however large
    """

    measure: Measure
    leader: str
    mean: float
    behind: str | None
    ahead_by: float | None
    interval: tuple[float, float] | None
    p: float | None
    sure: bool | None
    disputed: bool = False
    unresolved: bool = False

    @property
    def words(self) -> str:
        """Whether the lead is significant, in a word or two."""
        if self.sure is None:
            return "not tested"
        if self.ahead_by == 0:
            return "a tie"
        if self.unresolved:
            return "cannot be resolved"
        return "significant" if self.sure else "not significant"


@report_section
@dataclass(frozen=True)
class VerdictSection(Section):
    """The conclusions of the page.

    headline      one sentence
    says          the sentences that follow it
    leads         the leader on each measure
    caveats       what would make a careful reader hesitate
    not_compared  why systems were not compared, in a sentence; "" where they were
    alpha         significance level of the tests; None where nothing was compared
    """

    name, title, order, template = "verdict", "Verdict", 10, "verdict.html"

    headline: str
    says: tuple[str, ...]
    leads: tuple[Lead, ...]
    caveats: tuple[str, ...]
    not_compared: str
    alpha: float | None

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the scores and the comparison, and of what was found for readers."""
        board, topics = results.section(ScoreSection), results.section(TopicSection)
        if board is None or topics is None:
            return None
        pairs, readers, scores = results.section(PairSection), results.readers, results.of_runs
        judging = [measure for measure in board.measures if not measure.diagnostic] or [*board.measures]
        leads = tuple(_lead(board, pairs, measure) for measure in judging)
        divided = readers is not None and _divided(readers, leads[0].leader)
        says = [*_first(leads[0], pairs), *_elsewhere(leads)]
        for_readers = [] if readers is None else _for_readers(readers, leads[0])
        notes = grouped([*scores.notes, *(() if results.comparison is None else results.comparison.notes)])
        names = {shown(run.name) for run in scores}
        return cls(
            headline=_headline(board, leads, divided=divided),
            says=tuple([*for_readers, *says] if divided else [*says, *for_readers]),
            leads=leads,
            caveats=(
                *(_sentence(note, names) for note in notes),
                *_few(topics),
                *_thin(topics),
                *results.unjudged,
            ),
            not_compared=results.not_compared,
            alpha=None if results.comparison is None else results.method.alpha,
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "headline": self.headline,
            "says": list(self.says),
            "leads": [
                {
                    "measure": str(lead.measure),
                    "leader": shown(lead.leader),
                    "mean": lead.mean,
                    "next": None if lead.behind is None else shown(lead.behind),
                    "ahead_by": lead.ahead_by,
                    "interval": None if lead.interval is None else list(lead.interval),
                    "p_adjusted": lead.p,
                    "significant": None if lead.unresolved else lead.sure,
                }
                for lead in self.leads
            ],
            "caveats": list(map(str, self.caveats)),
        }

    def sentences(self) -> list[str]:
        """The verdict, then what would make a careful reader hesitate."""
        alone = [self.not_compared] if self.not_compared else []
        return [self.headline, *self.says, *alone, *self.caveats]

    def tables(self, places: int) -> list[ReportTable]:
        """Who leads on what; the column of values is headed by how topics are summed up, where that is one way for all."""
        if self.leads[0].behind is None:
            return []
        summaries = {in_words(lead.measure.summary) for lead in self.leads}
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


def _divided(readers: Readers, leader: str) -> bool:
    """Whether some readers are served better by another system than the leader."""
    return any(
        leader in stretch.systems and stretch.leader not in (None, leader) for stretch in readers.crossovers
    )


def _for_readers(readers: Readers, lead: Lead) -> list[str]:
    """Which of the leader and the next is better for which readers; the others have a section of their own."""
    pairs = zip(readers.pairs, readers.headlines, strict=True)
    return [said for pair, said in pairs if {lead.leader, lead.behind} == set(pair)]


def _lead(board: ScoreSection, pairs: PairSection | None, measure: Measure) -> Lead:
    sign = -1.0 if measure.less_is_better else 1.0
    lines = sorted(board.lines, key=lambda line: _order(line.cells[measure].mean, sign))
    leader, behind = lines[0], lines[1] if len(lines) > 1 else None
    mean = leader.cells[measure].mean
    if behind is None:
        return Lead(measure, leader.system, mean, None, None, None, None, None)
    pair = pairs.pair(measure, leader.system, behind.system) if pairs is not None else None
    ahead = sign * (mean - behind.cells[measure].mean)
    if pair is None or pairs is None:
        return Lead(measure, leader.system, mean, behind.system, ahead, None, None, None)
    ends = _towards(pair, leader.system)
    sure = pair.significant(pairs.alpha) if pair.wins or pair.losses else False
    disputed = sure and pairs.comparison.against_the_mean(pair)
    unresolved = pair.unresolved(pairs.alpha)
    p = pair.p_adjusted
    return Lead(measure, leader.system, mean, behind.system, ahead, ends, p, sure, disputed, unresolved)


def _towards(pair: Pair, leader: str) -> tuple[float, float] | None:
    """The interval of how far the leader is ahead."""
    low, high = pair.interval
    if math.isnan(low):
        return None
    ahead = (low, high) if pair.b == leader else (-high, -low)
    return (-ahead[1], -ahead[0]) if pair.less_is_better else ahead


def _order(mean: float, sign: float) -> tuple[bool, float]:
    return math.isnan(mean), -sign * mean


def _headline(board: ScoreSection, leads: Sequence[Lead], *, divided: bool) -> str:
    lead = leads[0]
    name = shown(lead.leader)
    if lead.behind is None:
        return f"{name} scores {fixed(lead.mean)} {lead.measure} on {counted(board.topics, 'topic')}."
    if lead.ahead_by == 0 or math.isnan(lead.mean):
        return f"{name} and {shown(lead.behind)} are level on {lead.measure}."
    if lead.sure is None:
        return f"{name} has the best {lead.measure}; its lead was not tested."
    if lead.disputed:
        return f"{name} is first on {lead.measure} by its mean, but the test favours {shown(lead.behind)}."
    if divided:
        return f"{name} {'leads' if lead.sure else 'is first'} on {lead.measure}, but not for every reader."
    if lead.sure:
        return f"{name} leads on {lead.measure}, and the difference is significant."
    if lead.unresolved:
        return (
            f"{name} is first on {lead.measure}; the test cannot resolve its lead over {shown(lead.behind)}."
        )
    return f"{name} is first on {lead.measure}, but its lead over {shown(lead.behind)} is not significant."


def _first(lead: Lead, pairs: PairSection | None) -> list[str]:
    """The pair at the top of the board, in the words of the comparison."""
    if pairs is None or lead.behind is None:
        return []
    pair = pairs.pair(lead.measure, lead.leader, lead.behind)
    return [] if pair is None else [pairs.comparison.sentence(pair)]


def _elsewhere(leads: Sequence[Lead]) -> list[str]:
    """Who leads on other measures, where that is someone else."""
    first = leads[0].leader
    others: dict[str, list[Lead]] = {}
    for lead in leads[1:]:
        if lead.leader != first and lead.ahead_by:
            others.setdefault(lead.leader, []).append(lead)
    lines = []
    for system, some in others.items():
        parts = [f"{lead.measure} (by {fixed(lead.ahead_by)}{_how(lead)})" for lead in some]
        lines.append(f"{shown(system)} is first on {listed(parts)}.")
    same = [lead for lead in leads[1:] if lead.leader == first and lead.ahead_by]
    if same and others:
        lines.insert(0, f"{shown(first)} is first on {listed([str(lead.measure) for lead in same])} too.")
    elif same:
        lines.append(f"It is first on {listed([str(lead.measure) for lead in same])} as well.")
    return lines


def _how(lead: Lead) -> str:
    if lead.sure is None or lead.p is None:
        return ""
    but = "but the test favours the next" if lead.disputed else "" if lead.sure else lead.words
    return f", p {stated_p(lead.p)}" + (f", {but}" if but else "")


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
    share = sum(known) / len(known)
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
