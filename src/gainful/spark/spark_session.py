"""A Spark session, and questions to it whose faults are sentences."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.resources import files
from typing import Any, TypeVar

from gainful.errors import UsageError

MISSING = "this needs one more package, and Java 17 or newer: `pip install 'gainful[spark]'`."

_Answer = TypeVar("_Answer")


def started(master: str, name: str) -> Any:
    """A session on that master, which says on standard error only what went wrong."""
    import warnings

    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise UsageError(f"--engine spark: {MISSING}") from None
    # Spark's Python warns of newer versions of a library that nothing here touches.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    quiet = f"-Dlog4j2.configurationFile={files('gainful.spark').joinpath('log4j2.properties')}"
    try:
        return (
            SparkSession.builder.master(master)
            .appName(name)
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
            .config("spark.driver.extraJavaOptions", quiet)
            .getOrCreate()
        )
    except (PySparkException, OSError) as fault:
        raise UsageError(f"Spark cannot be started ({fault}); is Java 17 or newer there?") from None
    except Exception as fault:  # Java's own, through the bridge
        raise UsageError(
            f"no session on {master} ({said(fault)}); is a master of that address at work?"
        ) from None


def asked_of_spark(call: Callable[[], _Answer]) -> _Answer:
    """What Spark answers; a worker without Gainful is a sentence, not a page of Java."""
    from pyspark.errors import PySparkException

    try:
        return call()
    except PySparkException as fault:
        if "No module named 'gainful'" in str(fault):
            raise UsageError(
                "the Python of Spark's workers has no gainful; install `gainful[spark]` there, "
                "or point PYSPARK_PYTHON at one that has it."
            ) from None
        raise


def said(fault: BaseException) -> str:
    """What Spark says of a fault, without its pages of Java."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    if not lines:
        return type(fault).__name__
    if "Traceback (most recent call last):" in lines:  # of a worker's Python: its last line says what it was
        return lines[-1]
    return next((line for line in lines if "Exception:" in line), lines[0]).lstrip(": ")
