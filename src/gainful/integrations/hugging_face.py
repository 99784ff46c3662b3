"""Hugging Face evaluate: any measure of ranked ids, loaded from this file and without the Hub.

metric = evaluate.load(gainful.integrations.hugging_face.PATH)
metric.compute(predictions=[["d3", "d1"]], references=[["d1", "d7"]], measures="nDCG@10, AP")
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from gainful.integrations.id_lists import score_lists
from gainful.integrations.tracked_scores import named

PATH = __file__

INPUTS = """
predictions  for each query the ids retrieved, best first
references   for each query the relevant ids; or a list of {"id": …, "grade": …}
measures     names of measures, comma-separated
dialect      names and numbers of another tool
"""
_IDS = datasets.Sequence(datasets.Value("string"))
_GRADES = [{"id": datasets.Value("string"), "grade": datasets.Value("float64")}]


class GainfulMetric(evaluate.Metric):  # type: ignore[misc]
    """Measures of ranked ids; each mean with the ends of its 95 % confidence interval."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description="Measures of ranked retrieval: each mean, and the ends of its 95 % confidence interval.",
            citation="",
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": _IDS, "references": _IDS}),
                datasets.Features({"predictions": _IDS, "references": _GRADES}),
            ],
        )

    def _compute(
        self,
        predictions: list[list[str]],
        references: list[list[Any]],
        measures: str = "nDCG@10",
        dialect: str | None = None,
        **conventions: Any,
    ) -> dict[str, float]:
        relevant = [_grades(each) for each in references]
        scores = score_lists(relevant, predictions, measures, dialect=dialect, **conventions)
        return named(scores.runs[0])


def _grades(references: list[Any]) -> dict[str, float]:
    """Grades by id, of ids or of ids with grades."""
    pairs = ((each["id"], each["grade"]) if isinstance(each, dict) else (each, 1.0) for each in references)
    return dict(pairs)
