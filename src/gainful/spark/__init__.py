"""Gainful on Spark: the same definitions on a cluster, the same digits.

    evaluating   evaluate: DataFrames of judgments and runs in, scores out
    frames       DataFrames, brought to one shape
    task, worker what the executors are told, and do: chunks of whole topics go through the native core
    values       what they answer for some topics
    gathering    what they hand back becomes scores, in the order of topics
    delivering   deliver: a batch or a stream of documents meets the profiles of many readers
    paths        what Spark can read, for the command line

The executors need Gainful in their Python: `pip install 'gainful[spark]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.spark.delivering import Profiles, deliver
    from gainful.spark.evaluating import evaluate
    from gainful.spark.results import SparkScores

__all__ = ["Profiles", "SparkScores", "deliver", "evaluate"]

__getattr__, __dir__ = door(
    __name__,
    {
        "delivering": ("Profiles", "deliver"),
        "evaluating": ("evaluate",),
        "results": ("SparkScores",),
    },
)
