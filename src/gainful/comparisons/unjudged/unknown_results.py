"""What is not known of runs and of their differences: shares judged, bounds, reversals; and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.comparison_tables import evaluated
from gainful.comparisons.result_section import Section
from gainful.comparisons.tie_effects import TieRange
from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.reversals import LEAST, MOST, Reversal
from gainful.formats.ids import shown
from gainful.judging.notes import SHARES_DIFFER
from gainful.measures import Measure
from gainful.presentation.numbers import percent, signed
from gainful.presentation.table import Table

DEPTHS = (10, 100, 1000)


@dataclass(frozen=True, slots=True)
class Share:
    """Of the documents in the top ranks of a run, the share that is judged."""

    run: str
    depth: int
    judged: int
    documents: int

    @property
    def share(self) -> float:
        """Judged documents among those that there are; NaN where there are none."""
        return self.judged / self.documents if self.documents else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "run": shown(self.run),
            "depth": self.depth,
            "judged": self.judged,
            "documents": self.documents,
            "share": self.share,
        }


def share_of(evidence: Evidence, run: int, topics: Sequence[int], depth: int) -> Share:
    """Of one run down to a rank, all topics together."""
    judged = documents = 0
    for topic in topics:
        part = evidence.part(topic)
        judged += int(np.count_nonzero((evidence.ranks[run, part] <= depth) & (evidence.grade[part] >= 0)))
        documents += int(min(evidence.retrieved[run, topic], depth))
    return Share(evidence.names[run], depth, judged, documents)


def depths_of(evidence: Evidence, cutoffs: Iterable[int]) -> list[int]:
    """10, 100 and 1,000 as far as the lists go, and the cutoffs of the measures."""
    deepest = int(evidence.retrieved.max(initial=0))
    usual = [depth for depth in DEPTHS if depth == DEPTHS[0] or depth <= deepest]
    return sorted({*usual, *cutoffs})


def biased_against(first: Share, second: Share) -> str | None:
    """The run with so much less judged that a comparison with the other is biased against it; None if there is none."""
    gap = first.share - second.share
    if not abs(gap) > SHARES_DIFFER:  # nor where one of them is unknown
        return None
    return second.run if gap > 0 else first.run


@dataclass(frozen=True, slots=True)
class Between:
    """A mean as it is, and where it can lie once open documents are judged.

    if_none, if_all  with none of them relevant, and with all of them, at the best grade
    low, high        the least and the greatest over all judgments of them
    kind             of these bounds: see `bounds`
    """

    value: float
    if_none: float
    if_all: float
    low: float
    high: float
    kind: str

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class RunUnknown:
    """One run on one measure; open are its own documents down to the depth."""

    measure: Measure
    run: str
    depth: int
    between: Between

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "run": shown(self.run),
            "depth": self.depth,
        } | self.between.to_dict()


@dataclass(frozen=True, slots=True)
class PairUnknown:
    """B against A on one measure; open are the documents of both down to the depth.

    biased_against  the run of which so much less is judged that the comparison is biased against it
    """

    measure: Measure
    a: str
    b: str
    depth: int
    between: Between
    judged_a: float
    judged_b: float
    biased_against: str | None
    reversal: Reversal
    ties: TieRange

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "depth": self.depth,
            "judged_a": self.judged_a,
            "judged_b": self.judged_b,
            "biased_against": None if self.biased_against is None else shown(self.biased_against),
            "difference": self.between.to_dict(),
            "reversal": self.reversal.to_dict(),
            "ties": self.ties.to_dict(),
        }


@dataclass(frozen=True, eq=False)
class Unknown:
    """What is not known of a comparison."""

    comparison: Comparison
    shares: tuple[Share, ...]
    runs: tuple[RunUnknown, ...]
    pairs: tuple[PairUnknown, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "shares": [one.to_dict() for one in self.shares],
            "runs": [one.to_dict() for one in self.runs],
            "pairs": [one.to_dict() for one in self.pairs],
        }


_TALKATIVE = 6
"""Pairs up to which each gets a sentence, and a list of what to judge first; of more, only what is amiss is said."""


def of_unknown(found: Unknown, *, places: int = 4) -> Section:
    """Shares judged, bounds, reversals, ties, and what to judge first."""
    tables = [("share of the top ranks that is judged", _shares(found))]
    if found.runs:
        tables.append(("each run, if what nobody judged in its top ranks were judged", _runs(found, places)))
    if found.pairs:
        tables.append(("each difference, if the top ranks of both were judged", _pairs(found, places)))
    tables += [
        (f"judge first: {one.measure}, A {shown(one.a)}, B {shown(one.b)}", _first(one, places))
        for one in found.pairs
        if one.reversal.first and len(found.pairs) <= _TALKATIVE
    ]
    return Section(
        "What is not known",
        tables,
        [line for one in found.pairs for line in sentences(one, brief=len(found.pairs) > _TALKATIVE)],
        "bounds are over all judgments of the documents named, from grade 0 to the best grade; "
        "a document in both runs has one grade" + evaluated(found.comparison.table),
        [_row(one) for one in found.pairs],
        {"unknown": found.to_dict()},
        found.notes,
    )


def sentences(one: PairUnknown, *, brief: bool = False) -> list[str]:
    """What one pair hangs on, in words; brief says only what is amiss."""
    a, b = shown(one.a), shown(one.b)
    low, high = one.between.low, one.between.high
    pair = f"{one.measure}, {b} − {a}"
    made = []
    if one.biased_against is not None:
        made.append(
            f"{pair}: {100 * one.judged_a:.0f} % of the top {one.depth:,} of {a} is judged, {100 * one.judged_b:.0f} % of {b}'s; "
            f"the comparison is biased against {shown(one.biased_against)}."
        )
    if brief:
        pass
    elif one.reversal.open == 0:
        made.append(f"{pair}: everything in the top {one.depth:,} of both is judged.")
    else:
        between = f"between {signed(low)} and {signed(high)}" if math.isfinite(low) else "anywhere"
        made.append(
            f"{pair} is {signed(one.between.value)}, and lies {between} once the {_unjudged(one.reversal.open)} in "
            f"the top {one.depth:,} of the two {'is' if one.reversal.open == 1 else 'are'} judged; {_reversed(one)}."
        )
    if one.ties.decides:
        least, most = one.ties.range
        made.append(
            f"{pair}: the order of tied scores decides who is ahead; it can be from {signed(least)} to {signed(most)}."
        )
    return made


def _reversed(one: PairUnknown) -> str:
    needed, certain = one.reversal.needed, _certain(one)
    if abs(one.between.value) <= LEAST:
        parted = "none of them" if needed is None else f"{needed:,} of them"
        return f"{parted}, found relevant, would part the two"
    if needed is not None:
        return f"{needed:,} of them, found relevant, would turn its sign"
    if certain:
        return "its sign is certain whatever they are"
    several = f"no {MOST:,} of them" if one.reversal.open > MOST else "no choice of them"
    return f"{several} was found that would turn its sign"


def _certain(one: PairUnknown) -> bool:
    value = one.between.value
    return (value > 0 and one.between.low > 0) or (value < 0 and one.between.high < 0)


def _unjudged(number: int) -> str:
    return f"{number:,} unjudged document{'' if number == 1 else 's'}"


def _shares(found: Unknown) -> Table:
    depths = sorted({one.depth for one in found.shares})
    runs = dict.fromkeys(one.run for one in found.shares)
    cells = {(one.run, one.depth): one.share for one in found.shares}
    body = [
        [
            shown(run),
            *(percent(cells[run, depth], 1) for depth in depths),
        ]
        for run in runs
    ]
    return Table(["run", *(f"top {depth:,}" for depth in depths)], body)


def _runs(found: Unknown, places: int) -> Table:
    heads = ["measure", "run", "ranks", "value", "if none relevant", "if all", "least", "greatest", "bounds"]
    return Table(heads, [_run_row(one, places) for one in found.runs], names=2)


def _run_row(one: RunUnknown, places: int) -> list[str]:
    held = one.between
    numbers = (held.value, held.if_none, held.if_all, held.low, held.high)
    return [
        str(one.measure),
        shown(one.run),
        f"1–{one.depth:,}",
        *(f"{value:.{places}f}" if math.isfinite(value) else "–" for value in numbers),
        held.kind,
    ]


def _pairs(found: Unknown, places: int) -> Table:
    heads = ["measure", "A", "B", "B − A", "if none relevant", "if all", "least", "greatest", "bounds"]
    heads += ["unjudged", "to reverse", "ties"]
    return Table(heads, [_pair_row(one, places) for one in found.pairs], names=3)


def _pair_row(one: PairUnknown, places: int) -> list[str]:
    held = one.between
    numbers = (held.value, held.if_none, held.if_all, held.low, held.high)
    low, high = one.ties.range
    return [
        str(one.measure),
        shown(one.a),
        shown(one.b),
        *(signed(value, places) for value in numbers),
        held.kind,
        f"{one.reversal.open:,}",
        "–" if one.reversal.needed is None else f"{one.reversal.needed:,}",
        f"{signed(low, places)} to {signed(high, places)}" if low < high else "–",
    ]


def _first(one: PairUnknown, places: int) -> Table:
    heads = ["topic", "document", "rank A", "rank B", "moves B − A by"]
    body = [
        [
            shown(document.topic),
            shown(document.document),
            "–" if document.rank_a is None else f"{document.rank_a:,}",
            "–" if document.rank_b is None else f"{document.rank_b:,}",
            signed(document.effect, places),
        ]
        for document in one.reversal.first
    ]
    return Table(heads, body, names=2)


def _row(one: PairUnknown) -> dict[str, Any]:
    """A line of csv: everything but the documents."""
    made = one.to_dict()
    between, ties, turned = made.pop("difference"), made.pop("ties"), made.pop("reversal")
    return (
        made
        | {("difference" if name == "value" else name): value for name, value in between.items()}
        | {"open": turned["open"], "to_reverse": turned["needed"]}
        | {"ties_low": ties["range"][0], "ties_high": ties["range"][1]}
    )
