"""Lists of grades beside scores, as a full join of judgments and a run gives them: one value for each list."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gainful.errors import UsageError
from gainful.judging.settings import Conventions
from gainful.measures import Measure, parse
from gainful.scores import evaluate


class JoinedMeasure:
    """A measure of lists that hold every document judged or retrieved, in any order.

    A grade that is missing is of a document that nobody judged, a score that is missing of one that was not retrieved.
    Documents have no ids here: tied scores count as the expected value over their orders, unless conventions say otherwise.

    Scores 3 and 1, of which the second is relevant, and a relevant document that was not retrieved; then nothing judged:

    >>> nan = float("nan")
    >>> JoinedMeasure("R@10").each([nan, 1, 2, nan], [3, 1, nan, 1], [3, 1])
    array([0.5, nan])
    """

    def __init__(self, measure: str | Measure, **conventions: Unpack[Conventions]) -> None:
        self.measure = parse(measure) if isinstance(measure, str) else measure
        self.conventions = Conventions(**{"ties": "expected", **conventions})

    def each(self, grades: ArrayLike, scores: ArrayLike, sizes: ArrayLike) -> NDArray[np.float64]:
        """The value of each of the lists that lie one after another; NaN where no document was judged."""
        grade, score = np.asarray(grades, np.float64), np.asarray(scores, np.float64)
        lengths = np.asarray(sizes, np.intp)
        if not len(grade) == len(score) == lengths.sum():
            raise UsageError(
                f"every list has as many grades as scores; got {len(grade):,} and {len(score):,} for {lengths.sum():,} rows."
            )
        values = np.full(len(lengths), np.nan)
        topics, documents = np.repeat(np.arange(len(lengths)), lengths), np.arange(len(grade))
        judged, retrieved = ~np.isnan(grade), ~np.isnan(score)
        if not judged.any():
            return values
        qrels = topics[judged], documents[judged], grade[judged]
        run: tuple[Any, Any, Any] = topics[retrieved], documents[retrieved], score[retrieved]
        if (
            np.intersect1d(qrels[0], run[0]).size == 0
        ):  # a run of nothing would be refused: it gets what nobody judged
            run = tuple(map(np.append, run, (qrels[0][0], len(grade), 0.0)))  # type: ignore[assignment]
        for topic, value in evaluate(qrels, run, self.measure, **self.conventions).per_topic.items():
            values[int(topic)] = value.get(str(self.measure), np.nan)
        return values
