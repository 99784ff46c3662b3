"""MLflow: scores, intervals and the report in a run; any measure in `mlflow.evaluate`.

with mlflow.start_run():
    log_scores(gainful.evaluate(qrels, run), report=gainful.report(qrels, run))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import mlflow
from mlflow.metrics import MetricValue, make_metric

from gainful.integrations.id_lists import in_order, score_lists
from gainful.integrations.tracked_scores import page_of, tracked
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Scores

if TYPE_CHECKING:
    from gainful.reports import Report


def log_scores(
    scores: Scores,
    *,
    report: Report | str | Path | None = None,
    step: int | None = None,
    folder: str = "gainful",
) -> None:
    """Log means and the ends of their 95 % intervals as metrics of the active run, and the scores as an artifact.

    report  one that `gainful.report` made, or a page that `gainful report` wrote; an artifact too
    step    of the metrics
    folder  of the artifacts: scores.json, which `gainful compare` takes, and report.html
    """
    mlflow.log_metrics(tracked(scores), step=step)
    mlflow.log_dict(scores.to_dict(), f"{folder}/scores.json")
    if report is not None:
        mlflow.log_text(page_of(report), f"{folder}/report.html")


def metric(measure: str | Measure, *, dialect: str | None = None, **conventions: Unpack[Conventions]) -> Any:
    """A measure as an extra metric of `mlflow.evaluate` for retrievers: predictions and targets are columns of id lists.

    dialect  "mlflow" gives the numbers of MLflow's own metrics, whose names are then the measures
    """
    probe = score_lists([["a"]], [["a"]], measure, dialect=dialect, **conventions)
    (asked,), (name,) = probe.measures, probe.to_flat_dict()

    def evaluate(predictions: Any, targets: Any) -> MetricValue:
        scores = score_lists(list(targets), list(predictions), measure, dialect=dialect, **conventions)
        aggregates = {
            "mean" if key == name else key.removeprefix(f"{name}_"): value
            for key, value in tracked(scores).items()
        }
        return MetricValue(scores=in_order(scores, asked), aggregate_results=aggregates)

    return make_metric(eval_fn=evaluate, greater_is_better=not asked.less_is_better, name=name)
