"""curve: judgments and runs in, curves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from gainful.curves.operating import roc
from gainful.curves.points import Curves
from gainful.curves.ranks import DEPTH, by_rank, by_rank_measures
from gainful.curves.reading import effort
from gainful.curves.recall import precision_recall, raw_points
from gainful.errors import UsageError
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.scores import Scores, evaluate

Kind = Literal["rank", "recall", "precision-recall", "roc", "effort"]
KINDS: tuple[Kind, ...] = ("rank", "recall", "precision-recall", "roc", "effort")


def curve(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG",
    *,
    kind: Kind = "rank",
    depth: int = DEPTH,
    average: Literal["topics", "ratio"] = "topics",
    settings: Settings | None = None,
    known: Any = None,
    expected: Any = None,
    **wanted: Any,
) -> Curves:
    """Curves of one run or several against judgments.

    qrels, runs  as for `evaluate`
    measures     for kind="rank": what is drawn against its cutoff
    kind         "rank"; "recall" (against rank); "precision-recall"; "roc" (among judged documents);
                 "effort" (gain against reading)
    depth        last rank, or most reading
    average      "topics" is the mean of their values, "ratio" the mean curve over the mean ideal curve
    settings     how runs are judged: `gainful.Settings(ties="best")`
    known        what users knew, and
    expected     how much they expected, as for `evaluate`
    wanted       topics, ideal, band, resamples, seed, difference (see `gainful.curves.Asked`);
                 levels, rel, raw for precision-recall and roc; gain, cost for effort

    >>> two = curve({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}, "P, R", depth=2)
    >>> [(one.y, one.values.tolist()) for one in two]
    [('P', [1.0, 0.5]), ('R', [0.5, 0.5])]
    """
    how = (settings or Settings()).to_dict()
    asked = by_rank_measures(measures, how["rel"]) if kind == "rank" else ["NumRel"]
    at_depth = [one @ depth if isinstance(one, Measure) else one for one in asked]
    scores = evaluate(qrels, runs, at_depth, known=known, expected=expected, **how)
    return of_scores(scores, measures, kind=kind, depth=depth, average=average, **wanted)


def of_scores(
    scores: Scores,
    measures: str | Measure | Iterable[str | Measure],
    *,
    kind: Kind,
    depth: int,
    average: Literal["topics", "ratio"],
    levels: int | Sequence[float] | None = None,
    raw: bool = False,
    **wanted: Any,
) -> Curves:
    """Curves of a kind, of runs that were judged already."""
    if kind != "rank" and average != "topics":
        raise UsageError(f"the ratio of mean curves is for curves by rank, not for {kind}.")
    of_levels: dict[str, Any] = {} if levels is None else {"levels": levels}
    match kind:
        case "rank":
            return by_rank(scores, measures, depth=depth, average=average, **wanted)
        case "recall":
            return by_rank(scores, "R", depth=depth, **wanted)
        case "precision-recall" if raw:
            topics = wanted.pop("topics", None)
            return raw_points(scores, None if topics == "each" else topics, **wanted)
        case "precision-recall":
            return precision_recall(scores, **of_levels, **wanted)
        case "roc":
            return roc(scores, **of_levels, **wanted)
        case "effort":
            return effort(scores, depth=depth, **wanted)
    raise UsageError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
