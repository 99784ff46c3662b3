"""pandas: evaluation as a method of a data frame that holds a run.

    import gainful.integrations.pandas
    run.gainful.evaluate(qrels, "nDCG@10, AP")

>>> import pandas
>>> run = pandas.DataFrame({"topic": ["q", "q"], "document": ["b", "a"], "score": [2.0, 1.0]})
>>> run.gainful.evaluate({"q": {"a": 1}}, "RR").mean
{'RR': 0.5}
"""

from __future__ import annotations

from typing import Any, Unpack

import pandas

from gainful.dialects import evaluate
from gainful.scores import Evaluating, Scores


@pandas.api.extensions.register_dataframe_accessor("gainful")
class RunFrame:
    """A data frame with columns topic, document and score, as every call of Gainful accepts them."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def evaluate(self, qrels: Any, measures: Any = None, **evaluating: Unpack[Evaluating]) -> Scores:
        """Scores of this run, as `gainful.evaluate(qrels, frame, measures, …)` gives them."""
        return evaluate(qrels, self._frame, *([] if measures is None else [measures]), **evaluating)
