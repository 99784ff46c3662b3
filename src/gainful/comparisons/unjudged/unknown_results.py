"""What is not known of runs and of their differences: shares judged, bounds, reversals; and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.comparison_notes import TieRange
from gainful.comparisons.comparison_tables import evaluated
from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.reversals import LEAST, MOST, Reversal
from gainful.formats.ids import shown
from gainful.judging.notes import SHARES_DIFFER
from gainful.measures import Measure
from gainful.presentation.page import Brief, OutputSection
from gainful.presentation.table import Table
from gainful.presentation.text_style import percent, signed

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
    """The share of judged documents in one run down to a rank, all topics together."""
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


@dataclass(frozen=True, slots=True, repr=False)
class RunUnknown(Brief):
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


@dataclass(frozen=True, slots=True, repr=False)
class PairUnknown(Brief):
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


@dataclass(frozen=True, eq=False, repr=False)
class Unknown(Brief):
    """What is not known of a comparison."""

    comparison: Comparison
    shares: tuple[Share, ...]
    runs: tuple[RunUnknown, ...]
    pairs: tuple[PairUnknown, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "shares": [share.to_dict() for share in self.shares],
            "runs": [run.to_dict() for run in self.runs],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


_TALKATIVE = 6
"""Pairs up to which each gets a sentence, and a list of what to judge first; of more, only problems are reported."""


def of_unknown(unknowns: Unknown, *, places: int = 4) -> OutputSection:
    """Shares judged, bounds, reversals, ties, and what to judge first."""
    tables = [("share of the top ranks that is judged", _shares(unknowns))]
    if unknowns.runs:
        tables.append(
            ("bounds of each run, over possible grades of its unjudged documents", _runs(unknowns, places))
        )
    if unknowns.pairs:
        tables.append(
            (
                "bounds of each difference, over possible grades of unjudged documents",
                _pairs(unknowns, places),
            )
        )
    tables += [
        (f"judge first: {pair.measure}, A {shown(pair.a)}, B {shown(pair.b)}", _first(pair, places))
        for pair in unknowns.pairs
        if pair.reversal.first and len(unknowns.pairs) <= _TALKATIVE
    ]
    return OutputSection(
        "What is not known",
        tables,
        [line for pair in unknowns.pairs for line in sentences(pair, brief=len(unknowns.pairs) > _TALKATIVE)],
        "bounds are over all judgments of the documents named, from grade 0 to the best grade; "
        "a document in both runs has one grade" + evaluated(unknowns.comparison.table),
        [_row(pair) for pair in unknowns.pairs],
        {"unknown": unknowns.to_dict()},
        unknowns.notes,
    )


def sentences(pair: PairUnknown, *, brief: bool = False, reversals: bool = True) -> list[str]:
    """What the difference of one pair depends on, in sentences.

    brief      reports problems only
    reversals  whether to say how many unjudged documents would reverse the sign of the difference
    """
    a, b = shown(pair.a), shown(pair.b)
    low, high = pair.between.low, pair.between.high
    difference = f"{pair.measure}, {b} − {a}"
    lines = []
    if pair.biased_against is not None:
        lines.append(
            f"{difference}: {100 * pair.judged_a:.0f} % of the top {pair.depth:,} of {a} is judged, "
            f"{100 * pair.judged_b:.0f} % of {b}'s; "
            f"the comparison is biased against {shown(pair.biased_against)}."
        )
    if brief:
        pass
    elif pair.reversal.open == 0:
        lines.append(f"{difference}: everything in the top {pair.depth:,} of both is judged.")
    else:
        between = f"between {signed(low)} and {signed(high)}" if math.isfinite(low) else "anywhere"
        turned = f"; {_reversed(pair)}" if reversals else ""
        lines.append(
            f"{difference} is {signed(pair.between.value)}, and lies {between} once the {_unjudged(pair.reversal.open)} in "
            f"the top {pair.depth:,} of the two {'is' if pair.reversal.open == 1 else 'are'} judged{turned}."
        )
    if pair.ties.decides:
        least, most = pair.ties.range
        lines.append(
            f"{difference}: the order of tied scores decides who is ahead; it can be from {signed(least)} to {signed(most)}."
        )
    return lines


def _reversed(pair: PairUnknown) -> str:
    needed, certain = pair.reversal.needed, _certain(pair)
    if abs(pair.between.value) <= LEAST:
        parted = "none of them" if needed is None else f"{needed:,} of them"
        return f"{parted}, if relevant, would break the tie"
    if needed is not None:
        return f"{needed:,} of them, if relevant, would reverse its sign"
    if certain:
        return "its sign cannot change"
    choice = f"no {MOST:,} of them" if pair.reversal.open > MOST else "no choice of them"
    return f"{choice} was found that would reverse its sign"


def _certain(pair: PairUnknown) -> bool:
    value = pair.between.value
    return (value > 0 and pair.between.low > 0) or (value < 0 and pair.between.high < 0)


def _unjudged(number: int) -> str:
    return f"{number:,} unjudged document{'' if number == 1 else 's'}"


def _shares(unknowns: Unknown) -> Table:
    depths = sorted({share.depth for share in unknowns.shares})
    runs = dict.fromkeys(share.run for share in unknowns.shares)
    cells = {(share.run, share.depth): share.share for share in unknowns.shares}
    body = [
        [
            shown(run),
            *(percent(cells[run, depth], 1) for depth in depths),
        ]
        for run in runs
    ]
    return Table(["run", *(f"top {depth:,}" for depth in depths)], body)


def _runs(unknowns: Unknown, places: int) -> Table:
    heads = ["measure", "run", "ranks", "value", "if none relevant", "if all", "least", "greatest", "bounds"]
    return Table(heads, [_run_row(run, places) for run in unknowns.runs], names=2)


def _run_row(run: RunUnknown, places: int) -> list[str]:
    bounds = run.between
    numbers = (bounds.value, bounds.if_none, bounds.if_all, bounds.low, bounds.high)
    return [
        str(run.measure),
        shown(run.run),
        f"1–{run.depth:,}",
        *(f"{value:.{places}f}" if math.isfinite(value) else "–" for value in numbers),
        bounds.kind,
    ]


def _pairs(unknowns: Unknown, places: int) -> Table:
    heads = ["measure", "A", "B", "B − A", "if none relevant", "if all", "least", "greatest", "bounds"]
    heads += ["unjudged", "to reverse", "ties"]
    return Table(heads, [_pair_row(pair, places) for pair in unknowns.pairs], names=3)


def _pair_row(pair: PairUnknown, places: int) -> list[str]:
    bounds = pair.between
    numbers = (bounds.value, bounds.if_none, bounds.if_all, bounds.low, bounds.high)
    low, high = pair.ties.range
    return [
        str(pair.measure),
        shown(pair.a),
        shown(pair.b),
        *(signed(value, places) for value in numbers),
        bounds.kind,
        f"{pair.reversal.open:,}",
        "–" if pair.reversal.needed is None else f"{pair.reversal.needed:,}",
        f"{signed(low, places)} to {signed(high, places)}" if low < high else "–",
    ]


def _first(pair: PairUnknown, places: int) -> Table:
    heads = ["topic", "document", "rank A", "rank B", "moves B − A by"]
    body = [
        [
            shown(document.topic),
            shown(document.document),
            "–" if document.rank_a is None else f"{document.rank_a:,}",
            "–" if document.rank_b is None else f"{document.rank_b:,}",
            signed(document.effect, places),
        ]
        for document in pair.reversal.first
    ]
    return Table(heads, body, names=2)


def _row(pair: PairUnknown) -> dict[str, Any]:
    """A line of csv: everything but the documents."""
    fields = pair.to_dict()
    between, ties, turned = fields.pop("difference"), fields.pop("ties"), fields.pop("reversal")
    return (
        fields
        | {("difference" if name == "value" else name): value for name, value in between.items()}
        | {"open": turned["open"], "to_reverse": turned["needed"]}
        | {"ties_low": ties["range"][0], "ties_high": ties["range"][1]}
    )
