"""Gainful on Spark: the measures of one machine on a cluster, with equal digits.

    frame_evaluation  evaluate: DataFrames of judgments and runs in, scores out
    frames            DataFrames, brought to one shape
    task, worker      what the executors are told, and do: chunks of whole topics go through the native core
    answers           the rows that they send back
    collected_scores  these rows become scores, in the order of topics
    spark_scores      the scores, without the documents behind them
    stream_delivery   deliver: a batch or a stream of documents meets the profiles of many readers
    cluster_files     judgments and runs from paths that Spark can read, for the command line
    cluster_faults    faults of rows that have no line numbers
    spark_session     a session, and errors of Spark as one sentence

The executors need Gainful in their Python: `pip install 'gainful[spark]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.spark.frame_evaluation import evaluate
    from gainful.spark.spark_scores import SparkScores
    from gainful.spark.stream_delivery import Profiles, deliver

__all__ = ["Profiles", "SparkScores", "deliver", "evaluate"]

__getattr__, __dir__ = door(
    __name__,
    {
        "stream_delivery": ("Profiles", "deliver"),
        "frame_evaluation": ("evaluate",),
        "spark_scores": ("SparkScores",),
    },
)
