"""DataFrames of judgments and runs, brought to one shape: ids as bytes, values as doubles, names that are known; and the Spark
session they belong to, whose faults become sentences.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeVar

from gainful._core import Fault
from gainful.errors import DataError, UsageError
from gainful.formats import qrels_by
from gainful.formats.fault_messages import explain
from gainful.formats.records import NAMES, column_named, pick, pick_named
from gainful.formats.types import WHAT, By, Kind

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
        raise UsageError(f"Spark cannot be started ({fault}); is Java 17 or newer installed?") from None
    except Exception as fault:  # Java's own, through the bridge
        raise UsageError(
            f"no session on {master} ({said(fault)}); is a master running at that address?"
        ) from None


def asked_of_spark(call: Callable[[], _Answer]) -> _Answer:
    """The result of a call to Spark; a worker without Gainful gives a readable error, not a Java stack trace."""
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
    """Spark's message for a fault, without the Java stack trace."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    if not lines:
        return type(fault).__name__
    if "Traceback (most recent call last):" in lines:  # of a worker's Python: its last line says what it was
        return lines[-1]
    return next((line for line in lines if "Exception:" in line), lines[0]).lstrip(": ")


RUN, ORDER = "run", "order"


def functions() -> Any:
    """Spark's functions on columns; an error that names the package where there is none."""
    try:
        from pyspark.sql import functions
    except ImportError:
        raise UsageError(f"evaluating on Spark: {MISSING}") from None
    return functions


@dataclass(frozen=True)
class Shaped:
    """A DataFrame whose columns are known.

    frame      columns topic and document (binary) and value (double); and what else there is
    many_runs  of a run: whether a column run (string) names the run of each row
    parts      of judgments: whether there are columns aspect and part
    ordered    whether a column order says which row comes first
    """

    frame: Any
    many_runs: bool = False
    parts: bool = False
    ordered: bool = False


def shaped_judgments(frame: Any, by: By | None, columns: Mapping[str, str]) -> Shaped:
    """Judgments; with a column `aspect` if they are by subtopic or by judge."""
    names = renamed(frame, columns)
    if by is None:
        topic, document, value, _ = pick(list(names), "qrels")
        chosen = {"topic": topic, "document": document, "value": value}
        parts = False
    else:
        parts = by == "preferences" and column_named(list(names), NAMES["part"]) is not None
        words = qrels_by.IN_PARTS if parts else qrels_by.COLUMNS[by]
        column_names = [pick_named(list(names), word, "judgments") for word in words]
        chosen = dict(
            zip(
                ["topic", "aspect", *(["part"] if parts else []), "document", "value"],
                column_names,
                strict=True,
            )
        )
    return Shaped(_selected(frame, names, chosen, "qrels"), parts=parts, ordered=ORDER in names)


def shaped_run(given: Any, columns: Mapping[str, str]) -> Shaped:
    """A run, several runs distinguished by a column `run`, or several by name."""
    F = functions()
    if isinstance(given, Mapping):
        if not given:
            raise UsageError("no run was given.")
        shaped = {str(name): _one_run(frame, columns) for name, frame in given.items()}
        ordered = all(run.ordered for run in shaped.values())
        each = [run.frame.withColumn(RUN, F.lit(name)) for name, run in shaped.items()]
        whole, *others = each if ordered else [frame.drop(ORDER) for frame in each]
        for frame in others:
            whole = whole.unionByName(frame)
        return Shaped(whole, many_runs=True, ordered=ordered)
    return _one_run(given, columns)


def _one_run(frame: Any, columns: Mapping[str, str]) -> Shaped:
    names = renamed(frame, columns)
    topic, document, value, ranked = pick(list(names), "run")
    if ranked:
        raise DataError(
            "a run: there are ranks and no scores; add a column score (for example minus the rank)."
        )
    chosen = {"topic": topic, "document": document, "value": value}
    many_runs = RUN in names
    selected = _selected(frame, names, chosen, "run", also=[RUN] if many_runs else [])
    return Shaped(selected, many_runs=many_runs, ordered=ORDER in names)


def renamed(frame: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """What each column is taken for, and its own name."""
    if not hasattr(frame, "mapInArrow"):
        raise UsageError(
            f"expected a Spark DataFrame, not {type(frame).__name__}; `gainful.evaluate` takes other objects."
        )
    mine = {name: word for word, name in columns.items() if name in frame.columns}
    hidden = set(mine.values())
    return {mine.get(name, name): name for name in frame.columns if name in mine or name not in hidden}


def _selected(
    frame: Any, names: Mapping[str, str], chosen: Mapping[str, str], kind: Kind, also: list[str] | None = None
) -> Any:
    F = functions()
    types = {field.name: field.dataType for field in frame.schema.fields}
    selected = []
    for role, word in chosen.items():
        name = names[word]
        column = F.col(f"`{name}`")
        typed = _value(column, types[name], kind) if role == "value" else _id(column, types[name], role, kind)
        selected.append(typed.alias(role))
    selected += [F.col(f"`{names[word]}`").cast("string").alias(word) for word in also or []]
    selected += [F.col(f"`{names[ORDER]}`").alias(ORDER)] if ORDER in names else []
    return frame.select(*selected)


def _id(column: Any, kind_of: Any, role: str, kind: Kind) -> Any:
    from pyspark.sql import types

    if isinstance(kind_of, types.BinaryType):
        return column
    if isinstance(kind_of, types.StringType | types.CharType | types.VarcharType):
        return column.cast("binary")
    if isinstance(kind_of, types.ByteType | types.ShortType | types.IntegerType | types.LongType):
        return column.cast("string").cast("binary")
    raise _of_type(role, kind_of, kind)


def _value(column: Any, kind_of: Any, kind: Kind) -> Any:
    from pyspark.sql import types

    if isinstance(kind_of, types.NumericType):
        return column.cast("double")
    raise _of_type("value", kind_of, kind)


def _of_type(role: str, kind_of: Any, kind: Kind) -> DataError:
    text = f"{role}\t{kind_of.simpleString()}".encode()
    return explain(Fault("type", 0, 0, text, 1), WHAT[kind], kind, unit="row")
