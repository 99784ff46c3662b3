"""Verdict: who leads, for which readers, how surely, and what stands in the way of believing it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.comparisons import Pair
from gainful.formats.ids import shown
from gainful.presentation.numbers import counted, signed, stated_p
from gainful.reports.board import Board
from gainful.reports.pairs import Pairs

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers

_COUNTS = ("Judged", "Unjudged", "Hole", "Num")
"""Measures that count and do not judge: to have more of it is no merit."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads on one measure.

    behind    the next best system; None where there is none
    ahead_by  how far the leader is ahead of it, as a better score: never negative
    interval  of that difference
    p         of that pair, corrected; None where it was not tested
    sure      whether the two can be told apart; None where it was not tested
    disputed  whether the test found the other better: it does not look at the mean
    """

    measure: str
    leader: str
    mean: float
    behind: str | None
    ahead_by: float | None
    interval: tuple[float, float] | None
    p: float | None
    sure: bool | None
    disputed: bool = False

    @property
    def words(self) -> str:
        """How sure it is, in a word or three."""
        if self.sure is None:
            return "not tested"
        if self.ahead_by == 0:
            return "a tie"
        return "told apart" if self.sure else "not told apart"


@dataclass(frozen=True)
class Verdict:
    """What to take home.

    headline  one sentence
    says      the sentences that follow it
    leads     the leader on each measure
    caveats   what would make a careful reader hesitate
    """

    headline: str
    says: tuple[str, ...]
    leads: tuple[Lead, ...]
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "headline": self.headline,
            "says": list(self.says),
            "leads": [
                {
                    "measure": lead.measure,
                    "leader": shown(lead.leader),
                    "mean": lead.mean,
                    "next": None if lead.behind is None else shown(lead.behind),
                    "ahead_by": lead.ahead_by,
                    "interval": None if lead.interval is None else list(lead.interval),
                    "p_adjusted": lead.p,
                    "told_apart": lead.sure,
                }
                for lead in self.leads
            ],
            "caveats": list(self.caveats),
        }


def verdict(
    board: Board, pairs: Pairs | None, *, readers: Readers | None = None, caveats: Sequence[str] = ()
) -> Verdict:
    """Of the scores and the comparison, and of what was found for readers."""
    judging = [measure for measure in board.measures if not measure.startswith(_COUNTS)] or [*board.measures]
    leads = tuple(_lead(board, pairs, measure) for measure in judging)
    divided = readers is not None and _divided(readers, leads[0].leader)
    says = [*_first(leads[0], pairs), *_elsewhere(leads)]
    for_readers = [] if readers is None else _for_readers(readers, leads[0])
    says = [*for_readers, *says] if divided else [*says, *for_readers]
    return Verdict(_headline(board, leads, divided=divided), tuple(says), leads, tuple(caveats))


def _divided(readers: Readers, leader: str) -> bool:
    """Whether some readers are served better by another system than the leader."""
    return any(leader in found.systems and found.leader not in (None, leader) for found in readers.crossovers)


def _for_readers(readers: Readers, lead: Lead) -> list[str]:
    """Who is better for whom, of the leader and the next; the others have a section of their own."""
    pairs = zip(readers.pairs, readers.headlines, strict=True)
    return [said for pair, said in pairs if {lead.leader, lead.behind} == set(pair)]


def _lead(board: Board, pairs: Pairs | None, measure: str) -> Lead:
    sign = -1.0 if measure in board.lower else 1.0
    lines = sorted(board.lines, key=lambda line: _order(line.cells[measure].mean, sign))
    leader, behind = lines[0], lines[1] if len(lines) > 1 else None
    mean = leader.cells[measure].mean
    if behind is None:
        return Lead(measure, leader.system, mean, None, None, None, None, None)
    found = pairs.pair(measure, leader.system, behind.system) if pairs is not None else None
    ahead = sign * (mean - behind.cells[measure].mean)
    if found is None or pairs is None:
        return Lead(measure, leader.system, mean, behind.system, ahead, None, None, None)
    ends = _towards(found, leader.system)
    sure = found.found(pairs.alpha) if found.wins or found.losses else False
    disputed = sure and pairs.comparison.against_the_mean(found)
    return Lead(measure, leader.system, mean, behind.system, ahead, ends, found.p_adjusted, sure, disputed)


def _towards(pair: Pair, leader: str) -> tuple[float, float] | None:
    """The interval of how far the leader is ahead."""
    low, high = pair.interval
    if math.isnan(low):
        return None
    ahead = (low, high) if pair.b == leader else (-high, -low)
    return (-ahead[1], -ahead[0]) if pair.less_is_better else ahead


def _order(mean: float, sign: float) -> tuple[bool, float]:
    return math.isnan(mean), -sign * mean


def _headline(board: Board, leads: Sequence[Lead], *, divided: bool) -> str:
    lead = leads[0]
    name = shown(lead.leader)
    if lead.behind is None:
        return f"{name} scores {lead.mean:.4f} {lead.measure} on {counted(board.topics, 'topic')}."
    if lead.ahead_by == 0 or math.isnan(lead.mean):
        return f"{name} and {shown(lead.behind)} are level on {lead.measure}."
    if lead.sure is None:
        return f"{name} has the best {lead.measure}; how surely was not tested."
    if lead.disputed:
        return f"{name} is first on {lead.measure} by its mean, but the test favours {shown(lead.behind)}."
    if divided:
        return f"{name} {'leads' if lead.sure else 'is first'} on {lead.measure}, but not for every reader."
    if lead.sure:
        return f"{name} leads on {lead.measure}, and the lead is more than chance."
    return f"{name} is first on {lead.measure}, but {shown(lead.behind)} may be as good."


def _first(lead: Lead, pairs: Pairs | None) -> list[str]:
    """The pair at the top of the board, in the words of the comparison."""
    if pairs is None or lead.behind is None:
        return []
    found = pairs.pair(lead.measure, lead.leader, lead.behind)
    return [] if found is None else [pairs.comparison.sentence(found)]


def _elsewhere(leads: Sequence[Lead]) -> list[str]:
    """Who leads on other measures, where that is someone else."""
    first = leads[0].leader
    others: dict[str, list[Lead]] = {}
    for lead in leads[1:]:
        if lead.leader != first and lead.ahead_by:
            others.setdefault(lead.leader, []).append(lead)
    made = []
    for system, some in others.items():
        parts = [
            f"{lead.measure} (by {signed(lead.ahead_by or 0.0).removeprefix('+')}{_how(lead)})"
            for lead in some
        ]
        made.append(f"{shown(system)} is first on {_listed(parts)}.")
    same = [lead for lead in leads[1:] if lead.leader == first and lead.ahead_by]
    if same and others:
        made.insert(0, f"{shown(first)} is first on {_listed([lead.measure for lead in same])} too.")
    elif same:
        made.append(f"It is first on {_listed([lead.measure for lead in same])} as well.")
    return made


def _how(lead: Lead) -> str:
    if lead.sure is None or lead.p is None:
        return ""
    but = "but the test favours the next" if lead.disputed else "" if lead.sure else "not told apart"
    return f", p {stated_p(lead.p)}" + (f", {but}" if but else "")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
