"""Audit: a model's labels beside people's judgments, with everything that was found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gainful.auditing.agreement_slices import Slice, SliceKind
from gainful.auditing.judged_pairs import Calibration
from gainful.auditing.judgment_savings import POWER, Drawn, Needed, PairSaving, Savings
from gainful.auditing.system_families import Family
from gainful.auditing.system_orders import SystemOrder
from gainful.comparisons.judges import Agreement, PairAgreement
from gainful.comparisons.score_table import System
from gainful.formats.ids import shown
from gainful.formats.label_scales import ScaleKind
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted, fixed, listed, percent, rounded, signed

_NAMED, _TURNED = 5, 3
_AS_STRICT = 0.005  # of a grade
_NARROWER = (
    0.9  # times the people's distances between systems, below which the model is said to bring them together
)


@dataclass(frozen=True, eq=False)
class Audit:
    """A model as a judge, beside people.

    model        what the model is called: the name of its file
    pairs        documents that both judged
    topics       that have such documents
    scale        of the labels: "same" as the people's, "binary", or any "other"
    table        {people's grade: {model's label: documents}}
    agreement    of the two judges, with intervals over topics
    slices       agreement by people's grade, by topic (the least agreement first), by ranks and by system
    calibration  people's mean grade for each label
    orders       for each measure whom the model favours, and whether the order of the systems survives
    families     for each measure what the model does for each family of systems, where families were given
    savings      for each measure how many of the people's judgments the model saves
    width        the width that was asked for; None where none was
    decide       whether it was asked how many topics decide
    """

    model: str
    pairs: int
    topics: int
    scale: ScaleKind
    table: Mapping[float, Mapping[float, int]]
    agreement: Agreement
    slices: tuple[Slice, ...]
    calibration: tuple[Calibration, ...]
    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    orders: tuple[SystemOrder, ...]
    families: tuple[tuple[Family, ...], ...]
    savings: tuple[Savings, ...]
    settings: Settings
    digests: Mapping[str, str]
    width: float | None
    decide: bool
    notes: tuple[str, ...]

    @property
    def pair(self) -> PairAgreement:
        """People and the model, as a pair of judges."""
        return self.agreement.pairs[0]

    def by(self, kind: SliceKind) -> tuple[Slice, ...]:
        """The slices of one kind."""
        return tuple(piece for piece in self.slices if piece.kind == kind)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in sentences."""
        return tuple(_sentences(self))

    def stated(self) -> str:
        """The pairs, intervals and settings, in a line."""
        chance = self.agreement.chance
        parts = [
            f"{counted(self.pairs, 'document')} of {counted(self.topics, 'topic')} judged by people and labelled by the model",
            f"intervals {chance.percent}, {chance.resamples:,} resamples of topics, seed {chance.seed}",
            f"relevant from grade {self.agreement.rel:g}",
        ]
        return " · ".join([*parts, *([self.settings.stated()] if self.systems else [])])

    def view(self, form: str = "text", **how: Any) -> str:
        """As text, markdown, json, csv or html; places and screen as `gainful.auditing.audit_views` takes them."""
        from gainful.auditing.audit_views import VIEWS

        return VIEWS[form](self, **how)

    def chart(self, view: str | None = None) -> dict[str, Any]:
        """The pictures as one Vega-Lite spec, or one of them: "systems", "calibration" or "widths"."""
        from gainful.auditing.audit_charts import chart

        return chart(self, view)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        chance = self.agreement.chance
        return {
            "gainful": __version__,
            "model": shown(self.model),
            "pairs": self.pairs,
            "topics": self.topics,
            "scale": self.scale,
            "qrels": {"digest": self.digests["people"]},
            "labels": {"digest": self.digests["model"]},
            "settings": self.settings.to_dict(),
            "resamples": chance.resamples,
            "seed": chance.seed,
            "confidence": chance.confidence,
            "table": [
                {"grade": grade, "label": label, "pairs": number}
                for grade, row in self.table.items()
                for label, number in row.items()
            ],
            "agreement": self.agreement.to_dict(),
            "slices": [piece.to_dict() for piece in self.slices],
            "calibration": [step.to_dict() for step in self.calibration],
            "systems": [system.to_dict() for system in self.systems],
            "orders": [order.to_dict() for order in self.orders],
            "families": [
                {"measure": str(measure), "favours": [family.to_dict() for family in found]}
                for measure, found in zip(self.measures, self.families, strict=False)
            ],
            "savings": [saving.to_dict() for saving in self.savings],
            "width": self.width,
            "decide": self.decide,
            "sentences": list(self.sentences),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.view().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Audit of {shown(self.model)}: {counted(self.pairs, 'document')}, {counted(len(self.systems), 'system')}>"

    def _repr_html_(self) -> str:
        return self.view("html")


def _sentences(audit: Audit) -> Iterator[str]:
    yield _agreement(audit)
    for order in audit.orders:
        yield from _order(order, audit)
    for measure, families in zip(audit.measures, audit.families, strict=False):
        yield _of_families(measure, families)
    for saving in audit.savings:
        yield _saving(saving)
        yield from _plans(saving, audit)


def _agreement(audit: Audit) -> str:
    chance, pair = audit.agreement.chance, audit.pair
    return (
        f"The model gives {percent(pair.same.value, 0)} of the documents the people's grade: kappa "
        f"{pair.kappa.stated(chance)}, weighted by the distance {pair.kappa_linear.stated(chance)}, relevant or not "
        f"{pair.kappa_relevant.stated(chance)}{_lean(audit)}."
    )


def _lean(audit: Audit) -> str:
    """Whether the model is lenient; labels on another scale are neither that nor strict."""
    if audit.scale != "same":
        return ""
    lean = math.fsum(piece.lean.value * piece.pairs for piece in audit.by("grade")) / audit.pairs
    if abs(lean) < _AS_STRICT:
        return "; on the mean it is as strict as people"
    return f"; on the mean it is {'more lenient' if lean > 0 else 'stricter'} than people, by {rounded(abs(lean))} of a grade"


def _order(order: SystemOrder, audit: Audit) -> Iterator[str]:
    if order.order is None:
        return
    tau = order.order.tau_b.stated(audit.agreement.chance)
    systems = len(order.favours)
    swaps = len(order.order.swaps)
    pairs = systems * (systems - 1) // 2
    yield (
        f"{order.measure}: the order of the {systems} systems under the model has tau {tau} with the people's; "
        f"{swaps:,} of {counted(pairs, 'pair is', 'pairs are')} turned, {len(order.turned):,} of them neighbours."
    )
    yield from _favours(order)
    for turned in order.turned[:_TURNED]:
        topics = ", ".join(shown(topic.topic) for topic in turned.topics)
        documents = [document for topic in turned.topics for document in topic.documents[:1]]
        why = f"; most of it in topic{'s' if len(turned.topics) > 1 else ''} {topics}" if topics else ""
        most = (
            f", by the labels of {listed([shown(document.document) for document in documents])}"
            if documents
            else ""
        )
        yield (
            f"{order.measure}: the model turns {shown(turned.better)} and {shown(turned.worse)} ({shown(turned.worse)} minus "
            f"{shown(turned.better)}: people {signed(turned.people)}, model {signed(turned.model)}){why}{most}."
        )


def _favours(order: SystemOrder) -> Iterator[str]:
    for direction, word in (("for", "favours"), ("against", "is harder on")):
        found = sorted(
            (favour for favour in order.favours if favour.direction == direction),
            key=lambda each: -abs(each.favour),
        )
        if found:
            named = [f"{shown(each.system)} ({signed(each.favour, 3)})" for each in found[:_NAMED]]
            more = [f"{len(found) - _NAMED} more"] if len(found) > _NAMED else []
            yield f"{order.measure}: against the mean of all systems, the model {word} {listed([*named, *more])}."
    if len(order.favours) > 2 and order.stretch < _NARROWER:
        yield (
            f"{order.measure}: distances between systems are {fixed(order.stretch, 2)} times the people's under the model, "
            "as noise in labels makes them; that alone favours weak systems over strong ones."
        )
    if not any(favour.direction for favour in order.favours):
        yield f"{order.measure}: no system is favoured significantly over the others."


def _of_families(measure: Measure, families: tuple[Family, ...]) -> str:
    found = [
        f"{word} {listed([f'{shown(each.favour.system)} ({signed(each.favour.favour, 3)})' for each in of_direction])}"
        for direction, word in (("for", "favours"), ("against", "is harder on"))
        if (of_direction := [each for each in families if each.favour.direction == direction])
    ]
    if not found:
        return f"{measure}: none of the {len(families)} families of systems is favoured significantly over the others."
    return f"{measure}: of the {len(families)} families of systems the model {listed(found)}."


def _saving(saving: Savings) -> str:
    one = saving.pairs[0] if len(saving.pairs) == 1 else None
    share = saving.median
    what = f"this comparison ({shown(one.b)} against {shown(one.a)})" if one else "the median pair of systems"
    if math.isnan(share):
        return f"{saving.measure}: what the model saves is unknown, as no interval can be given for {what}."
    saves = (
        f"this model saves {percent(share, 0)} of the people's judgments"
        if share >= 0.005
        else "this model saves none of the people's judgments"
    )
    if saving.assumed:
        return (
            f"{saving.measure}: for {what} {saves} if they judge {saving.people} of the {saving.labelled} topics; "
            "here they judged all that the model labelled."
        )
    topics = f"{saving.people} topics judged by people, {saving.labelled} labelled by the model"
    return f"{saving.measure}: for {what} {saves} ({topics})."


def _plans(saving: Savings, audit: Audit) -> Iterator[str]:
    assumption = "as if these topics were a sample of those to come"
    if audit.width is not None:
        needed = [pair.width for pair in saving.pairs if pair.width is not None]
        drawn = _drawn([pair.width_drawn for pair in saving.pairs], saving)
        yield (
            f"{saving.measure}: an interval of width {audit.width:g} needs {_needed(needed, saving)}{drawn}; {assumption}."
        )
    if audit.decide:
        needed = [pair.decide for pair in saving.pairs if pair.decide is not None]
        drawn = _drawn([pair.decide_drawn for pair in saving.pairs], saving)
        yield (
            f"{saving.measure}: to decide the difference observed, with power {POWER:g}, needs {_needed(needed, saving)}"
            f"{drawn}; {assumption}, and the difference observed were the true one."
        )


def _needed(needed: list[Needed], saving: Savings) -> str:
    """The topics for one pair, or for the median pair."""
    whom = "" if len(needed) == 1 else " for the median pair"
    each = float(np.median([pair.documents for pair in saving.pairs]))

    def of(topics: int) -> str:
        about = "" if math.isnan(each) else f" (about {math.ceil(each * topics):,} documents)"
        return f"{counted(topics, 'topic')}{about}"

    people, both, unlimited = (
        _median([getattr(one, name) for one in needed]) for name in ("people", "both", "unlimited")
    )
    if people is None:
        return f"no number of topics that could be judged{whom}"
    with_model = (
        f"{of(both)} with the model's labels for {saving.labelled}"
        if both is not None
        else f"more than the {saving.labelled} topics that the model labelled"
        + (f", or {of(unlimited)} if it labels many more" if unlimited is not None else "")
    )
    return f"{of(people)} judged by people alone{whom}, {with_model}"


def _drawn(plans: list[Drawn | None], saving: Savings) -> str:
    """The documents for one pair, drawn in every topic; "" where that was not looked at, as it is not for several pairs."""
    drawn = plans[0]
    if drawn is None:
        return ""
    every = f"about {drawn.of:,} documents that either system has above the cutoff in all {saving.labelled} topics"
    fewest = min(
        (percent for percent in (drawn.both_percent, drawn.people_percent) if percent is not None),
        default=None,
    )
    if fewest is None:
        return f"; no share of {every} is enough"
    if fewest == 100:
        return f"; of {every}, no smaller part than all is enough"
    whose = [
        f"{'all' if number == drawn.of else f'{number:,}'} {words}"
        for number, words in ((drawn.both, "with the model's labels"), (drawn.people, "by people alone"))
        if number is not None
    ]
    return f"; or, of {every}, {listed(whose)}, drawn by chance (gainful pool --strategy sample:change:{fewest}%)"


def _median(values: list[int | None]) -> int | None:
    """The median where it exists; what has no value is beyond any."""
    middle = (
        float(np.median([math.inf if value is None else value for value in values])) if values else math.inf
    )
    return None if math.isinf(middle) or math.isnan(middle) else math.ceil(middle)


def shown_pairs(saving: Savings, order: SystemOrder, most: int) -> list[PairSaving]:
    """The pairs that people are shown: all of a few, otherwise neighbours in the people's order, the best first."""
    if len(saving.pairs) <= most:
        return list(saving.pairs)
    names = [favour.system for favour in order.favours]
    wanted = [frozenset(names[place : place + 2]) for place in range(len(names) - 1)]
    of_pair = {frozenset((pair.a, pair.b)): pair for pair in saving.pairs}
    return [of_pair[pair] for pair in wanted[:most]]


def topic_count(needed: int | None) -> str:
    """A number of topics in a table; a dash where no number suffices."""
    return fixed(needed, whole=True)
