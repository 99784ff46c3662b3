"""TensorBoard: scores and intervals as curves over steps, and the report as text.

writer = torch.utils.tensorboard.SummaryWriter("runs/dense")
log_scores(gainful.evaluate(qrels, run), writer, step=epoch)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gainful.integrations.tracked_scores import tracked
from gainful.scores import Scores
from gainful.scores.score_output import markdown

if TYPE_CHECKING:
    from gainful.reports import Report


def log_scores(scores: Scores, writer: Any, *, step: int | None = None, report: Report | None = None) -> None:
    """Log means and the ends of their 95 % intervals as scalars, and their table with the settings as text.

    writer  a SummaryWriter, of PyTorch or of tensorboardX
    report  one that `gainful.report` made, as Markdown beside the table
    """
    for name, value in tracked(scores).items():
        writer.add_scalar(name, value, step)
    writer.add_text("gainful/scores", markdown(scores, per_topic=False, places=4), step)
    if report is not None:
        writer.add_text("gainful/report", report.markdown(), step)
