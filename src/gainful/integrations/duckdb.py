"""DuckDB: measures as functions of SQL, over lists of grades and scores.

register(connection, "nDCG@10", name="ndcg10")
connection.sql("SELECT topic, ndcg10(list(grade), list(score)) FROM qrels FULL JOIN run USING (topic, document) GROUP BY topic")
"""

from __future__ import annotations

import re
from typing import Any, Unpack

import duckdb
import pyarrow

from gainful.errors import UsageError
from gainful.integrations.joined_lists import JoinedMeasure
from gainful.judging.settings import Conventions
from gainful.measures import Measure


def register(
    connection: duckdb.DuckDBPyConnection,
    measure: str | Measure,
    *,
    name: str | None = None,
    **conventions: Unpack[Conventions],
) -> str:
    """Make a measure a function of two lists, grades and scores, in this connection; returns the name of the function.

    name  of the function; by default that of the measure, without what SQL does not allow: nDCG@10 is nDCG_10

    A grade that is NULL is of a document that nobody judged, a score that is NULL of one that was not retrieved; the value
    is NULL where no document was judged. Tied scores count as the expected value over their orders, unless the conventions
    say otherwise.

    >>> with duckdb.connect() as base:
    ...     name = register(base, "RR")
    ...     base.sql("SELECT RR([0, 2, NULL, 1], [0.9, 0.5, 0.7, NULL])").fetchall()  # the relevant one is third
    [(0.333...,)]
    """
    joined = JoinedMeasure(measure, **conventions)
    function = name or re.sub(r"\W+", "_", str(joined.measure)).strip("_")
    if not function.isidentifier():
        raise UsageError(f"'{function}' cannot be the name of a function of SQL; give another.")

    def values(grades: Any, scores: Any) -> Any:
        columns = [column.combine_chunks() for column in (grades, scores)]
        sizes = columns[0].value_lengths().fill_null(0)
        flat = [column.flatten().to_numpy(zero_copy_only=False) for column in columns]
        return pyarrow.array(joined.each(flat[0], flat[1], sizes), from_pandas=True)

    connection.create_function(
        function, values, ["DOUBLE[]", "DOUBLE[]"], "DOUBLE", type="arrow", null_handling="special"
    )
    return function
