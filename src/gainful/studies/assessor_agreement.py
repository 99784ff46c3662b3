"""How far the assessors of a study agree: all together, by pair, by grade, by topic and by assessor, with their bias."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gainful.comparisons.judges.agreement import Agreement, agreement_of
from gainful.comparisons.judges.agreement_coefficients import Level, Share, alpha, summed
from gainful.comparisons.judges.judge_files import Items
from gainful.comparisons.judges.judge_tables import agreement_grid, together_grid
from gainful.comparisons.judges.topic_estimates import Chance, Estimate, estimates
from gainful.formats.ids import in_order, shown
from gainful.formats.judgments import read_qrels
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed, signed
from gainful.studies.collected_answers import Collected
from gainful.studies.preference_order import implied_order
from gainful.studies.study_folder import Pair

_NOBODY = "no document was graded by another assessor too"
_PLACES = 2


@dataclass(frozen=True)
class GradeAgreement:
    """How surely one grade is given again: of two assessors of a document one of whom gave it, so often did the other.

    given   how often it was given to documents with two assessors or more
    same    2 · both / (either + both), over pairs of assessors; NaN where it was never given
    """

    grade: int
    label: str
    given: int
    same: float


@dataclass(frozen=True)
class TopicAgreement:
    """A topic: documents with two assessors or more, the share of pairs of assessors with the same grade, and alpha."""

    topic: str
    shared: int
    same: float
    alpha: float


@dataclass(frozen=True)
class AssessorBias:
    """An assessor beside the others.

    graded    documents graded, without practice
    mean      their mean grade
    shared    those that others graded too
    bias      mean difference from the mean of the others there: above 0 is lenient, below 0 strict
    practice  documents graded whose grade was known
    known     mean difference from the known grades
    same      share of the known grades that were met
    """

    assessor: str
    graded: int
    mean: float
    shared: int
    bias: Estimate
    practice: int
    known: float
    same: float


@dataclass(frozen=True)
class OrderAgreement:
    """Two assessors who compared documents.

    pairs  of documents that both have ordered, by comparing them or because it follows
    same   share of these that both ordered alike, ties included
    """

    first: str
    second: str
    pairs: int
    same: float


@dataclass(frozen=True, eq=False)
class AssessorAgreement:
    """The agreement of a study's assessors; `together` is None where fewer than two have graded anything."""

    together: Agreement | None
    grades: tuple[GradeAgreement, ...]
    topics: tuple[TopicAgreement, ...]
    assessors: tuple[AssessorBias, ...]
    orders: tuple[OrderAgreement, ...] = ()

    def tables(self) -> list[tuple[str, Table]]:
        """Tables for people, each with a line above it."""
        listed = []
        if self.orders:
            listed.append(("Agreement of preferences", _order_table(self.orders)))
        if any(row.graded or row.practice for row in self.assessors):
            listed.append(("Assessors", _assessor_table(self.assessors)))
        if self.together is not None and self.together.shared:
            listed += [
                ("Agreement of all assessors", together_grid(self.together, _PLACES)),
                ("Agreement by pair", agreement_grid(self.together, _PLACES)),
                ("Agreement by grade", _grade_table(self.grades)),
                ("Agreement by topic", _topic_table(self.topics)),
            ]
        return listed

    def sentence(self) -> str:
        """How far the assessors agree, in a sentence."""
        if self.orders:
            pairs, same = (
                sum(row.pairs for row in self.orders),
                sum(row.pairs * row.same for row in self.orders),
            )
            return f"Assessors order {fixed(same / pairs, _PLACES)} of {pairs:,} pairs of documents alike."
        if self.together is None:
            return "Agreement is not known: fewer than two assessors have graded documents."
        return self.together.sentence().replace(" judges, ", " assessors, ", 1)

    def line(self) -> str:
        """How far the assessors agree, in a line."""
        if self.orders or self.together is None or not self.together.shared:
            return self.sentence()
        together = self.together
        if math.isnan(together.alpha.value):
            return self.sentence()
        return (
            f"Agreement: Krippendorff's alpha {together.alpha.stated(together.chance)} on {together.shared:,} shared "
            f"document{'' if together.shared == 1 else 's'}."
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "agreement": None if self.together is None else self.together.to_dict(),
            "by_order": [
                vars(row) | {"first": shown(row.first), "second": shown(row.second)} for row in self.orders
            ],
            "by_grade": [vars(row) for row in self.grades],
            "by_topic": [vars(row) | {"topic": shown(row.topic)} for row in self.topics],
            "by_assessor": [
                vars(row) | {"assessor": shown(row.assessor), "bias": row.bias.to_dict()}
                for row in self.assessors
            ],
        }


def assessor_agreement(
    collected: Collected, *, rel: float = 1, level: Level = "ordinal", chance: Chance | None = None
) -> AssessorAgreement:
    """How far assessors agree on the documents that several of them graded.

    rel    lowest grade that is relevant
    level  of Krippendorff's alpha: grades are in order, mere names, or numbers
    """
    chance = chance or Chance()
    shared = {pair: said for pair, said in collected.cells.items() if len(said) > 1}
    together = None
    if len(collected.by_assessor) > 1:
        judges = {name: read_qrels(_nested(grades)) for name, grades in collected.by_assessor.items()}
        together = agreement_of(Items.of(judges), rel, level, chance)
    return AssessorAgreement(
        together,
        tuple(_by_grade(collected, shared)),
        tuple(_by_topic(shared, level)),
        tuple(_bias(collected, name, shared, chance) for name in collected.answers),
        tuple(_orders(collected)),
    )


def _orders(collected: Collected) -> Iterator[OrderAgreement]:
    order_of = {name: implied_order(rows) for name, rows in collected.preferences.items()}
    for (first, order), (second, other) in combinations(order_of.items(), 2):
        shared = order.keys() & other.keys()
        if shared:
            same = sum(order[pair] == other[pair] for pair in shared)
            yield OrderAgreement(first, second, len(shared), same / len(shared))


def _nested(grades: Mapping[Pair, float]) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for (topic, document), grade in grades.items():
        nested.setdefault(topic, {})[document] = grade
    return nested


def _by_grade(collected: Collected, shared: Mapping[Pair, Mapping[str, int]]) -> list[GradeAgreement]:
    rows = []
    for level in sorted(collected.study.manifest.scale, key=lambda level: level.grade):
        both = either = 0
        for said in shared.values():
            for first, second in combinations(said.values(), 2):
                both += first == second == level.grade
                either += (first == level.grade) + (second == level.grade)
        given = sum(grade == level.grade for said in shared.values() for grade in said.values())
        rows.append(
            GradeAgreement(level.grade, level.label, given, 2 * both / either if either else math.nan)
        )
    return rows


def _by_topic(shared: Mapping[Pair, Mapping[str, int]], level: Level) -> list[TopicAgreement]:
    of_topic: dict[str, list[Mapping[str, int]]] = {}
    for (topic, _), said in shared.items():
        of_topic.setdefault(topic, []).append(said)
    rows = []
    for topic in in_order(of_topic):
        items = of_topic[topic]
        pairs = [first == second for said in items for first, second in combinations(said.values(), 2)]
        names = list(dict.fromkeys(name for said in items for name in said))
        ratings = [[said.get(name, math.nan) for name in names] for said in items]
        rows.append(TopicAgreement(topic, len(items), sum(pairs) / len(pairs), alpha(ratings, level=level)))
    return rows


def _bias(
    collected: Collected, name: str, shared: Mapping[Pair, Mapping[str, int]], chance: Chance
) -> AssessorBias:
    graded = collected.by_assessor.get(name, {})
    differences: dict[str, list[float]] = {}
    for (topic, _), said in shared.items():
        if name in said:
            others = [grade for other, grade in said.items() if other != name]
            differences.setdefault(topic, []).append(said[name] - sum(others) / len(others))
    practice = collected.practice.get(name, {})
    known = [grade - collected.study.known[pair] for pair, grade in practice.items()]
    return AssessorBias(
        name,
        len(graded),
        _mean(list(graded.values())),
        sum(map(len, differences.values())),
        _mean_difference(list(differences.values()), chance),
        len(practice),
        _mean(known),
        _mean([difference == 0 for difference in known]),
    )


def _mean_difference(by_topic: Sequence[Sequence[float]], chance: Chance) -> Estimate:
    """The mean over documents, with its interval over resampled topics."""
    if not by_topic:
        return Estimate(math.nan, reason=_NOBODY)
    topic = np.repeat(np.arange(len(by_topic)), [len(values) for values in by_topic])
    values = np.concatenate([np.asarray(values, np.float64) for values in by_topic])
    statistic = Share(summed(topic, values, len(by_topic)), summed(topic, np.ones(len(topic)), len(by_topic)))
    return estimates({"": statistic}, len(by_topic), chance, why={"": _NOBODY})[""]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _signed_estimate(estimate: Estimate) -> str:
    ends = (
        ""
        if math.isnan(estimate.low)
        else f" ({signed(estimate.low, _PLACES)} to {signed(estimate.high, _PLACES)})"
    )
    return signed(estimate.value, _PLACES) + ends


def _assessor_table(rows: Sequence[AssessorBias]) -> Table:
    heads = ["assessor", "graded", "mean grade", "shared", "bias"]
    practised = any(row.practice for row in rows)
    body = [
        [
            shown(row.assessor),
            f"{row.graded:,}",
            fixed(row.mean, _PLACES),
            f"{row.shared:,}",
            _signed_estimate(row.bias),
            *(
                [f"{row.practice:,}", fixed(row.same, _PLACES), signed(row.known, _PLACES)]
                if practised
                else []
            ),
        ]
        for row in rows
    ]
    return Table([*heads, *(["practice", "as known", "minus known"] if practised else [])], body)


def _grade_table(rows: Sequence[GradeAgreement]) -> Table:
    body = [[f"{row.grade} {row.label}", f"{row.given:,}", fixed(row.same, _PLACES)] for row in rows]
    return Table(["grade", "given", "given again"], body)


def _order_table(rows: Sequence[OrderAgreement]) -> Table:
    body = [[shown(row.first), shown(row.second), f"{row.pairs:,}", fixed(row.same, _PLACES)] for row in rows]
    return Table(["assessor", "other assessor", "pairs both ordered", "same"], body, names=2)


def _topic_table(rows: Sequence[TopicAgreement]) -> Table:
    body = [
        [shown(row.topic), f"{row.shared:,}", fixed(row.same, _PLACES), fixed(row.alpha, _PLACES)]
        for row in rows
    ]
    return Table(["topic", "shared", "same", "alpha"], body)
