"""gainful evaluate --engine spark: the same command on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.runs import Names, Run, runs_of
from gainful.formats.types import By
from gainful.judging.settings import Settings
from gainful.scores import DEFAULT, Scores
from gainful.scores.evaluation import asked_for

MASTER = "local[*]"


def scores_of(
    qrels: str,
    runs: Sequence[str],
    measures: Any,
    settings: Settings,
    *,
    master: str | None,
    topics: str | None,
    known: Any,
    expected: Any,
    by: By | None,
    qrels_format: str | None,
    run_format: str | None,
    threads: int | None,
    names: Names | None,
) -> Scores:
    """The scores of runs at paths that Spark can read."""
    if threads is not None:
        raise UsageError(
            "--threads is for one machine; with Spark use --master, for example --master 'local[4]'."
        )
    if names == "tag":
        raise UsageError("--names tag reads files on this machine; evaluate without --engine spark.")
    if settings.ties == "input" or settings.duplicates == "first":
        name = "ties input" if settings.ties == "input" else "duplicates first"
        raise UsageError(
            f"--{name} depends on the order of lines, which Spark does not keep; evaluate without --engine spark."
        )
    asked = asked_for(measures or DEFAULT, settings.rel)
    from gainful.spark.cluster_files import Path, refuse_unreadable
    from gainful.spark.frame_evaluation import BROADCAST, Evaluation
    from gainful.spark.frames import said, started

    refuse_unreadable(qrels, *runs)
    session = started(master or MASTER, "gainful evaluate")
    from pyspark.errors import PySparkException

    named = {run.name: str(run.path) for run in runs_of([Run(run) for run in runs], names or "file")}
    try:
        judged = Path(session, qrels, "qrels", qrels_format)
        paths = {name: Path(session, path, "run", run_format) for name, path in named.items()}
        evaluation = Evaluation(
            asked,
            settings,
            known=known,
            expected=expected,
            by=by,
            path=qrels,
            paths=named,
            tags={name: path.tag for name, path in paths.items()},
        )
        frames = {name: path.frame() for name, path in paths.items()}
        return evaluation.scores(
            judged.frame(evaluation.by), frames, topics=topics, broadcast=BROADCAST
        ).scores
    except PySparkException as fault:
        raise DataError(f"Spark failed: {said(fault)}") from None
    finally:
        session.stop()
