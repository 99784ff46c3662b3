"""What moved, as results: topics, and the documents credited with the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gainful.formats.ids import shown


@dataclass(frozen=True, slots=True)
class Credit:
    """A document's part of the difference on a topic; a rank is None where a run does not have it, or below the cutoff."""

    document: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None
    part: float

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "document": shown(self.document),
            "grade": self.grade,
            "rank_a": self.rank_a,
            "rank_b": self.rank_b,
            "part": self.part,
        }


@dataclass(frozen=True, slots=True)
class TopicMoved:
    """A topic on which two systems differ.

    documents  what makes the difference, the largest part first; empty where no runs were given
    rest       the part of all other documents; with those of `documents` it sums to the difference
    """

    topic: str
    a: float
    b: float
    documents: tuple[Credit, ...] = ()
    rest: float | None = None

    @property
    def difference(self) -> float:
        """B − A."""
        return self.b - self.a

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "topic": shown(self.topic),
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "documents": [one.to_dict() for one in self.documents],
            "rest": self.rest,
        }


@dataclass(frozen=True, slots=True)
class PairMoved:
    """The topics on which B gained most over A, and those on which it lost most; to gain is to get better.

    concentrated  topics, the largest changes in the direction of the mean first, that make up half of all such changes;
                  None where there is no difference
    """

    measure: str
    a: str
    b: str
    difference: float
    gained: tuple[TopicMoved, ...]
    lost: tuple[TopicMoved, ...]
    topics: int
    concentrated: int | None

    def sentence(self) -> str:
        """How far the difference hangs on few topics."""
        if self.concentrated is None:
            return f"{self.measure}: {shown(self.b)} and {shown(self.a)} have the same mean."
        several = "1 topic makes" if self.concentrated == 1 else f"{self.concentrated:,} topics make"
        return (
            f"{self.measure}, {shown(self.b)} − {shown(self.a)}: {several} up half of what moved in the "
            f"direction of the mean, of {self.topics:,} topics."
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": self.measure,
            "a": shown(self.a),
            "b": shown(self.b),
            "difference": self.difference,
            "topics": self.topics,
            "concentrated": self.concentrated,
            "gained": [one.to_dict() for one in self.gained],
            "lost": [one.to_dict() for one in self.lost],
        }
