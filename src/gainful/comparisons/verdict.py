"""Verdict: who wins, by how much and how surely, in one sentence; and in a second one who wins elsewhere, if that matters.

    comparison ──▶ who leads on each measure ──▶ headline (the lead measure), second sentence (another measure, or ranks)

The report, the terminal, notebooks and the gate show this verdict; none has words of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.comparisons.design_intervals import with_design
from gainful.comparisons.method import MATTERS
from gainful.comparisons.model_intervals import models_of
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import Brief, opened
from gainful.presentation.text_style import counted, fixed, listed, percent, rounded

if TYPE_CHECKING:
    from gainful.comparisons.comparison import Comparison
    from gainful.comparisons.pair import Pair
    from gainful.comparisons.readers import Range, Readers, Sweep

_MEASURES = 2  # of the second sentence; of more, how many there are


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads on one measure.

    behind      the system it is compared with: the next best, or the baseline, or the best other where the baseline leads
    ahead_by    how far the leader is ahead of it, as a better score: never negative
    interval    confidence interval of that difference; None where topics leave nothing to measure it by
    p           of that pair, corrected; None where it was not tested
    sure        whether the two differ significantly; None where it was not tested
    disputed    whether the test favours the other one: it does not look at the mean
    unresolved  whether the test could not have found any difference between the two, however large
    same        whether the two have the same value on every topic
    alike       other systems that do not differ significantly from the leader
    """

    measure: Measure
    leader: str
    mean: float
    behind: str | None = None
    ahead_by: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    sure: bool | None = None
    disputed: bool = False
    unresolved: bool = False
    same: bool = False
    alike: int = 0

    @property
    def won(self) -> bool:
        """Whether the leader is significantly better than the system behind it."""
        return bool(self.sure) and not self.disputed

    @property
    def words(self) -> str:
        """Whether the lead is significant, in a word or two."""
        if self.sure is None:
            return "not tested"
        if self.disputed:
            return "disputed"
        if self.ahead_by == 0:
            return "a tie"
        if self.unresolved:
            return "cannot be resolved"
        return "significant" if self.sure else "not significant"

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "leader": shown(self.leader),
            "mean": self.mean,
            "next": None if self.behind is None else shown(self.behind),
            "ahead_by": self.ahead_by,
            "interval": None if self.interval is None else list(self.interval),
            "p_adjusted": self.p,
            "significant": None if self.unresolved else self.sure,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Brief):
    """The answer of a comparison in at most two sentences.

    headline  who wins on the lead measure, by how much, with the confidence interval
    second    who wins elsewhere and by how much; "" where nobody does by as much as `matters`
    leads     who leads on each measure, the lead measure first
    matters   differences from this size on get the second sentence
    """

    headline: str
    second: str
    leads: tuple[Lead, ...]
    matters: float

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline, and the second sentence if there is one."""
        return (self.headline, self.second) if self.second else (self.headline,)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        leads = [lead.to_dict() for lead in self.leads]
        return {"headline": self.headline, "second": self.second, "leads": leads, "matters": self.matters}

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def _repr_html_(self) -> str:
        return "".join(opened(self.sentences, "html"))


def verdict_of(
    comparison: Comparison | None,
    leads: Sequence[Lead] | None = None,
    readers: Readers | None = None,
    *,
    topics: int = 0,
    matters: float = MATTERS,
) -> Verdict:
    """The verdict of a comparison.

    comparison  None where systems were not compared; then `leads` and the number of `topics` say what is known
    leads       who leads on each measure, the lead measure first; unless given, from the comparison
    readers     sweeps over readers, where they were made

    >>> from gainful.comparisons import compare_scores, ScoreTable
    >>> scores = [[0.1, 0.4, 0.3, 0.2, 0.6, 0.5], [0.2, 0.6, 0.4, 0.3, 0.8, 0.6]]
    >>> comparison = compare_scores(ScoreTable.of_matrix(scores, systems=["old", "new"], measure="AP"))
    >>> print(verdict_of(comparison))
    new is better than old on AP: +0.133 (95 % CI 0.079 to 0.188).
    """
    if comparison is None:
        leads = tuple(leads or ())
        return Verdict(_untested(leads[0], topics), "", leads, matters)
    leads = leads_of(comparison) if leads is None else tuple(leads)
    matters = comparison.method.matters
    first = leads[0]
    headline = _headline(comparison, first) if first.sure is not None else _untested(first, topics)
    headline = with_design(headline, comparison.table)
    second = _on_other_measures(leads, matters) or _at_other_ranks(readers, first, matters)
    return Verdict(headline, second, leads, matters)


def leads_of(comparison: Comparison) -> tuple[Lead, ...]:
    """Who leads on each measure that judges systems; measures that only count judge none, unless there are no others."""
    return tuple(lead_on(comparison, measure) for measure in judging(comparison.table.measures))


def judging(measures: Sequence[Measure]) -> list[Measure]:
    """The measures by which systems are ordered, the lead measure first."""
    return [measure for measure in measures if not measure.diagnostic] or [*measures]


def lead_on(comparison: Comparison, measure: Measure) -> Lead:
    """Who leads on one measure, and how surely."""
    method, means = comparison.method, comparison.means[str(measure)]
    order = _best_first(means, measure)
    if method.baseline is None:
        leader, behind = order[:2]
    else:
        other = next(system for system in order if system != method.baseline)
        leader, behind = sorted((method.baseline, other), key=order.index)
    with_leader = {
        pair.b if pair.a == leader else pair.a: pair
        for pair in comparison.of(measure)
        if leader in (pair.a, pair.b)
    }
    pair = with_leader[behind]
    sure = not pair.same and pair.significant(method.alpha)
    return Lead(
        measure,
        leader,
        means[leader],
        behind,
        abs(means[leader] - means[behind]),
        _towards(pair, leader),
        pair.p_adjusted,
        sure,
        disputed=sure and comparison.against_the_mean(pair),
        unresolved=pair.unresolved(method.alpha),
        same=pair.same,
        alike=sum(not other.significant(method.alpha) for other in with_leader.values()),
    )


def untested_lead(measure: Measure, means: Mapping[str, float]) -> Lead:
    """Who leads on a measure whose pairs were not compared; of one system, its value."""
    order = _best_first(means, measure)
    leader = order[0]
    if len(order) == 1:
        return Lead(measure, leader, means[leader])
    ahead = means[leader] - means[order[1]]
    return Lead(measure, leader, means[leader], order[1], abs(ahead))


def _best_first(means: Mapping[str, float], measure: Measure) -> list[str]:
    sign = 1.0 if measure.less_is_better else -1.0
    return sorted(means, key=lambda system: (math.isnan(means[system]), sign * means[system]))


def _towards(pair: Pair, leader: str) -> tuple[float, float] | None:
    """The confidence interval of how far the leader is ahead; None where all topics differ alike and it has no width."""
    low, high = pair.interval
    if math.isnan(low) or pair.constant:
        return None
    ahead = (low, high) if pair.b == leader else (-high, -low)
    return (-ahead[1], -ahead[0]) if pair.less_is_better else ahead


def _untested(lead: Lead, topics: int) -> str:
    name, measure = shown(lead.leader), lead.measure
    if lead.behind is None:
        return f"{name} scores {fixed(lead.mean)} {measure} on {counted(topics, 'topic')}."
    if lead.ahead_by == 0 or math.isnan(lead.mean):
        return f"{name} and {shown(lead.behind)} are level on {measure}; the difference was not tested."
    return f"{name} has the best {measure}, {rounded(lead.ahead_by)} ahead of {shown(lead.behind)}; its lead was not tested."


def _headline(comparison: Comparison, lead: Lead) -> str:
    """Who wins on the lead measure, by how much and how surely."""
    method, systems = comparison.method, len(comparison.table.systems)
    assert lead.behind is not None
    name, other = _called(lead.leader, comparison), _called(lead.behind, comparison)
    on = f"on {lead.measure}"
    ahead, within = f"+{rounded(lead.ahead_by)}", _interval(comparison, lead)
    if lead.disputed and lead.ahead_by:
        return f"{name} has the better mean {lead.measure} ({ahead}, {within}), but the {method.test_stated} favours {other}."
    if lead.disputed:
        return f"{name} and {other} have the same mean {lead.measure}, but the {method.test_stated} finds a difference."
    if lead.same:
        return f"{name} and {other} have the same {lead.measure} on all {_topics(comparison, lead)} topics."
    if lead.ahead_by == 0:
        return f"{name} and {other} are level {on}: both have a mean of {rounded(lead.mean)}."
    if lead.unresolved:
        limit = comparison.limit(comparison.pair(lead.measure, lead.leader, lead.behind))
        return (
            f"{name} is ahead of {other} {on} ({ahead}, {within}), but the test cannot resolve it: {limit}."
        )
    others = systems - 1 if method.baseline is None else 1
    if others == 1 and lead.sure:
        return f"{name} is better than {other} {on}: {ahead} ({within})."
    if others == 1:
        return (
            f"{name} and {other} do not differ significantly {on}: {shown(lead.leader)} {ahead} ({within})."
        )
    if lead.alike == 0:
        every = "both" if others == 2 else f"all {others:,}"
        return f"{name} is better than {every} other systems {on}: {ahead} over {other} ({within})."
    verb = "does" if lead.alike == 1 else "do"
    return (
        f"{name} is first {on}, but {lead.alike:,} of {others:,} others {verb} not differ significantly from it; "
        f"the next is {other}: {ahead} ({within})."
    )


def _called(system: str, comparison: Comparison) -> str:
    """The system in a sentence; where others are compared with a baseline, what it is among them."""
    method, systems = comparison.method, len(comparison.table.systems)
    if method.baseline is None or systems == 2:
        return shown(system)
    if system == method.baseline:
        return f"the baseline {shown(system)}"
    return f"{shown(system)}, the best of {systems - 1:,},"


def _interval(comparison: Comparison, lead: Lead) -> str:
    """The confidence interval of how far the leader is ahead.

    Where all topics differ by the same amount it would have no width, which is no certainty: that is said instead.
    """
    less = "; less is better" if lead.measure.less_is_better else ""
    if lead.interval is None and models_of(comparison.table) is not None and not lead.same:
        return f"no interval{less}"
    if lead.interval is None:
        return f"the same on all {_topics(comparison, lead)} topics{less}"
    low, high = (rounded(end, like=lead.ahead_by) for end in lead.interval)
    return f"{percent(comparison.method.confidence)} CI {low} to {high}{less}"


def _topics(comparison: Comparison, lead: Lead) -> str:
    return f"{len(comparison.table.of(lead.measure)[1]):,}"


def _on_other_measures(leads: Sequence[Lead], matters: float) -> str:
    """Which other system wins on other measures; "" where none does by as much as matters."""
    first = leads[0]
    winner = first.leader if first.won else None
    won = [
        lead
        for lead in leads[1:]
        if lead.won and lead.leader != winner and lead.ahead_by is not None and lead.ahead_by >= matters
    ]
    if not won:
        return ""
    won.sort(key=lambda lead: -(lead.ahead_by or 0))
    system = won[0].leader
    of_system = [lead for lead in won if lead.leader == system]
    parts = [f"{lead.measure} (+{rounded(lead.ahead_by)})" for lead in of_system[:_MEASURES]]
    if len(of_system) > _MEASURES:
        parts.append(f"{len(of_system) - _MEASURES:,} more")
    return f"{shown(system)} is better on {listed(parts)}."


def _at_other_ranks(readers: Readers | None, first: Lead, matters: float) -> str:
    """Which of the two is ahead at other ranks of the lead measure; "" where none is by as much as matters.

    Of several stretches of ranks the one with the largest difference is named, never a list of them.
    """
    winner = first.leader if first.won else None
    stretches = [
        (size, sweep, stretch)
        for sweep in (() if readers is None else readers.sweeps)
        if sweep.by == "rank" and set(sweep.systems) == {first.leader, first.behind}
        for stretch, size in _sizes(sweep)
        if stretch.leader != winner and size >= matters
    ]
    if not stretches:
        return ""
    size, sweep, stretch = max(stretches, key=lambda sized: sized[0])
    return (
        f"{shown(str(stretch.leader))} is ahead {_ranks(sweep, stretch)} ({sweep.measure} +{rounded(size)})."
    )


def _sizes(sweep: Sweep) -> Iterator[tuple[Range, float]]:
    """Each stretch of ranks that a system leads, and the largest difference in it."""
    for stretch in sweep.ranges:
        if stretch.leader is not None:
            here = (sweep.at >= stretch.start) & (sweep.at <= stretch.stop)
            yield stretch, float(np.abs(sweep.difference[here]).max())


def _ranks(sweep: Sweep, stretch: Range) -> str:
    if stretch.start == stretch.stop:
        return f"at rank {stretch.start:g}"
    if stretch.start == sweep.at[0]:
        return f"up to rank {stretch.stop:g}"
    return f"from rank {stretch.start:g} {'on' if stretch.stop == sweep.at[-1] else f'to {stretch.stop:g}'}"
