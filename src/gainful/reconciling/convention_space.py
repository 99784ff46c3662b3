"""The space of conventions: what tools are known to do differently, as settings of ours and as keywords of measures.

A `Reading` is a point in that space: a measure and the settings under which it is computed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from gainful.dialects.dialect_registry import ABOVE_ZERO
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.measures._gains import Table
from gainful.measures._parse import get

MEASURE = "measure"
"""The name of the convention that is the formula itself: nDCG, or DCG where nothing is divided by the ideal list."""


@dataclass(frozen=True)
class Convention:
    """One thing that tools do differently.

    name     field of `Settings` or keyword of measures
    title    what it is about
    clauses  for each value, what is then done, as a clause of a sentence
    other    the clause for values that are not listed; {} stands for the value
    tried    values that a search tries, where it tries others than those with clauses
    """

    name: str
    title: str
    clauses: Mapping[Any, str]
    other: str = "{}"
    tried: tuple[Any, ...] | None = None

    def clause(self, value: Any) -> str:
        """What is done under this value."""
        if isinstance(value, Table) and value == every_judged(value):
            return "every judged document counts as relevant, whatever its grade"
        text = self.clauses.get(plain_value(value))
        return self.other.format(_number(value)) if text is None else text

    def written(self, value: Any) -> str:
        """The value as it is written in commands and names of measures; "none" and "no" where nothing is done."""
        if isinstance(value, Table) and value == every_judged(value):
            return "all judged"
        plain = plain_value(value)
        if isinstance(plain, bool) or plain is None:
            return {True: "yes", False: "no", None: "none"}[plain]
        return ">0" if plain == ABOVE_ZERO else _number(plain)


@dataclass(frozen=True)
class Divisor(Convention):
    """What a sum is divided by; each measure has divisors of its own."""

    title: str = "divisor"
    name: str = "divisor"
    clauses: Mapping[Any, str] = field(default_factory=dict)


SPACE: tuple[Convention, ...] = (
    Convention(
        MEASURE,
        "normalisation",
        {
            "nDCG": "the discounted gain is divided by that of the ideal list",
            "DCG": "the discounted gain is not divided by that of the ideal list (DCG)",
        },
        "the measure is {}",
        (),
    ),
    Convention(
        "drop_self",
        "documents of the topic's own id",
        {
            False: "documents of the topic's own id stay in the list",
            True: "documents of the topic's own id are taken out",
        },
    ),
    Convention(
        "duplicates",
        "copies of a document",
        {
            "error": "a document that occurs twice is an error",
            "first": "of the copies of a document the first counts",
            "best": "of the copies of a document the best scored one counts",
            "counted": "every copy of a document counts",
            "once": "copies of a document keep their ranks, and the first is credited",
        },
        tried=("first", "best", "counted", "once"),
    ),
    Convention(
        "ties",
        "ties",
        {
            "docid": "tied documents are ordered by id, descending",
            "ascending": "tied documents are ordered by id, ascending",
            "input": "tied documents stay in the order given",
            "reverse": "tied documents are in the reverse of the order given",
            "best": "of tied documents the better ones come first",
            "worst": "of tied documents the worse ones come first",
            "expected": "tied documents are averaged over all their orders",
        },
    ),
    Convention(
        "scores",
        "precision of scores",
        {"64": "scores are compared in 64 bits", "32": "scores are compared in 32 bits"},
    ),
    Convention(
        "pool",
        "what there was to find",
        {
            "judged": "every judged document counts as there to be found",
            "retrieved": "only the documents in the list count as there to be found",
        },
    ),
    Convention(
        "gain",
        "gain",
        {
            "linear": "the gain is the grade",
            "exp": "the gain is 2^grade − 1",
            "binary": "the gain is 1 for every relevant document",
            "signed": "the gain is the grade, and negative grades cost",
            "signed_exp": "the gain is 2^grade − 1, and negative grades cost",
        },
        "the gain is {}",
    ),
    Convention(
        "ideal",
        "ideal list",
        {
            "judged": "the ideal list is of all judged documents, cut as the list is",
            "retrieved": "the ideal list is of the retrieved documents only",
            "hits": "the ideal list is no longer than the list returned",
            "uncut": "the ideal list is not cut at the cutoff",
        },
    ),
    Convention(
        "discount",
        "discount",
        {
            "log": "the discount is log2(rank + 1)",
            "jk": "the discount is max(1, log2 rank)",
        },
        "the discount is {}",
    ),
    Divisor(
        clauses={
            "relevant": "the sum is divided by all relevant documents",
            "min": "the sum is divided by the relevant documents, at most as many as the cutoff",
            "retrieved": "the sum is divided by the documents that were found",
            "cutoff": "the sum is divided by the cutoff",
        }
    ),
    Convention(
        "rel",
        "lowest relevant grade",
        {
            ABOVE_ZERO: "documents of any grade above 0 are relevant",
            0: "every judged document is relevant, whatever its grade",
        },
        "documents are relevant from grade {} on",
        (1, ABOVE_ZERO, 0, 2, 3),
    ),
    Convention("cutoff", "cutoff", {None: "the measure has no cutoff"}, "the measure is cut at rank {}", ()),
    Convention("depth", "depth", {None: "lists are whole"}, "lists are cut at rank {}", ()),
    Convention(
        "unjudged",
        "unjudged documents",
        {
            "nonrelevant": "unjudged documents are not relevant",
            "condense": "unjudged documents are taken out of the list",
        },
        tried=(),
    ),
    Convention(
        "missing",
        "missing topics",
        {
            "empty": "judged topics that the run lacks count as empty lists",
            "skip": "judged topics that the run lacks are left out",
        },
    ),
    Convention(
        "undefined",
        "topics with nothing relevant",
        {
            "keep": "topics with nothing relevant count as the measure defines them",
            "skip": "topics with nothing relevant are left out",
            "0": "topics with nothing relevant count as 0",
            "1": "topics with nothing relevant count as 1",
            "nan": "topics with nothing relevant have no value (NaN)",
        },
        tried=("keep", "skip", "1"),
    ),
    Convention(
        "round_topics",
        "rounding of topics",
        {None: "the values of topics are not rounded"},
        "the value of each topic is rounded to {} decimals before the mean",
        (None, 5, 2),
    ),
    Convention(
        "round_mean",
        "rounding of the mean",
        {None: "the mean is not rounded"},
        "the mean is rounded to {} decimals",
        (),
    ),
    Convention(
        "round_halves",
        "halves in rounding",
        {
            "stored": "halves are rounded as C and Python do",
            "up": "halves are rounded up",
        },
        tried=(),
    ),
)
"""Conventions in the order in which sentences name them."""

BY_NAME = {convention.name: convention for convention in SPACE}
OF_SETTINGS = tuple(field_.name for field_ in fields(Settings) if field_.name != "rel")
"""Conventions that are settings; the lowest relevant grade is a keyword of measures."""


def convention(name: str) -> Convention:
    """The convention of that name; one that is not in the space is a keyword of few measures, and speaks for itself."""
    return BY_NAME.get(name) or Convention(name, name, {}, f"{name} is {{}}", ())


@dataclass(frozen=True)
class Reading:
    """A measure and the settings under which it is computed.

    >>> from gainful.measures import parse
    >>> ours = Reading(parse("nDCG@10"), Settings())
    >>> ours.switched({"gain": "exp", "ties": "input"}).measure
    nDCG(gain=exp)@10
    """

    measure: Measure
    settings: Settings

    def conventions(self) -> dict[str, Any]:
        """The value of every convention that it has."""
        of_settings = {name: getattr(self.settings, name) for name in OF_SETTINGS}
        return {MEASURE: self.measure.name, **self.measure.params, **of_settings}

    def differing(self, other: Reading) -> list[str]:
        """Names of the conventions in which another differs, in the order of the space."""
        mine, others = self.conventions(), other.conventions()
        names = [
            name for name in mine if name in others and plain_value(mine[name]) != plain_value(others[name])
        ]
        order = {convention.name: place for place, convention in enumerate(SPACE)}
        return sorted(names, key=lambda name: order.get(name, len(order)))

    def switched(self, values: Mapping[str, Any]) -> Reading:
        """The reading with other values of some conventions."""
        settings = replace(
            self.settings, **{name: value for name, value in values.items() if name in OF_SETTINGS}
        )
        measure = self.measure
        if values.get(MEASURE, measure.name) != measure.name:
            base = get(values[MEASURE])
            shared = {
                name: value for name, value in measure.params.items() if name in base.definition.parameters
            }
            measure = base(**shared) if shared else base
        keywords = {
            name: value
            for name, value in values.items()
            if name in measure.params and name not in OF_SETTINGS
        }
        return Reading(measure(**keywords) if keywords else measure, settings)

    def towards(self, other: Reading, names: Collection[str]) -> Reading:
        """The reading with the other's values of these conventions."""
        theirs = other.conventions()
        base = other.measure if MEASURE in names else self.measure
        switched = Reading(base, self.settings)
        mine = {name: value for name, value in self.measure.params.items() if name in base.params}
        chosen = {name: theirs[name] for name in names if name != MEASURE}
        return switched.switched({**mine, **chosen})


def every_judged(grades: Table | Iterable[float]) -> Table:
    """The gain under which every judged document is worth the same: what a tool does that takes judged for relevant."""
    listed = [grade for grade, _ in grades.gains] if isinstance(grades, Table) else grades
    return Table({float(grade): 1 for grade in listed})


def plain_value(value: Any) -> Any:
    """A value as it is compared: gains and discounts by their names."""
    named = getattr(value, "name", None)
    return named if isinstance(named, str) else value


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
