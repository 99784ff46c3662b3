"""curve: judgments and runs in, curves of one kind out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from gainful.curves.curve_data import Curves
from gainful.curves.rank_curves import by_rank, by_rank_measures, effort
from gainful.curves.recall_curves import precision_recall, raw_points, roc
from gainful.curves.topic_averages import CurveKeywords
from gainful.errors import UsageError
from gainful.judging.settings import check_keywords
from gainful.measures import Measure, NumRel, R
from gainful.measures._gains import Gain
from gainful.scores import Evaluating, Scores, evaluate

Kind = Literal["rank", "recall", "precision-recall", "roc", "effort"]
KINDS: tuple[Kind, ...] = ("rank", "recall", "precision-recall", "roc", "effort")
OF_KINDS: dict[str, tuple[Kind, ...]] = {
    "levels": ("precision-recall", "roc"),
    "raw": ("precision-recall",),
    "gain": ("effort",),
    "cost": ("effort",),
}
"""What only some kinds of curves take."""


class Drawing(CurveKeywords, total=False):
    """What a curve can be asked for, as keywords."""

    levels: int | Sequence[float] | None
    raw: bool
    gain: str | Mapping[float, float] | Gain | None
    cost: Mapping[float, float] | None


class Keywords(Drawing, Evaluating, total=False):
    """The keywords of `curve` beside its own."""


def curve(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG",
    *,
    kind: Kind = "rank",
    to: int | None = None,
    average: Literal["topics", "ratio"] = "topics",
    **keywords: Unpack[Keywords],
) -> Curves:
    """Compute curves of one or several runs: a measure by rank, precision by recall, and others.

    qrels, runs  as for `evaluate`
    measures     for kind="rank": measures plotted against their cutoff; nDCG@10 ends at rank 10
    kind         "rank"; "recall" (against rank); "precision-recall"; "roc" (among judged documents);
                 "effort" (gain against reading)
    to           last rank of the curve, or largest reading effort; by default the cutoff of the
                 measures or depth if given, otherwise 100
    average      "topics" is the mean of their values, "ratio" the mean curve over the mean ideal curve

    Further keywords: per_topic, ideal, band, resamples, seed, difference (see `gainful.curves.CurveOptions`); levels for
    precision-recall and roc, raw for precision-recall, gain and cost for effort (see these functions); and those of
    `evaluate`: topics, queries, known, expected, threads, ties, missing, undefined, unjudged, duplicates, rel, drop_self, and
    depth, which cuts the lists themselves before anything is measured.

    >>> curves = curve({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}, "P, R", to=2)
    >>> [(each.y, each.values.tolist()) for each in curves]
    [('P', [1.0, 0.5]), ('R', [0.5, 0.5])]
    """
    check_keywords(curve, keywords, Keywords)
    drawing: Any = {name: value for name, value in keywords.items() if name in Drawing.__annotations__}
    evaluating: Any = {name: value for name, value in keywords.items() if name not in drawing}
    chosen, to = by_rank_measures(measures, evaluating.get("rel"), to, evaluating.get("depth"))
    scores = evaluate(qrels, runs, measured(chosen, kind, to), **evaluating)
    return of_scores(scores, chosen, kind=kind, to=to, average=average, **drawing)


def measured(measures: Sequence[Measure], kind: Kind, to: int) -> list[Measure]:
    """What runs are scored with before curves are made of them: the end of each curve by rank."""
    return [measure @ to for measure in measures] if kind == "rank" else [NumRel]


def of_scores(
    scores: Scores,
    measures: Sequence[Measure],
    *,
    kind: Kind,
    to: int,
    average: Literal["topics", "ratio"],
    **drawing: Unpack[Drawing],
) -> Curves:
    """Curves of a kind, of runs that were judged already."""
    if kind not in KINDS:
        raise UsageError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    if kind != "rank" and average != "topics":
        raise UsageError(f"the ratio of mean curves is for curves by rank, not for {kind}.")
    given: Any = {name: value for name, value in drawing.items() if value is not None}
    for name, kinds in OF_KINDS.items():
        if given.get(name) and kind not in kinds:
            raise UsageError(f"{name} goes with the kind {' or '.join(kinds)}, not with {kind}.")
    curves = _of_kind(scores, measures, kind, to, average, given)
    if all(curve.topic is None for curve in curves):
        return curves
    queries = scores.queries
    return replace(
        curves, curves=tuple(replace(curve, query=queries.get(curve.topic or "")) for curve in curves)
    )


def _of_kind(
    scores: Scores,
    measures: Sequence[Measure],
    kind: Kind,
    to: int,
    average: Literal["topics", "ratio"],
    given: dict[str, Any],
) -> Curves:
    raw = given.pop("raw", False)
    match kind:
        case "rank":
            return by_rank(scores, measures, to=to, average=average, **given)
        case "recall":
            return by_rank(scores, R, to=to, **given)
        case "precision-recall" if raw:
            topics = given.pop("per_topic", True)
            return raw_points(scores, None if isinstance(topics, bool) else topics, **given)
        case "precision-recall":
            return precision_recall(scores, **given)
        case "roc":
            return roc(scores, **given)
        case "effort":
            return effort(scores, to=to, **given)
