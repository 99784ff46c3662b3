"""An audit as text, Markdown and HTML for people, and as CSV and JSON for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gainful.auditing.agreement_slices import Slice, SliceKind
from gainful.auditing.audit_result import Audit, shown_pairs, topic_count
from gainful.auditing.judged_pairs import Calibration
from gainful.auditing.judgment_savings import Needed, Savings
from gainful.auditing.system_families import Family
from gainful.auditing.system_orders import Favour, SystemOrder
from gainful.comparisons.judges.topic_estimates import Estimate
from gainful.formats.ids import shown
from gainful.presentation.page import page
from gainful.presentation.table import Table, as_csv, as_json
from gainful.presentation.text_style import NARROW, Screen, fixed, interval, p_value, percent, signed

_TOPICS, _MOST = 5, 10  # rows that people are shown; csv and json have all
_COLUMNS = ("part", "measure", "name", "other", "statistic", "value", "low", "high", "pairs", "reason")


def _text(audit: Audit, *, places: int = 4, screen: Screen = NARROW) -> str:
    return _page(audit, "table", places, screen)


def _markdown(audit: Audit, *, places: int = 4, **_: Any) -> str:
    return _page(audit, "markdown", places, NARROW)


def _html(audit: Audit, *, places: int = 4, **_: Any) -> str:
    return _page(audit, "html", places, NARROW)


def _json(audit: Audit, **_: Any) -> str:
    return as_json(audit.to_dict())


def _csv(audit: Audit, **_: Any) -> str:
    return as_csv([{column: row.get(column) for column in _COLUMNS} for row in _rows(audit)])


VIEWS: Mapping[str, Callable[..., str]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
    "csv": _csv,
    "html": _html,
}


def _page(audit: Audit, form: str, places: int, screen: Screen) -> str:
    return page(
        list(_tables(audit, places)),
        [],
        audit.stated(),
        form,
        title=f"Audit of {shown(audit.model)}",
        opening=audit.sentences,
        screen=screen,
    )


def _tables(audit: Audit, places: int) -> Iterator[tuple[str, Table]]:
    few = max(2, places - 2)
    yield "Documents by people's grade (rows) and the model's label", _counts(audit)
    yield "Agreement of the model with people", agreement_table(audit, few)
    yield "By people's grade", _slices(audit.by("grade"), "grade", few)
    yield "What people said for each label", _calibration(audit.calibration, few)
    yield _above("By topic", audit.by("topic"), _TOPICS), _slices(audit.by("topic")[:_TOPICS], "topic", few)
    if audit.by("length"):
        yield "By the length of the document", _slices(audit.by("length"), "length", few)
    if audit.by("ranks"):
        yield "By the best rank in any run", _slices(audit.by("ranks"), "ranks", few)
    if systems := audit.by("system"):
        least = sorted(systems, key=lambda piece: _last(piece.kappa_linear.value))[:_MOST]
        yield _above("By system, of its first ten documents", systems, _MOST), _slices(least, "system", few)
    for number, order in enumerate(audit.orders):
        yield favour_head(order), favours_table(order, places)
        if audit.families:
            yield f"Families of systems, {order.measure}", _families(audit.families[number], places)
        if any(topic.documents for pair in order.turned for topic in pair.topics):
            yield f"Labels that turn neighbours, {order.measure}", _turning(order, places)
        if number < len(audit.savings):
            saving = audit.savings[number]
            yield _saving_head(saving), _savings(saving, order, places)
            if audit.width is not None or audit.decide:
                yield f"Topics that people must judge, {order.measure}", _plan(saving, order, audit.width)


def _last(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _above(title: str, pieces: Sequence[Slice], most: int) -> str:
    return f"{title}, least agreement first" + (f" ({most} of {len(pieces)})" if len(pieces) > most else "")


def _counts(audit: Audit) -> Table:
    labels = list(next(iter(audit.table.values())))
    body = [[f"{grade:g}", *(f"{row[label]:,}" for label in labels)] for grade, row in audit.table.items()]
    return Table(["grade", *(f"{label:g}" for label in labels)], body)


def agreement_table(audit: Audit, places: int) -> Table:
    """Agreement of the model with people, by every coefficient."""
    heads = {
        "same": "same grade",
        "kappa": "kappa",
        "kappa_linear": "kappa, linear weights",
        "kappa_quadratic": "kappa, quadratic weights",
        "kappa_relevant": "kappa, relevant or not",
        "overlap": "overlap of the relevant",
    }
    found = {heads[name]: estimate for name, estimate in audit.pair.estimates().items()}
    found[f"Krippendorff's alpha, {audit.agreement.level}"] = audit.agreement.alpha
    return Table(["agreement", "value"], [[name, each.shown(places)] for name, each in found.items()])


def _slices(pieces: Sequence[Slice], kind: SliceKind, places: int) -> Table:
    with_kappa = kind != "grade"
    heads = [kind, "judged", "same grade", *(["linear kappa"] if with_kappa else []), "model − people"]
    body = [
        [
            shown(piece.name),
            f"{piece.pairs:,}",
            fixed(piece.same.value, places) if with_kappa else piece.same.shown(places),
            *([piece.kappa_linear.shown(places)] if with_kappa else []),
            _leaning(piece.lean, places),
        ]
        for piece in pieces
    ]
    return Table(heads, body)


def _leaning(estimate: Estimate, places: int) -> str:
    """A difference with its sign, and its interval."""
    value = signed(estimate.value, places)
    if math.isnan(estimate.low):
        return value
    return f"{value} ({signed(estimate.low, places)} to {signed(estimate.high, places)})"


def _calibration(steps: Sequence[Calibration], places: int) -> Table:
    body = [
        [
            f"{step.label:g}" if step.first == step.last else f"{step.first:.3g} to {step.last:.3g}",
            f"{step.pairs:,}",
            step.grade.shown(places),
        ]
        for step in steps
    ]
    return Table(["label", "documents", "people's mean grade"], body)


def favour_head(order: SystemOrder, model: str = "the model") -> str:
    """The title of the table of systems."""
    shown_of = f" ({_MOST} of {len(order.favours)}, furthest apart)" if len(order.favours) > _MOST else ""
    return f"Systems under people and {model}, {order.measure}{shown_of}"


def favours_table(order: SystemOrder, places: int) -> Table:
    """The systems that the model favours or disfavours most, with their values."""
    named = {favour.system for favour in sorted(order.favours, key=lambda each: -abs(each.favour))[:_MOST]}
    body = [
        [
            shown(favour.system),
            fixed(favour.people, places),
            fixed(favour.model, places),
            *_favour(favour, places),
        ]
        for favour in order.favours
        if favour.system in named
    ]
    return Table(["system", "people", "model", "favour", "interval", "p"], body)


def _families(families: Sequence[Family], places: int) -> Table:
    body = [
        [
            shown(each.favour.system),
            f"{len(each.systems)}",
            fixed(each.favour.people, places),
            fixed(each.favour.model, places),
            *_favour(each.favour, places),
        ]
        for each in families
    ]
    return Table(["family", "systems", "people", "model", "favour", "interval", "p"], body)


def _favour(favour: Favour, places: int) -> list[str]:
    ends = interval((favour.low, favour.high), lambda end: signed(end, places))
    return [signed(favour.favour, places), "–" if math.isnan(favour.low) else ends, p_value(favour.p)]


def _turning(order: SystemOrder, places: int) -> Table:
    body = [
        [
            f"{shown(pair.better)}, {shown(pair.worse)}",
            shown(topic.topic),
            shown(document.document),
            "–" if document.grade is None else f"{document.grade:g}",
            "–" if document.label is None else f"{document.label:.3g}",
            ", ".join("–" if rank is None else f"{rank}" for rank in document.ranks),
            signed(document.moved, places),
        ]
        for pair in order.turned[:_TOPICS]
        for topic in pair.topics
        for document in topic.documents
    ]
    return Table(["turned", "topic", "document", "grade", "label", "ranks", "moves"], body, names=3)


def _saving_head(saving: Savings) -> str:
    judged = f"people judging {saving.people} of {saving.labelled} topics"
    listed = f" ({_MOST} of {len(saving.pairs):,} pairs)" if len(saving.pairs) > _MOST else ""
    return f"Saved by the model, {saving.measure}, {judged}{listed}"


def _savings(saving: Savings, order: SystemOrder, places: int) -> Table:
    body = [
        [
            shown(pair.a),
            shown(pair.b),
            signed(pair.difference, places),
            fixed(pair.people_width, places),
            fixed(pair.both_width, places),
            percent(pair.saved, 0),
        ]
        for pair in shown_pairs(saving, order, _MOST)
    ]
    return Table(["A", "B", "B − A", "width, people", "with model", "saved"], body, names=2)


def _plan(saving: Savings, order: SystemOrder, width: float | None) -> Table:
    """How many topics each pair needs; a dash where no number suffices."""
    shown_of = shown_pairs(saving, order, _MOST)
    asked = {
        name: head
        for name, head in (("width", f"width {width or 0:g}"), ("decide", "to decide"))
        if getattr(saving.pairs[0], name) is not None
    }
    heads = [word for head in asked.values() for word in (f"{head}: people", f"{head}: with model")]
    body = []
    for pair in shown_of:
        needed: list[Needed] = [getattr(pair, name) for name in asked]
        numbers = [topic_count(number) for each in needed for number in (each.people, each.both)]
        body.append([shown(pair.a), shown(pair.b), *numbers, fixed(pair.documents, 1)])
    return Table(["A", "B", *heads, "documents a topic"], body, names=2)


def _rows(audit: Audit) -> Iterator[dict[str, Any]]:
    """Every number, one to a row."""
    for grade, row in audit.table.items():
        for label, number in row.items():
            yield {
                "part": "table",
                "name": f"{grade:g}",
                "other": f"{label:g}",
                "statistic": "documents",
                "value": number,
            }
    for name, estimate in {**audit.pair.estimates(), "alpha": audit.agreement.alpha}.items():
        yield {"part": "agreement", "statistic": name, "pairs": audit.pairs, **_ends(estimate)}
    for piece in audit.slices:
        head = {"part": piece.kind, "name": shown(piece.name), "pairs": piece.pairs}
        for name in ("same", "kappa_linear", "lean"):
            yield {**head, "statistic": name, **_ends(getattr(piece, name))}
    for step in audit.calibration:
        head = {"part": "calibration", "name": f"{step.label:g}", "pairs": step.pairs}
        yield {**head, "statistic": "grade", **_ends(step.grade)}
    for order in audit.orders:
        yield from _order_rows(order)
    for measure, families in zip(audit.measures, audit.families, strict=False):
        for family in families:
            head = {"part": "families", "measure": str(measure), "name": shown(family.favour.system)}
            ends = {"low": family.favour.low, "high": family.favour.high}
            yield {**head, "statistic": "favour", "value": family.favour.favour, **ends}
            yield {**head, "statistic": "p", "value": family.favour.p}
    for saving in audit.savings:
        yield from _saving_rows(saving)


def _order_rows(order: SystemOrder) -> Iterator[dict[str, Any]]:
    measure = str(order.measure)
    for favour in order.favours:
        head = {"part": "systems", "measure": measure, "name": shown(favour.system)}
        yield {**head, "statistic": "people", "value": favour.people}
        yield {**head, "statistic": "model", "value": favour.model}
        yield {**head, "statistic": "favour", "value": favour.favour, "low": favour.low, "high": favour.high}
        yield {**head, "statistic": "p", "value": favour.p}
    if order.order is not None:
        for name in ("tau_b", "tau_ap"):
            yield {
                "part": "order",
                "measure": measure,
                "statistic": name,
                **_ends(getattr(order.order, name)),
            }
    for pair in order.turned:
        head = {"part": "turned", "measure": measure, "name": shown(pair.better), "other": shown(pair.worse)}
        yield {**head, "statistic": "people", "value": pair.people}
        yield {**head, "statistic": "model", "value": pair.model}


def _saving_rows(saving: Savings) -> Iterator[dict[str, Any]]:
    for pair in saving.pairs:
        head = {
            "part": "savings",
            "measure": str(saving.measure),
            "name": shown(pair.a),
            "other": shown(pair.b),
        }
        for name in ("difference", "people_width", "both_width", "saved", "documents"):
            yield {**head, "statistic": name, "value": getattr(pair, name)}
        for name, needed in (("width", pair.width), ("decide", pair.decide)):
            for whose, number in ({} if needed is None else needed.to_dict()).items():
                yield {**head, "statistic": f"topics to {name}, {whose}", "value": number}
        for name, drawn in (("width", pair.width_drawn), ("decide", pair.decide_drawn)):
            for whose, number in ({} if drawn is None else drawn.to_dict()).items():
                yield {**head, "statistic": f"documents drawn to {name}, {whose}", "value": number}


def _ends(estimate: Estimate) -> dict[str, Any]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "reason": estimate.reason}
