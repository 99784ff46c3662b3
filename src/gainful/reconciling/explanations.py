"""Explanations of values, and what a search for them found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gainful.reconciling.claimed_values import Claimed
from gainful.reconciling.convention_space import convention
from gainful.reconciling.dialect_readings import Declined, Printed, TieRange
from gainful.reconciling.judged_readings import Outcome

SAME_DIGITS = 5e-6
"""The largest difference of two values of a topic that count as the same number: what rounding to five decimals leaves."""


@dataclass(frozen=True, eq=False)
class Answer:
    """One explanation of the values shown.

    title      the dialect, "gainful" for our own conventions, "" for conventions that no known tool combines so
    printed    for each measure asked for, what is printed there
    outcomes   what that gives on these data
    matched    how many of the values shown it gives, out of `of`
    changes    conventions in which it differs from ours with an effect on these data
    idle       whether it differs in others too, without effect
    same       other dialects that give the same number on every topic
    near       the dialect that it is but for `but`, where that is the shortest way to say it
    but        what is done differently from that dialect
    """

    title: str
    printed: Mapping[str, Printed]
    outcomes: Mapping[str, Outcome]
    matched: int
    of: int
    changes: tuple[str, ...] = ()
    idle: bool = False
    same: tuple[str, ...] = ()
    near: str = ""
    but: str = ""
    order: tuple[float, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether it gives every value shown."""
        return self.matched == self.of

    @property
    def first(self) -> Outcome:
        """What it gives for the first measure asked for."""
        return next(iter(self.outcomes.values()))

    def clauses(self) -> list[str]:
        """What it does differently from us, with an effect here."""
        clauses = []
        for name in self.changes:
            for printed in self.printed.values():
                values = printed.reading.conventions()
                if name in values:
                    clauses.append(convention(name).clause(values[name]))
        return list(dict.fromkeys(clauses))

    def same_numbers(self, other: Answer, within: float = SAME_DIGITS) -> bool:
        """Whether the other gives the same number on every topic."""
        return self.outcomes.keys() == other.outcomes.keys() and all(
            outcome.same(other.outcomes[name], within) for name, outcome in self.outcomes.items()
        )


@dataclass(frozen=True, eq=False)
class Search:
    """What was looked for and found.

    answers   explanations of every value shown, most plausible first: each differs from the others on some topic, and none
              does all that another one does and more
    nearest   explanations that come near, the nearest first
    declined  tools that cannot have printed the values on these data, and why
    by_chance  tools that leave ties to chance, and between which numbers theirs lies
    tried     how many combinations of conventions and measures of tools were computed
    dialects  how many dialects give every value shown
    combined  how many combinations of conventions that no known tool has do, differing on some topic
    """

    claims: Sequence[Claimed]
    ours: Answer
    answers: list[Answer]
    nearest: list[Answer]
    declined: list[Declined] = field(default_factory=list)
    by_chance: dict[str, TieRange] = field(default_factory=dict)
    tried: int = 0
    dialects: int = 0
    combined: int = 0
