"""Section: what models' labels are worth beside people's judgments; where a report was given both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from gainful.auditing import Audit, audit
from gainful.auditing.audit_charts import calibration_panel, systems_panel, widths_panel
from gainful.auditing.audit_views import agreement_table, favour_head, favours_table
from gainful.errors import DataError, NothingInCommon
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments, read_qrels
from gainful.judging.settings import Settings
from gainful.presentation.text_style import counted
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section

_RESAMPLES = 2_000
_EQUAL = 1.1
"""Greatest of the probabilities over the least up to which documents count as drawn alike; whole numbers in strata differ so."""


@report_section
@dataclass(frozen=True, eq=False)
class AuditSection(Section):
    """One audit for each model; under a design, which has people's judgments of some documents, without the systems.

    An audit counts each document alike. Where documents were drawn with unequal probabilities those judged are not like all,
    and there is none.

    unlike  why a model cannot be audited, by its name: no document that people judged too, say
    """

    name, title, order = "audit", "Models as judges", 65

    audits: tuple[Audit, ...]
    unlike: Mapping[str, str]

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Where labels by models were given."""
        scores = results.scores
        if scores is None or not scores.judgments.models:
            return None
        unequal = _unequal(scores.judgments)
        if unequal:
            return cls((), {model.name: unequal for model in scores.judgments.models})
        people = _judged(scores.judgments)
        measure = scores.measures[0]
        systems = (
            (results.runs, measure) if not results.estimated and measure.needs is None else (None, measure)
        )
        made, unlike = [], {}
        for model in scores.judgments.models:
            try:
                one = audit(
                    people,
                    model.labels,
                    *systems,
                    resamples=_RESAMPLES,
                    seed=results.method.seed,
                    confidence=results.method.confidence,
                    **_conventions(scores.settings),
                )
            except (DataError, NothingInCommon) as fault:
                unlike[model.name] = str(fault)
            else:
                made.append(replace(one, model=model.name))
        return cls(tuple(made), unlike) if made or unlike else None

    def to_dict(self) -> list[dict[str, Any]]:
        """The audits, in the layout of `gainful audit -f json`."""
        return [each.to_dict() for each in self.audits]

    def sentences(self) -> Sequence[str]:
        """What each audit found, and its notes."""
        said = []
        for each in self.audits:
            lead = f"{shown(each.model)}: " if len(self.audits) > 1 else ""
            said += [f"{lead}{line}" for line in (*each.sentences, *each.notes)]
        return [*said, *(f"{shown(name)}: {why}" for name, why in self.unlike.items())]

    def tables(self, places: int) -> list[ReportTable]:
        """Agreement of each model with people, and the systems under both."""
        tables = []
        for each, word in self._words():
            name = shown(each.model)
            title = f"Agreement of {name} with people"
            tables.append(
                ReportTable(f"audit-agreement{word}", title, agreement_table(each, 2), each.stated())
            )
            tables += [
                ReportTable(f"audit-systems{word}", favour_head(order, name), favours_table(order, places))
                for order in each.orders[:1]
            ]
        return tables

    def figures(self) -> list[Figure]:
        """People against model, people's mean grade by label, and width by the number of topics that people judge."""
        return [figure for each, word in self._words() for figure in _figures(each, word)]

    def _words(self) -> list[tuple[Audit, str]]:
        """Each audit, and what sets the names of its files apart."""
        several = len(self.audits) > 1
        return [(each, f"-{number}" if several else "") for number, each in enumerate(self.audits, 1)]


def _figures(made: Audit, word: str) -> list[Figure]:
    name = shown(made.model)
    figures = []
    for order in made.orders[:1]:
        turned = (
            "no pair of systems"
            if order.order is None
            else f"{counted(len(order.order.swaps), 'pair')} of systems"
        )
        figures.append(
            Figure(
                f"audit-systems{word}",
                f"Systems by people and by {name}",
                f"{order.measure} of {counted(len(order.favours), 'system')}; {turned} in another order.",
                systems_panel(order).spec(),
                "On the line both agree; triangles: significantly favoured or disfavoured, all systems at once.",
            )
        )
    steps = ", ".join(f"{step.label:g}: {step.grade.value:.2f}" for step in made.calibration)
    figures.append(
        Figure(
            f"audit-calibration{word}",
            f"What people said for each label of {name}",
            f"Mean grade by people for each label: {steps}.",
            calibration_panel(made).spec(),
            f"With {made.agreement.chance.percent} intervals over topics; beside each, the number of documents.",
        )
    )
    for saving in made.savings[:1]:
        people, alone, both = min(saving.curve, key=lambda point: abs(point[0] - saving.people))
        figures.append(
            Figure(
                f"audit-widths{word}",
                f"Width of the interval with {name}, by topics that people judge",
                f"{saving.measure}, at {people} topics judged by people: {alone:.3f} by people alone, {both:.3f} with the model.",
                widths_panel(saving).spec(),
                "For the median pair of systems, foreseen from these topics.",
            )
        )
    return figures


def _unequal(judgments: Judgments) -> str:
    """Why documents that people judged are not like all of them; "" where each was as likely to be drawn as any other."""
    if judgments.inclusion is None:
        return ""
    drawn = judgments.inclusion.probability[judgments.index.grade >= 0]
    least, most = (float(drawn.min()), float(drawn.max())) if len(drawn) else (1.0, 1.0)
    if most <= least * _EQUAL:
        return ""
    with_what = (
        f"with probabilities from {least:.2g} to {most:.2g}"
        if not np.isnan(least)
        else "by other means than chance"
    )
    return (
        f"not audited: the documents that people judged were drawn {with_what}, so that those drawn more often would count "
        "for too much in agreement; give judgments of documents that were drawn alike (`gainful audit`)."
    )


def _judged(judgments: Judgments) -> Judgments:
    """People's judgments, without the documents that are listed because they could have been drawn."""
    graded = {
        topic: {document: grade for document, grade in of_topic.items() if grade >= 0}
        for topic, of_topic in judgments.to_dict().items()
    }
    if judgments.inclusion is None:
        return replace(judgments, models=())
    return read_qrels({topic: of_topic for topic, of_topic in graded.items() if of_topic})


def _conventions(settings: Settings) -> dict[str, Any]:
    """The settings as keywords of `audit`; those that only say how files are read have been followed already."""
    from gainful.judging.settings import Conventions

    known = {field.name for field in fields(Settings)} & Conventions.__annotations__.keys()
    return {name: getattr(settings, name) for name in known}
