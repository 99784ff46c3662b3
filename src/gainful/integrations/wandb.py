"""Weights & Biases: scores, intervals, a table of topics and the report in a run.

run = wandb.init(project="search")
log_scores(gainful.evaluate(qrels, bm25), run, report=gainful.report(qrels, bm25))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import wandb

from gainful.integrations.tracked_scores import page_of, tracked
from gainful.scores import Scores

if TYPE_CHECKING:
    from gainful.reports import Report


def log_scores(
    scores: Scores, run: Any, *, report: Report | str | Path | None = None, step: int | None = None
) -> None:
    """Log means and the ends of their 95 % intervals, and the value of every topic as a table.

    run     the one that `wandb.init` gave
    report  one that `gainful.report` made, or a page that `gainful report` wrote; shown in the run
    """
    logged: dict[str, Any] = dict(tracked(scores))
    logged["gainful/topics"] = wandb.Table(
        columns=["run", "topic", "measure", "value"], data=[list(row) for row in scores.rows()]
    )
    if report is not None:
        logged["gainful/report"] = wandb.Html(page_of(report))
    run.log(logged, step=step)
