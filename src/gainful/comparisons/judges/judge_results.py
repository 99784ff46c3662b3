"""Results of several judges: scores under each, how far they agree, and whether the order of systems survives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gainful.comparisons.judges.agreement import Agreement
from gainful.comparisons.judges.topic_estimates import Chance, Estimate
from gainful.comparisons.score_table import System
from gainful.formats.ids import shown
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.text_style import counted, signed


@dataclass(frozen=True, slots=True, repr=False)
class SystemScores(Brief):
    """One system on one measure, under each judge.

    merged     under judges merged into one, where that was asked for
    deviation  standard deviation over judges (divided by one less than there are)
    """

    measure: Measure
    system: str
    by_judge: Mapping[str, float]
    merged: Mapping[str, float]
    mean: float
    lowest: float
    highest: float
    deviation: float

    @classmethod
    def of(
        cls, measure: Measure, system: str, by_judge: Mapping[str, float], merged: Mapping[str, float]
    ) -> SystemScores:
        """From the means under each judge."""
        values = np.array([*by_judge.values()])
        return cls(
            measure,
            system,
            by_judge,
            merged,
            float(values.mean()),
            float(values.min()),
            float(values.max()),
            float(values.std(ddof=1)),
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "system": shown(self.system),
            "by_judge": {shown(judge): value for judge, value in self.by_judge.items()},
            "merged": dict(self.merged),
            "mean": self.mean,
            "lowest": self.lowest,
            "highest": self.highest,
            "deviation": self.deviation,
        }


@dataclass(frozen=True, slots=True)
class OrderPair:
    """The orders of the systems under two judges.

    swaps  pairs of systems that the two put in opposite orders, the first judge's better one first
    """

    measure: Measure
    first: str
    second: str
    tau_b: Estimate
    tau_ap: Estimate
    swaps: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "first": shown(self.first),
            "second": shown(self.second),
            "tau_b": self.tau_b.to_dict(),
            "tau_ap": self.tau_ap.to_dict(),
            "swaps": [[shown(system) for system in pair] for pair in self.swaps],
        }


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems on one measure: B − A under each judge.

    better     the one that all judges prefer; None where they differ, or one has the two equal
    split      whether some judge prefers the one and some judge the other
    unanimous  share of the resamples of topics in which all judges prefer the same one; None for one topic
    """

    measure: Measure
    a: str
    b: str
    differences: Mapping[str, float]
    better: str | None
    split: bool
    unanimous: float | None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "differences": {shown(judge): value for judge, value in self.differences.items()},
            "better": None if self.better is None else shown(self.better),
            "split": self.split,
            "unanimous": self.unanimous,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Orders(Brief):
    """Whether the order of systems survives a change of judge, on one measure.

    tau_b, tau_ap  means over the pairs of judges
    """

    measure: Measure
    systems: int
    topics: int
    tau_b: Estimate
    tau_ap: Estimate
    pairs: tuple[OrderPair, ...]
    of_systems: tuple[SystemPair, ...]

    @property
    def surviving(self) -> int:
        """Pairs of judges that swap no two systems, neither having all systems equal."""
        return sum(not pair.swaps and not math.isnan(pair.tau_b.value) for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "systems": self.systems,
            "topics": self.topics,
            "tau_b": self.tau_b.to_dict(),
            "tau_ap": self.tau_ap.to_dict(),
            "surviving": self.surviving,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "of_systems": [pair.to_dict() for pair in self.of_systems],
        }


@dataclass(frozen=True, eq=False)
class Judges:
    """Systems under several judges.

    topics     those that every judge judged, and that count for every system: scores and orders are over these
    orders     one for each measure; none where there is a single system
    documents  "all" that each judge judged were scored with, or only the "common" ones
    """

    names: tuple[str, ...]
    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    scores: tuple[SystemScores, ...]
    agreement: Agreement
    orders: tuple[Orders, ...]
    settings: Settings
    digests: Mapping[str, str]
    documents: str
    merged: tuple[str, ...]
    chance: Chance
    notes: tuple[str, ...]

    def of(self, measure: str | Measure) -> tuple[SystemScores, ...]:
        """The systems' scores on one measure."""
        return tuple(scores for scores in self.scores if str(scores.measure) == str(measure))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Agreement and the orders by each measure, in sentences."""
        return tuple(sentences(self))

    def stated(self) -> str:
        """The judges, topics, intervals and settings, in a line."""
        parts = [
            f"{len(self.names)} judges, {counted(len(self.topics), 'topic')} that all judged",
            f"intervals {self.chance.percent}, {self.chance.resamples:,} resamples of topics, seed {self.chance.seed}",
            f"relevant from grade {self.agreement.rel:g}",
        ]
        parts += ["only documents that all judged"] if self.documents == "common" else []
        return " · ".join([*parts, self.settings.stated()])

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": self.settings.to_dict(),
            "judges": [{"name": shown(name), "digest": self.digests[name]} for name in self.names],
            "systems": [system.to_dict() for system in self.systems],
            "topics": len(self.topics),
            "documents": self.documents,
            "merged": list(self.merged),
            "resamples": self.chance.resamples,
            "seed": self.chance.seed,
            "confidence": self.chance.confidence,
            "scores": [scores.to_dict() for scores in self.scores],
            "agreement": self.agreement.to_dict(),
            "orders": [orders.to_dict() for orders in self.orders],
            "sentences": list(self.sentences),
            "notes": list(map(str, self.notes)),
        }

    def __repr__(self) -> str:
        return f"Judges({len(self.names)} judges, {len(self.systems)} systems: {', '.join(map(str, self.measures))})"

    def _repr_html_(self) -> str:
        from gainful.comparisons.judges.judge_tables import as_html

        return as_html(self)


_NAMED = 6
"""Swaps up to which each gets a sentence."""
_ROUNDING = 1e-9


def sentences(judges: Judges) -> Iterator[str]:
    """Agreement, then the orders by each measure, in sentences."""
    yield judges.agreement.sentence()
    for orders in judges.orders:
        yield _survival(orders, judges.chance)
        yield from _swaps(orders)


def _survival(orders: Orders, chance: Chance) -> str:
    """Whether the order of systems survives a change of judge, in a sentence.

    >>> from gainful.comparisons.judges.topic_estimates import Estimate
    >>> from gainful.comparisons.judges.judge_results import OrderPair
    >>> from gainful.measures import AP
    >>> tau = Estimate(1.0, 0.5, 1.0)
    >>> one = OrderPair(AP, "ann", "ben", tau, tau, ())
    >>> print(_survival(Orders(AP, 3, 50, tau, tau, (one,), ()), Chance()))
    AP: the order of the 3 systems survives the change from ann to ben (tau 1.00, 95 % 0.50 to 1.00).
    """
    tau = f"tau {orders.tau_b.stated(chance, open=', ', close='')}"
    subject = f"{orders.measure}: the order of the {orders.systems} systems"
    if len(orders.pairs) == 1:
        pair = orders.pairs[0]
        first, second = shown(pair.first), shown(pair.second)
        if math.isnan(pair.tau_b.value):
            return f"{subject} cannot be compared between {first} and {second} ({tau})."
        survives = "survives" if orders.surviving else "does not survive"
        tied = orders.surviving and pair.tau_b.value < 1 - _ROUNDING
        but = ", except for systems that are tied under one of them" if tied else ""
        return f"{subject} {survives} the change from {first} to {second}{but} ({tau})."
    return f"{subject} survives in {orders.surviving} of {len(orders.pairs)} pairs of judges (mean {tau})."


def _swaps(orders: Orders) -> Iterator[str]:
    """Pairs of systems on which judges differ, those most often agreed upon last."""
    split = [pair for pair in orders.of_systems if pair.split]
    split.sort(key=lambda pair: 0 if pair.unanimous is None else pair.unanimous)
    for pair in split[:_NAMED]:
        a, b = shown(pair.a), shown(pair.b)
        said = ", ".join(f"{shown(judge)} {signed(value)}" for judge, value in pair.differences.items())
        yield f"{orders.measure}: judges differ on {a} and {b} ({b} minus {a}: {said})."
    if len(split) > _NAMED:
        yield f"{orders.measure}: judges differ on {counted(len(split) - _NAMED, 'more pair')} of systems."
