"""polars: evaluation as a method of a frame that holds a run, and measures as expressions over lists.

import gainful.integrations.polars
run.gainful.evaluate(qrels, "nDCG@10, AP")

joined = qrels.join(run, on=["topic", "document"], how="full", coalesce=True)
joined.group_by("topic").agg("grade", "score").with_columns(measure("nDCG@10"))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import polars

from gainful.dialects import evaluate
from gainful.integrations.joined_lists import JoinedMeasure
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Evaluating, Scores


@polars.api.register_dataframe_namespace("gainful")
@polars.api.register_lazyframe_namespace("gainful")
class RunFrame:
    """A frame, eager or lazy, with columns topic, document and score, as every call of Gainful accepts them."""

    def __init__(self, frame: polars.DataFrame | polars.LazyFrame) -> None:
        self._frame = frame

    def evaluate(self, qrels: Any, measures: Any = None, **evaluating: Unpack[Evaluating]) -> Scores:
        """Scores of this run, as `gainful.evaluate(qrels, frame, measures, …)` gives them."""
        return evaluate(qrels, self._frame, *([] if measures is None else [measures]), **evaluating)


def measure(
    asked: str | Measure,
    grade: str | polars.Expr = "grade",
    score: str | polars.Expr = "score",
    **conventions: Unpack[Conventions],
) -> polars.Expr:
    """A measure of columns of lists: a value for each row, null where no document of the list was judged.

    A grade that is null is of a document that nobody judged, a score that is null of one that was not retrieved.
    Tied scores count as the expected value over their orders, unless the conventions say otherwise.

    >>> lists = polars.DataFrame({"topic": ["q"], "grade": [[0, 2, None, 1]], "score": [[0.9, 0.5, 0.7, None]]})
    >>> lists.with_columns(measure("RR"))["RR"].to_list()  # 0.9, 0.7, 0.5: the relevant one is third
    [0.333...]
    """
    joined = JoinedMeasure(asked, **conventions)

    def values(columns: Sequence[polars.Series]) -> polars.Series:
        sizes = columns[0].list.len().fill_null(0).to_numpy()
        grades, scores = (
            column.filter(column.list.len() > 0).explode().cast(polars.Float64).to_numpy()
            for column in columns
        )
        return polars.Series(joined.each(grades, scores, sizes), nan_to_null=True)

    made = polars.map_batches([grade, score], values, return_dtype=polars.Float64, is_elementwise=True)
    return made.alias(str(joined.measure))
