"""What is not known of runs and of their differences, as results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.ties import TieRange
from gainful.comparisons.unjudged.reversal import Reversal
from gainful.comparisons.unjudged.thin import Share
from gainful.formats.ids import shown


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

    measure: str
    run: str
    depth: int
    between: Between

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": self.measure,
            "run": shown(self.run),
            "depth": self.depth,
        } | self.between.to_dict()


@dataclass(frozen=True, slots=True)
class PairUnknown:
    """B against A on one measure; open are the documents of both down to the depth.

    biased_against  the run of which so much less is judged that the comparison is biased against it
    """

    measure: str
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
            "measure": self.measure,
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
