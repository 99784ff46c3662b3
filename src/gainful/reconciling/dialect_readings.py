"""Dialects as readings: what each tool may have printed under the name of a measure, or why it cannot have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from gainful.dialects import Dialect, Spelled, every
from gainful.dialects.dialect_registry import HOLE, Column
from gainful.dialects.dialect_scores import check_grades, check_ideal
from gainful.errors import GainfulError
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.reconciling.claimed_values import Claimed
from gainful.reconciling.convention_space import Reading, plain_value
from gainful.reconciling.judged_readings import JudgedReadings, Outcome

POPULAR = (
    *(
        "trec-eval",
        "pytrec-eval",
        "beir",
        "mteb",
        "scikit-learn",
        "sentence-transformers",
        "ir-measures",
        "ranx",
    ),
    *("ms-marco", "lightgbm", "xgboost", "elasticsearch", "llama-index", "haystack", "mlflow", "ragas"),
    *("torchmetrics", "spark", "opensearch", "catboost", "gdeval", "quepid", "tf-ranking", "rax", "cwl-eval"),
    "ntcireval",
)
"""Tools whose numbers are met most often first: of two that print the same digits, the earlier is the likelier."""

IN_32_BITS = {"rax", "torchmetrics", "tf-ranking"}
"""Tools that compute in 32 bits: their numbers agree with ours to about 1e-6."""

WHOLE_LISTS = {"P": "SetP", "R": "SetR"}
"""What a measure with a cutoff is in a tool that has none, whose caller cuts the lists."""

NO_CUTOFF = 1_000_000_000
"""A cutoff from which on it is none."""

OURS = "gainful"
"""What our own conventions are called among the dialects."""


@dataclass(frozen=True)
class Printed:
    """A measure that a tool may have printed.

    name    as the tool spells it
    depth   the rank at which the caller cut the lists, in tools that have no cutoff
    usual   whether it is what the tool prints unless it is told otherwise
    exact   whether the name that was asked for is the tool's own spelling
    """

    name: str
    reading: Reading
    depth: int | None = None
    usual: bool = True
    exact: bool = False
    spelled: Spelled | None = None


@dataclass(frozen=True)
class Declined:
    """A tool that cannot have printed a number on these data, and why."""

    title: str
    reason: str


def printed_by(dialect: Dialect, claimed: Claimed) -> list[Printed]:
    """The measures that a tool may have printed under this name, the likeliest first."""
    wanted = claimed.measure
    usual = [column.spelled for column in dialect.columns()]
    cuts = any(HOLE in spelled.name for spelled in dialect.measures)
    found: list[Printed] = []
    for spelled in dialect.measures:
        cutoff = spelled.cutoff_in(claimed.name)
        exact = cutoff is not None and spelled.name.replace(HOLE, cutoff) == claimed.name
        meant = list(_meant(spelled, wanted, cutoff, cuts=cuts))
        if not meant and wanted.cutoff is None and HOLE in spelled.name:
            shown = [column for column in dialect.columns() if column.spelled is spelled]
            meant = [(column, None) for column in shown if _alike(wanted, column.measure)]
        for column, depth in meant:
            settings = replace(dialect.settings_of(spelled), depth=depth)
            cut_unasked = wanted.cutoff is None and column.measure.cutoff is not None and cutoff is None
            found.append(
                Printed(
                    column.name,
                    Reading(_with_level(column.measure, settings), settings),
                    depth,
                    spelled in usual and wanted.name == column.measure.name and not cut_unasked,
                    exact and claimed.name != str(wanted),
                    spelled,
                )
            )
    if not any(printed.usual for printed in found):
        found[:1] = [
            replace(printed, usual=wanted.name == printed.reading.measure.name) for printed in found[:1]
        ]
    return sorted(found, key=lambda printed: (not printed.exact, not printed.usual))


def _with_level(measure: Measure, settings: Settings) -> Measure:
    return measure(rel=settings.rel) if settings.rel is not None and measure.leaves("rel") else measure


def _meant(
    spelled: Spelled, wanted: Measure, cutoff: str | None, *, cuts: bool
) -> Iterator[tuple[Column, int | None]]:
    """The measure of a tool that may be the wanted one, and the depth to which its caller cuts lists."""
    if cutoff is not None:
        yield spelled.at(cutoff), None
        return
    at = "" if wanted.cutoff is None else str(wanted.cutoff)
    column = spelled.at(at or "1")
    if (HOLE in spelled.name) == bool(at) and _alike(wanted, column.measure):
        yield spelled.at(at), None
    elif at and column.measure.cutoff == wanted.cutoff and _alike(wanted, column.measure):
        yield spelled.at(""), None  # a cutoff that the tool's name does not tell, such as XGBoost's 32
    elif not cuts and at and HOLE not in spelled.name:
        whole = wanted.name == column.measure.name and (column.measure.cutoff or NO_CUTOFF) >= NO_CUTOFF
        if whole or WHOLE_LISTS.get(wanted.name) == column.measure.name:
            yield spelled.at(""), wanted.cutoff


def _alike(wanted: Measure, other: Measure) -> bool:
    """Whether the other may be meant: what the wanted measure says holds there; DCG may be printed as nDCG."""
    if wanted.name == "nDCG" and other.name == "DCG":
        gain = wanted.params["gain"] if not wanted.leaves("gain") else other.params["gain"]
        return bool(other.params["gain"] == gain)
    return wanted.leads_to(other)


def plausibility(dialect: Dialect, printed: Printed) -> tuple[float, ...]:
    """A key for sorting: names that are spelled exactly so, then what tools print unless told otherwise, then popularity."""
    place = POPULAR.index(dialect.name) if dialect.name in POPULAR else len(POPULAR)
    versions = [each.title for each in every() if each.name == dialect.name]
    newer = versions.index(dialect.title) if dialect.title in versions else 0
    return (not printed.exact, not printed.usual, place, newer)


def outcome_of(dialect: Dialect, printed: Printed, readings: JudgedReadings) -> Outcome | str:
    """What the tool prints, or why it prints nothing on these data."""
    try:
        if printed.spelled is not None:
            column = Column(printed.name, printed.reading.measure, printed.spelled)
            check_grades(dialect, [column], readings.judgments)
            check_ideal(dialect, [column], readings.judgments)
        outcome = readings.outcome(printed.reading)
    except GainfulError as declined:
        return str(declined)
    _, undefined = readings.topic_values(printed.reading)
    if dialect.stops_at_undefined and (undefined & outcome.counts).any():
        return "it stops at topics with nothing relevant"
    return outcome


@dataclass(frozen=True)
class TieRange:
    """The least and the greatest number that a tool may print under a name, where it leaves tied documents to chance."""

    name: str
    low: float
    high: float


def left_to_chance(printed: Printed, readings: JudgedReadings) -> TieRange | None:
    """What a tool may print that leaves tied documents to chance; None where no ties decide."""
    if printed.spelled is None or not printed.spelled.no_rule or not readings.tied:
        return None
    low, high = (readings.outcome(printed.reading.switched({"ties": ties})) for ties in ("worst", "best"))
    return None if low.same(high) else TieRange(printed.name, low.mean, high.mean)


@cache
def known_values() -> frozenset[tuple[str, str]]:
    """Every value of a convention that a known tool has, by the name of the convention."""
    return frozenset(
        (name, str(plain_value(value)))
        for dialect in every()
        for spelled in dialect.measures
        for name, value in Reading(spelled.at("10").measure, dialect.settings_of(spelled))
        .conventions()
        .items()
    )


def cut_by_measure(printed: Printed, wanted: Measure, readings: JudgedReadings) -> Printed:
    """What is printed of lists that the caller cut, with the cutoff in the measure instead, where that is the same.

    The ideal list of nDCG is then not cut: the tool never knew of the cutoff.
    """
    reading = printed.reading
    if printed.depth is None or "cutoff" not in wanted.params:
        return printed
    keywords = {name: value for name, value in reading.measure.params.items() if name in wanted.params}
    keywords |= {"cutoff": printed.depth}
    keywords |= {"ideal": "uncut"} if keywords.get("ideal") == "judged" else {}
    cut = Reading(wanted(**keywords), replace(reading.settings, depth=None))
    same = readings.outcome(cut).same(readings.outcome(reading))
    return replace(printed, reading=cut) if same else printed
