"""A measure on flat arrays of grades and scores, as learners to rank keep them: one list after another."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gainful.errors import UsageError
from gainful.formats.judgments import Judgments, read_qrels
from gainful.judging.settings import Conventions
from gainful.measures import Measure, parse
from gainful.scores import evaluate


class GroupedMeasure:
    """The mean of a measure over lists; judgments are read anew only where grades or lists change.

    measure      as text or as an object: "nDCG@10", nDCG @ 10
    conventions  fields of `gainful.Settings`; tied scores count as the expected value over their orders unless said
                 otherwise, since young models score many documents alike and rows are often sorted by grade

    >>> GroupedMeasure("RR").mean([1, 0, 0, 1], [0.5, 0.5, 0.1, 0.9], [2, 2])  # (1 + 1/2)/2 and 1
    0.875
    """

    def __init__(self, measure: str | Measure, **conventions: Unpack[Conventions]) -> None:
        self.measure = parse(measure) if isinstance(measure, str) else measure
        self.conventions = Conventions(**{"ties": "expected", **conventions})
        self._judged: tuple[NDArray[Any], NDArray[Any], Judgments] | None = None

    @property
    def name(self) -> str:
        """The name of the measure."""
        return str(self.measure)

    @property
    def bigger_is_better(self) -> bool:
        """Whether a larger mean is better."""
        return not self.measure.less_is_better

    def mean(self, grades: ArrayLike, scores: ArrayLike, sizes: ArrayLike | None) -> float:
        """The mean over the lists that lie one after another; `sizes` are their lengths."""
        if sizes is None:
            raise UsageError("the data have no groups; a ranking measure needs the length of each list.")
        lengths = np.asarray(sizes, dtype=np.intp)
        return self.mean_of_topics(grades, scores, np.repeat(np.arange(len(lengths)), lengths))

    def mean_of_topics(self, grades: ArrayLike, scores: ArrayLike, topics: ArrayLike) -> float:
        """The mean over topics; `topics` says to which one each row belongs."""
        grades, scores, topics = np.asarray(grades), np.asarray(scores), np.asarray(topics)
        if not grades.shape == scores.shape == topics.shape or grades.ndim != 1:
            raise UsageError(
                "grades, scores and topics must be flat and of one length; "
                f"got the shapes {grades.shape}, {scores.shape} and {topics.shape}."
            )
        rows = np.arange(len(topics))
        if self._judged is None or not (
            np.array_equal(self._judged[0], grades) and np.array_equal(self._judged[1], topics)
        ):
            self._judged = grades.copy(), topics.copy(), read_qrels((topics, rows, grades))
        result = evaluate(self._judged[2], (topics, rows, scores), [self.measure], **self.conventions)
        (value,) = result.mean.values()
        return value
